import type { Clock } from "../../kernel/clock.ts";
import type { Scope } from "../../kernel/scopes.ts";
import type { Db } from "../db/open.ts";
import type { Grants } from "../grants/grants.ts";
import type { NewId } from "../ids.ts";
import { type Actor, type Audit, SYSTEM_ACTOR } from "../ledger/audit.ts";
import type { Keyring } from "../sealing/keyring.ts";
import type { AssistantConnectionRow, ConnectedClient } from "./tables.ts";

/** An assistant that may use the tool server for a user. `user_id` is the person or the sandbox user. */
export interface Connection {
  id: string;
  user_id: string;
  client: ConnectedClient;
  scopes: Scope[];
  account_id: string | null;
  created_at: number;
  revoked_at: number | null;
  last_used_at: number | null;
}

export interface NewConnection {
  user_id: string;
  client: ConnectedClient;
  /** Scopes that the client asked for and the person granted. */
  scopes: readonly Scope[];
  /** Scopes that the client asked for: an earlier connection loses those that the person did not grant again. */
  asked: readonly Scope[];
  account_id: string | null;
}

/** The author of a change to a connection, for the audit row. */
export interface ChangedBy {
  actor: Actor;
  request_id?: string | null;
}

const COLUMNS = "id, user_id, client_hmac, client, scopes, account_id, created_at, revoked_at, last_used_at";

export interface ConnectionsOptions {
  db: Db;
  keyring: Keyring;
  grants: Grants;
  newId: NewId;
  clock: Clock;
  audit: Audit;
  /** Called in the transaction of a revocation: what the connection left open ends. */
  revoked(id: string, by: ChangedBy): void;
}

/** Connections of assistants. A token counts only while its connection does. */
export class Connections {
  constructor(private readonly options: ConnectionsOptions) {}

  /**
   * Grants scopes to a client. A client that the user has connected to the same mailbox before keeps its connection:
   * the granted scopes are added, and scopes that were asked for and not granted are removed.
   */
  grant({ user_id, client, scopes, asked, account_id }: NewConnection, { actor, request_id }: ChangedBy): Connection {
    const { db, grants, keyring, clock, audit } = this.options;
    return db.write(() => {
      const earlier = this.live(user_id, client.id).find((known) => known.account_id === account_id);
      const id = earlier?.id ?? this.options.newId("connection");
      const kept = earlier?.scopes.filter((scope) => !asked.includes(scope)) ?? [];
      const all = [...new Set([...kept, ...scopes])];
      const columns = {
        client: keyring.system().sealJson(`assistant_connections.client:${id}`, client),
        scopes: JSON.stringify(all),
      };
      if (earlier) grants.update("assistant_connections", { id }, columns);
      else {
        grants.insert("assistant_connections", {
          id,
          user_id,
          client_hmac: this.#clientHmac(client.id),
          ...columns,
          account_id,
          created_at: clock.now(),
          revoked_at: null,
        });
      }
      const before = earlier && { name: earlier.client.name, scopes: earlier.scopes };
      const after = { name: client.name, scopes: all, account_id };
      const action = earlier ? "connection.update" : "connection.create";
      audit.record({ user_id, actor, action, target: id, before, after, request_id });
      return this.get(id)!;
    });
  }

  /** Returns a connection, revoked or not; null also for a row that Postroom did not write. */
  get(id: string): Connection | null {
    const row = this.options.db.sql
      .query<AssistantConnectionRow, [string]>(`SELECT ${COLUMNS} FROM assistant_connections WHERE id = ?`)
      .get(id);
    return this.#view(row);
  }

  /** Returns the connections of the given users, oldest first. */
  list(userIds: readonly string[]): Connection[] {
    const statement = this.options.db.sql.query<AssistantConnectionRow, [string]>(
      `SELECT ${COLUMNS} FROM assistant_connections WHERE user_id = ? ORDER BY id`,
    );
    return userIds.flatMap((user_id) => statement.all(user_id)).flatMap((row) => this.#view(row) ?? []);
  }

  /** Returns the connections of one client that a user has not revoked. */
  live(user_id: string, client_id: string): Connection[] {
    return this.options.db.sql
      .query<AssistantConnectionRow, [string, Uint8Array]>(
        `SELECT ${COLUMNS} FROM assistant_connections
         WHERE user_id = ? AND client_hmac = ? AND revoked_at IS NULL ORDER BY id`,
      )
      .all(user_id, this.#clientHmac(client_id))
      .flatMap((row) => this.#view(row) ?? []);
  }

  /** Returns whether a connection belongs to one of these users. */
  isOf(userIds: readonly string[], id: string): boolean {
    return (
      this.options.db.sql
        .query<{ found: 1 }, [string, string]>(
          `SELECT 1 AS found FROM assistant_connections
           WHERE id = ? AND user_id IN (SELECT value FROM json_each(?))`,
        )
        .get(id, JSON.stringify(userIds)) !== null
    );
  }

  /**
   * Revokes a connection and deletes its tokens, at once. @param reason for the audit row
   * @returns false if there is no such unrevoked connection
   */
  revoke(id: string, { actor, request_id }: ChangedBy = { actor: SYSTEM_ACTOR }, reason?: string): boolean {
    const { db, grants, clock, audit } = this.options;
    return db.write(() => {
      const connection = this.get(id);
      const known = connection ? connection.revoked_at === null : grants.isRegistered("assistant_connections", { id });
      if (!known) return false;
      db.sql.query("DELETE FROM assistant_tokens WHERE connection_id = ?").run(id);
      if (connection) grants.update("assistant_connections", { id }, { revoked_at: clock.now() });
      // Another program changed or hid its row. A row that is put back later does not count either.
      else grants.removeWhere("assistant_connections", "id = ?", id);
      if (connection) {
        const { user_id, client } = connection;
        const before = { name: client.name };
        const after = reason === undefined ? null : { reason };
        audit.record({ user_id, actor, action: "connection.revoke", target: id, before, after, request_id });
      }
      this.options.revoked(id, { actor, request_id });
      return true;
    });
  }

  /** Revokes the connections that are bound to a mailbox that is being removed. */
  revokeBound(account_id: string, actor: Actor, request_id: string | null): void {
    const { db, grants } = this.options;
    const bound = db.sql
      .query<{ id: string }, [string]>(
        "SELECT id FROM assistant_connections WHERE account_id = ? AND revoked_at IS NULL",
      )
      .all(account_id);
    for (const { id } of bound) this.revoke(id, { actor, request_id });
    grants.dropAbsent("assistant_connections");
  }

  /** Records when connections were last used. Called every few seconds. */
  touch(used: ReadonlyMap<string, number>): void {
    const { db } = this.options;
    const statement = db.sql.query(
      "UPDATE assistant_connections SET last_used_at = max(coalesce(last_used_at, 0), ?) WHERE id = ?",
    );
    db.writeLazily(() => {
      for (const [id, at] of used) statement.run(at, id);
    });
  }

  #clientHmac(client_id: string): Uint8Array {
    return this.options.keyring.system().hmac("assistant-client", client_id);
  }

  #view(row: AssistantConnectionRow | null): Connection | null {
    const { grants, keyring } = this.options;
    if (row === null || !grants.holds("assistant_connections", { ...row })) return null;
    const { client_hmac: _, client, scopes, ...rest } = row;
    const context = `assistant_connections.client:${row.id}`;
    return {
      ...rest,
      client: keyring.system().openJson(context, client),
      scopes: JSON.parse(scopes) as Scope[],
    };
  }
}
