import type { Clock } from "../../kernel/clock.ts";
import type { Db } from "../db/open.ts";
import type { Grants } from "../grants/grants.ts";
import { SealBroken } from "../sealing/box.ts";
import type { Keyring } from "../sealing/keyring.ts";
import type { AssistantToken, AssistantTokenRow } from "./tables.ts";

/** Authorization requests that wait for a person, and other rows without a connection. */
const MAX_UNCONNECTED = 1_000;

export interface AssistantTokensOptions {
  db: Db;
  keyring: Keyring;
  grants: Grants;
  clock: Clock;
}

/**
 * Authorization requests, codes and tokens of the tool server's authorization server. Each is found by the HMAC of its
 * secret. The sealed value repeats the clear columns, so that changing these in the file grants nothing.
 */
export class AssistantTokens {
  constructor(private readonly options: AssistantTokensOptions) {}

  /** Inserts or replaces. @param secret under which it is found again */
  put(kind: string, secret: string, row: AssistantToken): void {
    const { db, keyring } = this.options;
    const hash = this.#hash(kind, secret);
    const { connection_id, user_id, expires_at } = row;
    const sealed = keyring.system().sealJson(context(kind, hash), row);
    db.write(() => {
      db.sql
        .query(
          `INSERT OR REPLACE INTO assistant_tokens (kind, hash, connection_id, user_id, payload, expires_at)
           VALUES (?, ?, ?, ?, ?, ?)`,
        )
        .run(kind, hash, connection_id, user_id, sealed, expires_at);
      if (connection_id === null) this.#dropOldest(kind);
    });
  }

  /** Returns null also for an expired row, and for one that was moved or changed outside Postroom. */
  find<P extends object = Record<string, unknown>>(kind: string, secret: string): AssistantToken<P> | null {
    const { db, keyring, clock } = this.options;
    const hash = this.#hash(kind, secret);
    const row = db.sql
      .query<Pick<AssistantTokenRow, "payload">, [string, Uint8Array]>(
        "SELECT payload FROM assistant_tokens WHERE kind = ? AND hash = ?",
      )
      .get(kind, hash);
    if (!row) return null;
    try {
      const opened = keyring.system().openJson(context(kind, hash), row.payload) as AssistantToken<P>;
      return opened.expires_at > clock.now() ? opened : null;
    } catch (error) {
      if (error instanceof SealBroken) return null;
      throw error;
    }
  }

  remove(kind: string, secret: string): void {
    this.options.db.sql
      .query("DELETE FROM assistant_tokens WHERE kind = ? AND hash = ?")
      .run(kind, this.#hash(kind, secret));
  }

  /** Deletes the tokens of one kind that a connection has. */
  removeOf(kind: string, connection_id: string): void {
    this.options.db.sql
      .query("DELETE FROM assistant_tokens WHERE kind = ? AND connection_id = ?")
      .run(kind, connection_id);
  }

  /** Deletes what has expired. @returns how many */
  prune(): number {
    const { db, clock } = this.options;
    return db.sql.query("DELETE FROM assistant_tokens WHERE expires_at <= ?").run(clock.now()).changes;
  }

  /** Anyone can begin an authorization, so what belongs to no connection is limited in number. */
  #dropOldest(kind: string): void {
    this.options.db.sql
      .query(
        `DELETE FROM assistant_tokens WHERE kind = ?1 AND connection_id IS NULL AND hash IN
           (SELECT hash FROM assistant_tokens WHERE kind = ?1 AND connection_id IS NULL
            ORDER BY expires_at DESC LIMIT -1 OFFSET ?2)`,
      )
      .run(kind, MAX_UNCONNECTED);
  }

  #hash(kind: string, secret: string): Uint8Array {
    return this.options.grants.lookup("assistant-token", `${kind} ${secret}`);
  }
}

function context(kind: string, hash: Uint8Array): string {
  return `assistant_tokens.payload:${kind} ${Buffer.from(hash).toString("hex")}`;
}
