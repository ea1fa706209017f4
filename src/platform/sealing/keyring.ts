import { randomBytes } from "node:crypto";
import type { Clock } from "../../kernel/clock.ts";
import { UserError } from "../../kernel/errors.ts";
import type { Db } from "../db/open.ts";
import { openBytes, SealBroken, sealBytes } from "./box.ts";
import { masterKeyId } from "./master-key.ts";
import { Sealer } from "./sealer.ts";

/** The key of everything that belongs to no single user: the users' own rows, settings, system jobs. */
export const SYSTEM = "_system";
/** Name of the clear setting that says which master key wraps the data keys. */
const MASTER_ID = "master_key_id";
const WRAP_VERSION = 1;

/** The id of the master key that this database expects; null for a new database. */
export function expectedMasterKeyId(db: Pick<Db, "sql">): string | null {
  const row = db.sql.query<{ value: Uint8Array }, [string]>("SELECT value FROM settings WHERE key = ?").get(MASTER_ID);
  return row ? Buffer.from(row.value).toString() : null;
}

/** Data keys by user, unwrapped once and kept in memory. One keyring per thread. */
export class Keyring {
  readonly #db: Pick<Db, "sql" | "write">;
  readonly #clock: Clock;
  #master: Uint8Array;
  readonly #sealers = new Map<string, Sealer>();

  /** @throws UserError when `master` is not the key that wrapped this database's data keys. */
  constructor(db: Pick<Db, "sql" | "write">, clock: Clock, master: Uint8Array) {
    this.#db = db;
    this.#clock = clock;
    this.#master = master;
    const expected = expectedMasterKeyId(db);
    if (expected !== null && expected !== masterKeyId(master)) {
      throw new UserError("Wrong passphrase or master key: it does not open this data folder.");
    }
    if (expected === null) this.#noteMaster(master);
  }

  get master(): Uint8Array {
    return this.#master;
  }

  system(): Sealer {
    return this.forUser(SYSTEM);
  }

  /** The sealer of a user; the first call for a new user makes the data key. */
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

  /** Destroys a user's data keys: everything sealed for them is unreadable from here on, in every copy of the disk. */
  forget(user_id: string): void {
    this.#sealers.delete(user_id);
    this.#db.sql.query("DELETE FROM data_keys WHERE user_id = ?").run(user_id);
  }

  /** Lets go of the keys that another thread has destroyed. @returns whose they were */
  dropForgotten(): string[] {
    const forgotten = [...this.#sealers.keys()].filter((user_id) => this.#rows(user_id).length === 0);
    for (const user_id of forgotten) this.#sealers.delete(user_id);
    return forgotten;
  }

  /** Wraps every data key anew, in one transaction that also notes the new master key. */
  rotate(next: Uint8Array): void {
    this.#db.write(() => {
      const rows = this.#db.sql.query<{ user_id: string; version: number; wrapped: Uint8Array }, []>(
        "SELECT user_id, version, wrapped FROM data_keys",
      );
      for (const row of rows.all()) {
        const wrapped = sealBytes(
          next,
          WRAP_VERSION,
          wrapContext(row.user_id, row.version),
          this.#unwrap(row.user_id, row),
        );
        this.#db.sql
          .query("UPDATE data_keys SET wrapped = ? WHERE user_id = ? AND version = ?")
          .run(wrapped, row.user_id, row.version);
      }
      this.#noteMaster(next);
    });
    this.#master = next;
  }

  #rows(user_id: string): { version: number; wrapped: Uint8Array }[] {
    return this.#db.sql
      .query<{ version: number; wrapped: Uint8Array }, [string]>(
        "SELECT version, wrapped FROM data_keys WHERE user_id = ?",
      )
      .all(user_id);
  }

  #create(user_id: string): Map<number, Uint8Array> {
    const version = 1;
    const wrapped = sealBytes(this.#master, WRAP_VERSION, wrapContext(user_id, version), randomBytes(32));
    this.#db.write(() => {
      // A key wrapped by a master key that was replaced meanwhile would be lost at the next start.
      if (expectedMasterKeyId(this.#db) !== masterKeyId(this.#master)) {
        throw new UserError("The master key was replaced while this process ran. Start it again.");
      }
      // Another process may make it at the same moment; the row that is there counts.
      this.#db.sql
        .query("INSERT OR IGNORE INTO data_keys (user_id, version, wrapped, created_at) VALUES (?, ?, ?, ?)")
        .run(user_id, version, wrapped, this.#clock.now());
    });
    return new Map(this.#rows(user_id).map((row) => [row.version, this.#unwrap(user_id, row)]));
  }

  #unwrap(user_id: string, row: { version: number; wrapped: Uint8Array }): Uint8Array {
    try {
      return openBytes(this.#master, wrapContext(user_id, row.version), row.wrapped);
    } catch (cause) {
      if (cause instanceof SealBroken) throw new UserError("Wrong passphrase or master key: a data key did not open.");
      throw cause;
    }
  }

  #noteMaster(master: Uint8Array): void {
    this.#db.sql
      .query("INSERT OR REPLACE INTO settings (key, value, updated_at) VALUES (?, ?, ?)")
      .run(MASTER_ID, Buffer.from(masterKeyId(master)), this.#clock.now());
  }
}

function wrapContext(user_id: string, version: number): string {
  return `data_keys.wrapped:${user_id}:${version}`;
}
