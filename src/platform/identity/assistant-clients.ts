import type { Clock } from "../../kernel/clock.ts";
import type { Db } from "../db/open.ts";
import type { Keyring } from "../sealing/keyring.ts";
import type { AssistantClientRow } from "./tables.ts";

/** A registration that no person has used expires after a day. */
const UNUSED_MS = 86_400_000;
/** With more unused registrations than this, the oldest are deleted. */
const MAX_UNUSED = 200;

export interface AssistantClientsOptions {
  db: Db;
  keyring: Keyring;
  clock: Clock;
}

/**
 * Programs that registered themselves (RFC 7591). A registration that a person has used is kept for ever, because a
 * client whose registration is gone cannot recover.
 */
export class AssistantClients {
  constructor(private readonly options: AssistantClientsOptions) {}

  put(client_id: string, metadata: object): void {
    const { db, keyring, clock } = this.options;
    const hmac = this.#hmac(client_id);
    const sealed = keyring.system().sealJson(context(hmac), metadata);
    db.write(() => {
      db.sql
        .query(
          `INSERT INTO assistant_clients (id_hmac, metadata, created_at) VALUES (?, ?, ?)
           ON CONFLICT DO UPDATE SET metadata = excluded.metadata`,
        )
        .run(hmac, sealed, clock.now());
      db.sql
        .query(
          `DELETE FROM assistant_clients WHERE used_at IS NULL AND id_hmac NOT IN
             (SELECT id_hmac FROM assistant_clients WHERE used_at IS NULL ORDER BY created_at DESC LIMIT ?)`,
        )
        .run(MAX_UNUSED);
    });
  }

  find(client_id: string): object | null {
    const hmac = this.#hmac(client_id);
    const row = this.options.db.sql
      .query<Pick<AssistantClientRow, "metadata">, [Uint8Array]>(
        "SELECT metadata FROM assistant_clients WHERE id_hmac = ?",
      )
      .get(hmac);
    return row && this.options.keyring.system().openJson(context(hmac), row.metadata);
  }

  /** Records that a person has used a registration. Does nothing for a client that did not register. */
  use(client_id: string): void {
    const { db, clock } = this.options;
    db.sql
      .query("UPDATE assistant_clients SET used_at = ? WHERE id_hmac = ? AND used_at IS NULL")
      .run(clock.now(), this.#hmac(client_id));
  }

  remove(client_id: string): void {
    this.options.db.sql.query("DELETE FROM assistant_clients WHERE id_hmac = ?").run(this.#hmac(client_id));
  }

  /** Deletes registrations that no person used within a day. @returns how many */
  prune(): number {
    const { db, clock } = this.options;
    return db.sql
      .query("DELETE FROM assistant_clients WHERE used_at IS NULL AND created_at < ?")
      .run(clock.now() - UNUSED_MS).changes;
  }

  #hmac(client_id: string): Uint8Array {
    return this.options.keyring.system().hmac("assistant-client", client_id);
  }
}

function context(hmac: Uint8Array): string {
  return `assistant_clients.metadata:${Buffer.from(hmac).toString("hex")}`;
}
