import { createHash, randomBytes } from "node:crypto";
import type { Db } from "../db/open.ts";
import type { Log, LogFields } from "../log.ts";
import type { Keyring } from "../sealing/keyring.ts";
import type { HmacPurpose } from "../sealing/sealer.ts";
import {
  canonical,
  coveredRows,
  GRANT_TABLES,
  type GrantTableName,
  grantColumns,
  namePrefix,
  type Row,
  rowName,
  type Value,
} from "./covered-tables.ts";
import { type Difference, differencesOf } from "./differences.ts";
import type { GrantRow, RegisterNotes, StoredRegister } from "./tables.ts";

/*
 * Someone who can write the database file, but has no key, must not be able to grant access (docs/decisions/0023). The
 * database therefore has a register, sealed with the system key: a keyed digest of every row that grants access. A row
 * counts only while the register has its digest. Because one sealed value covers all rows, an old row that is put back
 * after it was changed or revoked does not count. Only the whole database can be replaced with an older copy.
 *
 * All writes to these tables use this class. It computes digests from the values that it writes, not from the stored
 * row, so that a trigger planted in the database cannot add anything to the register.
 */

/** Kinds of secrets that are looked up by a digest. */
type Secrets = "api-key" | "session" | "invitation" | "calendar-feed" | "oauth-state" | "assistant-token";
export type SecretKind = Extract<HmacPurpose, Secrets>;

interface Register extends RegisterNotes {
  /** Grows with every change. */
  generation: number;
  stamp: Uint8Array;
  rows: Map<string, string>;
}

const emptyRegister = (): Register => ({ ...EMPTY, rows: new Map() });
const EMPTY: Register = {
  generation: 0,
  stamp: new Uint8Array(0),
  rows: new Map(),
  files: {},
  adopted: null,
};
/** Maximum log lines per process about rows that do not count. Each state of a row is logged once. */
const MAX_LINES = 1_000;

/** The register of rows that grant access, and all writes to them. */
export class Grants {
  /** The register last read or written, perhaps in a transaction that was rolled back. */
  #read: Register | null = null;
  /** The newest committed register that was seen. An older one is not accepted. */
  #seen: Register | null = null;
  /** The register to save at the end of the current change. */
  #changing: { register: Register } | null = null;
  readonly #said = new Set<string>();

  constructor(
    private readonly db: Db,
    private readonly keyring: Keyring,
    private readonly log: Log,
  ) {}

  /** Returns the value under which a secret is stored and found: 32 bytes that only the system key can produce. */
  lookup(kind: SecretKind, secret: string): Uint8Array {
    return this.lookupOfHash(kind, createHash("sha256").update(secret).digest());
  }

  /** Does the same for the SHA-256 of a secret, which versions before the register stored. */
  lookupOfHash(kind: SecretKind, sha256: Uint8Array): Uint8Array {
    return this.keyring.system().longHmac(kind, sha256);
  }

  /**
   * Returns whether a row is as Postroom wrote it. If not, logs that once.
   * @param row must have the columns of `grantColumns(table)`
   */
  holds(table: GrantTableName, row: Row): boolean {
    const name = rowName(table, row);
    const digest = this.#digest(table, row);
    const entry = this.#current().rows.get(name);
    if (entry === digest) return true;
    this.#say(`${name} ${digest}`, "a stored row was changed outside Postroom and does not count", {
      table,
      row: name.slice(table.length + 1),
    });
    return false;
  }

  /** Returns the row if it counts, otherwise null. */
  checked<T extends object>(table: GrantTableName, row: T | null): T | null {
    return row && this.holds(table, row as Row) ? row : null;
  }

  /** Returns the rows that count. */
  onlyHeld<T extends object>(table: GrantTableName, rows: readonly T[]): T[] {
    return rows.filter((row) => this.holds(table, row as Row));
  }

  /** Returns whether the register has a row, which may have been deleted outside Postroom. */
  isRegistered(table: GrantTableName, key: Row): boolean {
    return this.#current().rows.has(rowName(table, key));
  }

  /** Returns whether the register has a row whose key begins with `first`. */
  hasAnyRegistered(table: GrantTableName, first: string): boolean {
    const prefix = namePrefix(table, first);
    for (const name of this.#current().rows.keys()) if (name.startsWith(prefix)) return true;
    return false;
  }

  /** Inserts a row. @param values must include all covered columns @returns false if ignored because it exists */
  insert(table: GrantTableName, values: Record<string, Value>, on: "fail" | "replace" | "ignore" = "fail"): boolean {
    const columns = Object.keys(values);
    const verb = {
      fail: "INSERT",
      replace: "INSERT OR REPLACE",
      ignore: "INSERT OR IGNORE",
    }[on];
    return this.batch(() => {
      const { changes } = this.db.sql
        .query(`${verb} INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`)
        .run(...Object.values(values));
      if (changes === 0) return false;
      this.#changing!.register.rows.set(rowName(table, values), this.#digest(table, values));
      return true;
    });
  }

  /** Changes columns of a row that counts. @returns false if there is no such row */
  update(table: GrantTableName, key: Record<string, Value>, changes: Record<string, Value>): boolean {
    return this.batch(() => {
      const { where, values } = matching(key);
      const rows = this.db.sql
        .query<Row, Value[]>(`SELECT ${grantColumns(table)} FROM ${table} WHERE ${where}`)
        .all(...values);
      const [row] = this.onlyHeld(table, rows);
      if (!row) return false;
      const set = Object.keys(changes).map((column) => `${column} = ?`);
      this.db.sql
        .query(`UPDATE ${table} SET ${set.join(", ")} WHERE ${where}`)
        .run(...Object.values(changes), ...values);
      const after = { ...row, ...changes };
      // `used_day` is derived from this column, so it is computed again.
      if ("last_used_at" in changes) delete after.used_day;
      this.#changing!.register.rows.set(rowName(table, after), this.#digest(table, after));
      return true;
    });
  }

  /** Deletes a row, even one that does not count. @returns whether it existed */
  remove(table: GrantTableName, key: Record<string, Value>): boolean {
    return this.batch(() => {
      const { where, values } = matching(key);
      const name = rowName(table, key);
      const wasThere = this.db.sql.query(`DELETE FROM ${table} WHERE ${where}`).run(...values).changes > 0;
      return this.#changing!.register.rows.delete(name) || wasThere;
    });
  }

  /**
   * Deletes rows, and the table's register entries whose row is missing or was changed outside Postroom. Otherwise
   * someone could hide a row while it is revoked and put it back later.
   * @param where SQL with a `?` for each value @returns the number of deleted rows
   */
  removeWhere(table: GrantTableName, where: string, ...values: Value[]): number {
    const query = `SELECT ${GRANT_TABLES[table].key.join(", ")} FROM ${table} WHERE ${where}`;
    return this.batch(() => {
      const keys = this.db.sql.query<Record<string, Value>, Value[]>(query).all(...values);
      for (const key of keys) this.remove(table, key);
      this.dropAbsent(table);
      return keys.length;
    });
  }

  /** Deletes a table's register entries whose row is missing or was changed outside Postroom. @returns their keys */
  dropAbsent(table: GrantTableName): string[] {
    const absent = this.#differencesOf(table).filter(({ what }) => what !== "added");
    if (absent.length === 0) return [];
    return this.batch(() => {
      for (const { row } of absent) this.#changing!.register.rows.delete(`${table} ${row}`);
      return absent.map(({ row }) => row);
    });
  }

  #differencesOf(table: GrantTableName): Difference[] {
    return differencesOf(this.db.sql, this.#current().rows, (each, row) => this.#digest(each, row), [table]);
  }

  /** Runs `work`, which deletes rows of any of the tables, and deletes their register entries. */
  removing<T>(work: () => T): T {
    return this.batch(() => {
      const before = this.#present();
      const result = work();
      const after = this.#present();
      for (const name of before) if (!after.has(name)) this.#changing!.register.rows.delete(name);
      return result;
    });
  }

  /** Runs several changes in one transaction, and writes the register once. */
  batch<T>(work: () => T): T {
    return this.#change(() => this.#copy(), work);
  }

  #change<T>(from: () => Register, work: () => T): T {
    return this.db.write(() => {
      if (this.#changing) return work();
      const changing = { register: from() };
      this.#changing = changing;
      try {
        const result = work();
        this.#save(changing.register);
        return result;
      } finally {
        // After a failure, the transaction is rolled back and the register was not written.
        this.#changing = null;
      }
    });
  }

  /** Returns the content of the register besides rows. */
  get notes(): Readonly<RegisterNotes> {
    return this.#current();
  }

  /** Registers the contents of a file, so that no other contents are accepted. @param contents null: no file */
  noteFile(name: string, contents: string | null): void {
    this.batch(() => {
      const { register } = this.#changing!;
      const { [name]: _, ...files } = register.files;
      register.files = contents === null ? files : { ...files, [name]: this.#fileDigest(name, contents) };
    });
  }

  /** Returns whether a file is the registered one. @param contents null: the file does not exist */
  holdsFile(name: string, contents: string | null): boolean {
    const noted = this.#current().files[name];
    return contents === null ? noted === undefined : noted === this.#fileDigest(name, contents);
  }

  /** Returns all differences between the database and the register. */
  differences(): Difference[] {
    return differencesOf(this.db.sql, this.#current().rows, (table, row) => this.#digest(table, row));
  }

  /** True if the register is missing or does not open. No row counts then. */
  get isLost(): boolean {
    return this.#current().generation === 0;
  }

  /**
   * Registers all rows as they are: for the upgrade from a version without a register, and for an owner who has read
   * the differences and accepts them.
   */
  acceptAll(adopted?: RegisterNotes["adopted"]): void {
    this.#change(adopted ? emptyRegister : () => this.#copy(), () => {
      const { register } = this.#changing!;
      register.rows.clear();
      if (adopted) register.adopted = adopted;
      for (const table of Object.keys(GRANT_TABLES) as GrantTableName[]) {
        for (const row of this.#rowsOf(table)) register.rows.set(rowName(table, row), this.#digest(table, row));
      }
    });
  }

  /** Creates the register of a new database. */
  begin(): void {
    this.#change(emptyRegister, () => {});
  }

  #rowsOf(table: GrantTableName): Iterable<Row> {
    return this.db.sql.query<Row, []>(`SELECT ${grantColumns(table)} FROM ${table} WHERE ${coveredRows(table)}`).all();
  }

  /** Returns the names of all rows in the tables. */
  #present(): Set<string> {
    const names = new Set<string>();
    for (const table of Object.keys(GRANT_TABLES) as GrantTableName[]) {
      const { key } = GRANT_TABLES[table];
      const rows = this.db.sql
        .query<Row, []>(`SELECT ${key.join(", ")} FROM ${table} WHERE ${coveredRows(table)}`)
        .all();
      for (const row of rows) names.add(rowName(table, row));
    }
    return names;
  }

  #digest(table: GrantTableName, row: Row): string {
    return Buffer.from(this.keyring.system().hmac("grant", canonical(table, row))).toString("base64url");
  }

  #fileDigest(name: string, contents: string): string {
    const text = JSON.stringify(["file", name, contents]);
    return Buffer.from(this.keyring.system().hmac("grant", text)).toString("base64url");
  }

  /** Returns the register that currently applies. */
  #current(): Register {
    if (this.#changing) return this.#changing.register;
    const row = this.db.sql.query<Pick<GrantRow, "stamp">, []>("SELECT stamp FROM grants WHERE id = 1").get();
    const read =
      row && this.#read && Buffer.compare(row.stamp, this.#read.stamp) === 0 ? this.#read : this.#load(row !== null);
    if (read && this.#seen && read.generation < this.#seen.generation) {
      this.#say(
        `older ${read.generation}`,
        "the database was replaced with an older copy while this process ran, so the access that it grants is ignored",
      );
      return this.#seen;
    }
    if (read && !this.db.sql.inTransaction) this.#seen = read;
    return read ?? this.#seen ?? EMPTY;
  }

  #load(exists: boolean): Register | null {
    const row = this.db.sql
      .query<Pick<GrantRow, "stamp" | "register">, []>("SELECT stamp, register FROM grants WHERE id = 1")
      .get();
    if (!row) {
      this.#say("gone", "the register of grants is missing, so no stored key, session or member counts");
      return null;
    }
    try {
      const { rows, ...rest } = this.keyring.system().openJson(context(row.stamp), row.register);
      this.#read = {
        ...rest,
        stamp: row.stamp,
        rows: new Map(Object.entries(rows)),
      };
      return this.#read;
    } catch {
      this.#say(`broken ${exists}`, "the register of grants does not open, so no stored key, session or member counts");
      return null;
    }
  }

  #copy(): Register {
    const { rows, ...rest } = this.#current();
    return { ...rest, rows: new Map(rows) };
  }

  #save(register: Register): void {
    const next = {
      ...register,
      generation: register.generation + 1,
      stamp: new Uint8Array(randomBytes(16)),
    };
    const { stamp, rows, ...rest } = next;
    const stored: StoredRegister = { ...rest, rows: Object.fromEntries(rows) };
    this.db.sql
      .query("INSERT OR REPLACE INTO grants (id, stamp, register) VALUES (1, ?, ?)")
      .run(stamp, this.keyring.system().sealJson(context(stamp), stored));
    this.#read = next;
    // Recorded right after the commit, so that an older database is refused even if no check runs in between.
    queueMicrotask(() => this.#noteSeen());
  }

  #noteSeen(): void {
    try {
      this.#current();
    } catch {
      // The database was closed.
    }
  }

  #say(what: string, line: string, fields: LogFields = {}): void {
    if (this.#said.has(what) || this.#said.size >= MAX_LINES) return;
    this.#said.add(what);
    this.log.error(line, fields);
  }
}

function context(stamp: Uint8Array): string {
  return `grants.register:${Buffer.from(stamp).toString("hex")}`;
}

function matching(key: Record<string, Value>): {
  where: string;
  values: Value[];
} {
  const columns = Object.keys(key);
  return {
    where: columns.map((column) => `${column} = ?`).join(" AND "),
    values: Object.values(key),
  };
}
