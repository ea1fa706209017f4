import { createHash, randomBytes } from "node:crypto";
import type { Db } from "../db/open.ts";
import type { Log, LogFields } from "../log.ts";
import type { Keyring } from "../sealing/keyring.ts";
import type { HmacPurpose } from "../sealing/sealer.ts";
import { type Difference, differencesOf } from "./differences.ts";
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
} from "./tables.ts";

/*
 * Anyone who can write the database file, but has no key, must not be able to grant anything (docs/decisions/0023). So the
 * database has a register, sealed under the system key: a keyed digest of every row that grants something. A row counts only
 * while the register has it, exactly as it is. That one sealed value covers all of them also means that a row of last week,
 * put back after it was changed or revoked, does not count: rows cannot be mixed, only the whole database can be turned back.
 *
 * All writes to these tables go through this class. It computes digests of the values that it was asked to write, never of what
 * it finds afterwards, so that a trigger planted in the database cannot slip anything into the register.
 */

/** Kinds of secrets that are looked up by a digest. */
export type SecretKind = Extract<HmacPurpose, "api-key" | "session" | "invitation" | "calendar-feed" | "oauth-state">;

/** What the register notes beside rows: files, and when rows of an older version were taken over. */
export interface RegisterNotes {
  /** Digests by name. */
  files: Record<string, string>;
  /** When the rows of a version without a register were taken over, ms, and under which master key (its id). */
  adopted: { at: number; master_key_id: string } | null;
}

interface Register extends RegisterNotes {
  /** Grows with every change. */
  generation: number;
  stamp: Uint8Array;
  rows: Map<string, string>;
}

type Stored = Omit<Register, "stamp" | "rows"> & {
  rows: Record<string, string>;
};

const fresh = (): Register => ({ ...EMPTY, rows: new Map() });
const EMPTY: Register = {
  generation: 0,
  stamp: new Uint8Array(0),
  rows: new Map(),
  files: {},
  adopted: null,
};
/** Lines of the log about rows that do not count: one for each state of a row, and no more than so many in a process. */
const MOST_LINES = 1_000;

export class Grants {
  /** As last read or written, perhaps in a transaction that was undone since. */
  #read: Register | null = null;
  /** The newest one that was seen committed: an older one is not believed. */
  #seen: Register | null = null;
  /** While a change is under way. */
  #changing: { register: Register } | null = null;
  readonly #said = new Set<string>();

  constructor(
    private readonly db: Db,
    private readonly keyring: Keyring,
    private readonly log: Log,
  ) {}

  /** What a secret is stored and found as: 32 bytes that cannot be made without the system key. */
  lookup(kind: SecretKind, secret: string): Uint8Array {
    return this.lookupOfHash(kind, createHash("sha256").update(secret).digest());
  }

  /** The same, of the SHA-256 that versions before the register stored. */
  lookupOfHash(kind: SecretKind, sha256: Uint8Array): Uint8Array {
    return this.keyring.system().longHmac(kind, sha256);
  }

  /**
   * Whether a row is as Postroom wrote it. Where it is not, the log says so once.
   * @param row with the columns of `grantColumns(table)` at least
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

  /** The row, if it counts. */
  checked<T extends object>(table: GrantTableName, row: T | null): T | null {
    return row && this.holds(table, row as Row) ? row : null;
  }

  /** The rows that count. */
  onlyHeld<T extends object>(table: GrantTableName, rows: readonly T[]): T[] {
    return rows.filter((row) => this.holds(table, row as Row));
  }

  /** Whether the register has a row, which may have been deleted outside Postroom. */
  knows(table: GrantTableName, key: Row): boolean {
    return this.#current().rows.has(rowName(table, key));
  }

  /** Whether the register has any row whose key begins so. */
  knowsAny(table: GrantTableName, first: string): boolean {
    const prefix = namePrefix(table, first);
    for (const name of this.#current().rows.keys()) if (name.startsWith(prefix)) return true;
    return false;
  }

  /** Inserts a row. @param values every column of the register, and others. @returns false for `ignore` when there is one */
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

  /** Changes columns of a row that counts. @returns false, and nothing was changed, when there is no such row */
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
      // Derived from the column that changes: it is derived again.
      if ("last_used_at" in changes) delete after.used_day;
      this.#changing!.register.rows.set(rowName(table, after), this.#digest(table, after));
      return true;
    });
  }

  /** Deletes a row, also one that does not count. @returns whether there was one */
  remove(table: GrantTableName, key: Record<string, Value>): boolean {
    return this.batch(() => {
      const { where, values } = matching(key);
      const name = rowName(table, key);
      const wasThere = this.db.sql.query(`DELETE FROM ${table} WHERE ${where}`).run(...values).changes > 0;
      return this.#changing!.register.rows.delete(name) || wasThere;
    });
  }

  /**
   * Deletes rows. Register entries of the table whose row is missing or was changed outside Postroom are deleted with
   * them: otherwise a row that someone hides in the file while it is revoked would count again as soon as it is put
   * back.
   * @param where SQL with a `?` for each value @returns how many rows there were
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

  /** Takes the entries of a table out of the register whose row is not there as Postroom wrote it. @returns their names */
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

  /** Runs what deletes rows of any of the tables, and takes those that are gone then out of the register. */
  removing<T>(work: () => T): T {
    return this.batch(() => {
      const before = this.#present();
      const result = work();
      const after = this.#present();
      for (const name of before) if (!after.has(name)) this.#changing!.register.rows.delete(name);
      return result;
    });
  }

  /** Several changes as one: one transaction, and the register is written once. */
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
        // After a failure the transaction undoes the rows, and the register was not written.
        this.#changing = null;
      }
    });
  }

  get notes(): Readonly<RegisterNotes> {
    return this.#current();
  }

  /** Notes the digest of a file's contents, so that another one is not accepted in its place; null: there is none. */
  noteFile(name: string, contents: string | null): void {
    this.batch(() => {
      const { register } = this.#changing!;
      const { [name]: _, ...files } = register.files;
      register.files = contents === null ? files : { ...files, [name]: this.#fileDigest(name, contents) };
    });
  }

  /** Whether a file is the one that was noted. @param contents null: it is not there */
  holdsFile(name: string, contents: string | null): boolean {
    const noted = this.#current().files[name];
    return contents === null ? noted === undefined : noted === this.#fileDigest(name, contents);
  }

  /** What is in the database and not in the register, or the other way round. */
  differences(): Difference[] {
    return differencesOf(this.db.sql, this.#current().rows, (table, row) => this.#digest(table, row));
  }

  /** Whether there is no register, or it does not open: then no row counts. */
  get isLost(): boolean {
    return this.#current().generation === 0;
  }

  /**
   * Takes all rows as they are into the register. For the upgrade from a version without one, and for an owner who has read the
   * differences and wants them so.
   */
  acceptAll(adopted?: RegisterNotes["adopted"]): void {
    this.#change(adopted ? fresh : () => this.#copy(), () => {
      const { register } = this.#changing!;
      register.rows.clear();
      if (adopted) register.adopted = adopted;
      for (const table of Object.keys(GRANT_TABLES) as GrantTableName[]) {
        for (const row of this.#rowsOf(table)) register.rows.set(rowName(table, row), this.#digest(table, row));
      }
    });
  }

  /** Begins the register of a new database. */
  begin(): void {
    this.#change(fresh, () => {});
  }

  #rowsOf(table: GrantTableName): Iterable<Row> {
    return this.db.sql.query<Row, []>(`SELECT ${grantColumns(table)} FROM ${table} WHERE ${coveredRows(table)}`).all();
  }

  /** Names of all rows that are in the tables. */
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

  /** The register that counts at this moment. */
  #current(): Register {
    if (this.#changing) return this.#changing.register;
    const row = this.db.sql.query<{ stamp: Uint8Array }, []>("SELECT stamp FROM grants WHERE id = 1").get();
    const read =
      row && this.#read && Buffer.compare(row.stamp, this.#read.stamp) === 0 ? this.#read : this.#load(row !== null);
    if (read && this.#seen && read.generation < this.#seen.generation) {
      this.#say(
        `older ${read.generation}`,
        "the database was turned back while this process ran: what it grants is ignored",
      );
      return this.#seen;
    }
    if (read && !this.db.sql.inTransaction) this.#seen = read;
    return read ?? this.#seen ?? EMPTY;
  }

  #load(exists: boolean): Register | null {
    const row = this.db.sql
      .query<{ stamp: Uint8Array; register: Uint8Array }, []>("SELECT stamp, register FROM grants WHERE id = 1")
      .get();
    if (!row) {
      this.#say("gone", "the register of grants is missing: no stored key, session or member counts");
      return null;
    }
    try {
      const { rows, ...rest } = this.keyring.system().openJson<Stored>(context(row.stamp), row.register);
      this.#read = {
        ...rest,
        stamp: row.stamp,
        rows: new Map(Object.entries(rows)),
      };
      return this.#read;
    } catch {
      this.#say(`broken ${exists}`, "the register of grants does not open: no stored key, session or member counts");
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
    const stored: Stored = { ...rest, rows: Object.fromEntries(rows) };
    this.db.sql
      .query("INSERT OR REPLACE INTO grants (id, stamp, register) VALUES (1, ?, ?)")
      .run(stamp, this.keyring.system().sealJson(context(stamp), stored));
    this.#read = next;
    // Recorded right after the commit, so that an older file is refused even if no check runs in between.
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
    if (this.#said.has(what) || this.#said.size >= MOST_LINES) return;
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
