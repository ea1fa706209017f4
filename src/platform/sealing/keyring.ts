import { randomBytes } from "node:crypto";
import type { Clock } from "../../kernel/clock.ts";
import { UserError } from "../../kernel/errors.ts";
import type { Db } from "../db/open.ts";
import { openBytes, SealBroken, sealBytes } from "./box.ts";
import { masterKeyId } from "./master-key.ts";
import { Sealer } from "./sealer.ts";
import type { DataKeyRow, SettingRow } from "./tables.ts";

/** Name of the key for what belongs to no single user: rows of users, settings, system jobs. */
export const SYSTEM = "_system";
/** Name of the unsealed setting with the id of the master key that wraps the data keys. */
const MASTER_ID = "master_key_id";
const WRAP_VERSION = 1;

/** Returns the id of the master key that this database expects; null for a new database. */
export function expectedMasterKeyId(db: Pick<Db, "sql">): string | null {
  const row = db.sql
    .query<Pick<SettingRow, "value">, [string]>("SELECT value FROM settings WHERE key = ?")
    .get(MASTER_ID);
  return row ? Buffer.from(row.value).toString() : null;
}

/** Data keys by user, unwrapped once and kept in memory. One keyring per thread. */
export class Keyring {
  readonly #db: Pick<Db, "sql" | "write">;
  readonly #clock: Clock;
  #master: Uint8Array;
  readonly #sealers = new Map<string, Sealer>();

  /** @throws UserError if `master` is not the key that wraps this database's data keys */
  constructor(db: Pick<Db, "sql" | "write">, clock: Clock, master: Uint8Array) {
    this.#db = db;
    this.#clock = clock;
    this.#master = master;
    const expected = expectedMasterKeyId(db);
    if (expected !== null && expected !== masterKeyId(master)) {
      throw new UserError("Wrong passphrase or master key: it does not open this data folder.");
    }
    if (expected === null) {
      // A key is recorded as the right one only if it opens the existing data key.
      if (this.#rows(SYSTEM).length > 0) this.forUser(SYSTEM);
      this.#noteMaster(master);
    }
  }

  /** The current master key. */
  get master(): Uint8Array {
    return this.#master;
  }

  /** Returns the sealer for what belongs to no single user. */
  system(): Sealer {
    return this.forUser(SYSTEM);
  }

  /** Returns the sealer of a user. The first call for a new user creates the data key. */
  forUser(user_id: string): Sealer {
    const cached = this.#sealers.get(user_id);
    if (cached) return cached;
    const rows = this.#rows(user_id);
    const keys =
      rows.length > 0 ? new Map(rows.map((r) => [r.version, this.#unwrap(user_id, r)])) : this.#create(user_id);
    const sealer = new Sealer(keys);
    this.#sealers.set(user_id, sealer);
    return sealer;
  }

  /**
   * Returns whether this database has a register of grants (`platform/grants`). The context in which its system key is
   * wrapped records that, and cannot be changed without the master key.
   */
  registerState(): "new database" | "before" | "since" {
    const [row] = this.#rows(SYSTEM);
    if (!row) {
      if (this.#db.sql.query("SELECT 1 FROM data_keys").get() === null) return "new database";
      throw new UserError("The system's data key is missing from the database. Restore a backup.");
    }
    return this.#wrappedIn(SYSTEM, row) === registeredContext(row.version) ? "since" : "before";
  }

  /** Records that the database has a register. Call it in the transaction that creates the register. */
  markRegistered(): void {
    for (const row of this.#rows(SYSTEM)) {
      this.#wrap(this.#master, SYSTEM, row.version, registeredContext(row.version), this.#unwrap(SYSTEM, row));
    }
  }

  /** Destroys a user's data keys, so that nothing sealed for them can be read. */
  forget(user_id: string): void {
    this.#sealers.delete(user_id);
    this.#db.sql.query("DELETE FROM data_keys WHERE user_id = ?").run(user_id);
  }

  /** Drops keys that another thread has destroyed. @returns the ids of their users */
  dropDestroyed(): string[] {
    const removed = [...this.#sealers.keys()].filter((user_id) => this.#rows(user_id).length === 0);
    for (const user_id of removed) this.#sealers.delete(user_id);
    return removed;
  }

  /** Rewraps every data key, in one transaction that also records the new master key. */
  rotate(next: Uint8Array): void {
    this.#db.write(() => {
      const rows = this.#db.sql.query<Pick<DataKeyRow, "user_id" | "version" | "wrapped">, []>(
        "SELECT user_id, version, wrapped FROM data_keys",
      );
      for (const row of rows.all()) {
        const context = this.#wrappedIn(row.user_id, row);
        this.#wrap(next, row.user_id, row.version, context, this.#unwrap(row.user_id, row));
      }
      this.#noteMaster(next);
      // The old key is deleted after this, so verify that no planted trigger has kept an old wrapping or the old id.
      if (expectedMasterKeyId(this.#db) !== masterKeyId(next)) throw unwritten();
      for (const { user_id, version, wrapped } of rows.all()) {
        const contexts = [wrapContext(user_id, version), registeredContext(version)];
        if (!contexts.some((context) => opens(next, context, wrapped))) throw unwritten();
      }
    });
    this.#master = next;
  }

  #rows(user_id: string): WrappedKey[] {
    return this.#db.sql
      .query<WrappedKey, [string]>("SELECT version, wrapped FROM data_keys WHERE user_id = ?")
      .all(user_id);
  }

  #create(user_id: string): Map<number, Uint8Array> {
    const version = 1;
    const context = user_id === SYSTEM ? registeredContext(version) : wrapContext(user_id, version);
    const wrapped = sealBytes(this.#master, WRAP_VERSION, context, randomBytes(32));
    this.#db.write(() => {
      // A key wrapped by a master key that was replaced in between would be lost at the next start.
      if (expectedMasterKeyId(this.#db) !== masterKeyId(this.#master)) {
        throw new UserError("The master key was replaced while this process was running. Restart Postroom.");
      }
      // Another process may create it at the same time. The row that is stored counts.
      this.#db.sql
        .query("INSERT OR IGNORE INTO data_keys (user_id, version, wrapped, created_at) VALUES (?, ?, ?, ?)")
        .run(user_id, version, wrapped, this.#clock.now());
    });
    return new Map(this.#rows(user_id).map((row) => [row.version, this.#unwrap(user_id, row)]));
  }

  #unwrap(user_id: string, row: WrappedKey): Uint8Array {
    return openBytes(this.#master, this.#wrappedIn(user_id, row), row.wrapped);
  }

  /** Returns the context in which a data key is wrapped. @throws UserError if the master key does not open it */
  #wrappedIn(user_id: string, { version, wrapped }: WrappedKey): string {
    const ordinary = wrapContext(user_id, version);
    const possible = user_id === SYSTEM ? [registeredContext(version), ordinary] : [ordinary];
    const found = possible.find((context) => opens(this.#master, context, wrapped));
    if (found === undefined) throw new UserError("Wrong passphrase or master key: it does not open a data key.");
    return found;
  }

  #wrap(master: Uint8Array, user_id: string, version: number, context: string, key: Uint8Array): void {
    const wrapped = sealBytes(master, WRAP_VERSION, context, key);
    this.#db.sql
      .query("UPDATE data_keys SET wrapped = ? WHERE user_id = ? AND version = ?")
      .run(wrapped, user_id, version);
    const stored = this.#rows(user_id).find((row) => row.version === version);
    if (!stored || Buffer.compare(stored.wrapped, wrapped) !== 0) throw unwritten();
  }

  #noteMaster(master: Uint8Array): void {
    this.#db.sql
      .query("INSERT OR REPLACE INTO settings (key, value, updated_at) VALUES (?, ?, ?)")
      .run(MASTER_ID, Buffer.from(masterKeyId(master)), this.#clock.now());
  }
}

type WrappedKey = Pick<DataKeyRow, "version" | "wrapped">;

function unwritten(): UserError {
  return new UserError(
    "A data key could not be stored, so nothing was changed. The database may have a trigger that Postroom did " +
      "not create: see 'postroom doctor'.",
  );
}

function opens(master: Uint8Array, context: string, wrapped: Uint8Array): boolean {
  try {
    openBytes(master, context, wrapped);
    return true;
  } catch (error) {
    if (error instanceof SealBroken) return false;
    throw error;
  }
}

/** Returns the context of the system key in a database with a register of grants. */
function registeredContext(version: number): string {
  return `data_keys.wrapped:${SYSTEM}:${version}:grants`;
}

function wrapContext(user_id: string, version: number): string {
  return `data_keys.wrapped:${user_id}:${version}`;
}
