import { Database } from "bun:sqlite";
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { carveInstances, type Instance } from "./fts5-pages.ts";

/** Bytes that someone with the disk can read. */
export interface Value {
  /** "table.column", or the path of a file. */
  where: string;
  /** Everything in the same row that may identify the message: numbers and short texts. Empty for files. */
  names: string[];
  bytes: Uint8Array;
  /** From a TEXT column, not a BLOB. */
  isText?: boolean;
}

/** Tokens in the order in which an index has them for one message. */
export interface Sequence {
  where: string;
  /** The message's id in the index. */
  name: string;
  tokens: string[];
}

/** What the disk shows without any key. */
export interface Disk {
  values: Value[];
  sequences: Sequence[];
}

const LONGEST_NAME = 48;
/** Not personal data: libraries that the program extracts. */
const OURS = /^cache\/native\//;

/** Reads every table and every file of a copied data folder, without changing it. */
export function readDisk(folder: string): Disk {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((path) => !OURS.test(path))
    .map((path) => ({ where: path, names: [], bytes: new Uint8Array(readFileSync(join(folder, path))) }));
  const carved = files
    .filter(({ where }) => /\.db(-wal)?$/.test(where))
    .flatMap(({ where, bytes }) => sequencesOf(`${where} (raw pages)`, carveInstances(bytes)));
  return withDatabase(folder, (sql) => ({
    values: [...files, ...tableValues(sql)],
    sequences: [...vocabularies(sql), ...carved],
  }));
}

/** Opens a copy: closing a database empties its log, in which there may be something to find. */
function withDatabase<T>(folder: string, work: (sql: Database) => T): T {
  const copy = mkdtempSync(join(tmpdir(), "postroom-attack-"));
  try {
    for (const name of ["postroom.db", "postroom.db-wal"])
      if (existsSync(join(folder, name))) copyFileSync(join(folder, name), join(copy, name));
    const sql = new Database(join(copy, "postroom.db"));
    try {
      return work(sql);
    } finally {
      sql.close();
    }
  } finally {
    rmSync(copy, { recursive: true });
  }
}

/** Returns the values of all tables, including those that hold the data of virtual tables. */
export function tableValues(sql: Database): Value[] {
  const tables = sql
    .query<{ name: string; wr: number }, []>(
      "SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'shadow') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
    )
    .all();
  return tables.flatMap(({ name, wr }) => {
    const rows = sql
      .query<Record<string, unknown>, []>(`SELECT ${wr ? "" : "rowid AS _rowid_, "}* FROM "${name}"`)
      .all();
    return rows.flatMap((row) => {
      const names = Object.values(row).flatMap((value) =>
        typeof value === "number" || (typeof value === "string" && value.length <= LONGEST_NAME) ? [String(value)] : [],
      );
      return Object.entries(row).flatMap(([column, value]) => {
        const bytes = typeof value === "string" ? Buffer.from(value) : value;
        return bytes instanceof Uint8Array && bytes.length >= 4
          ? [{ where: `${name}.${column}`, names, bytes, isText: typeof value === "string" }]
          : [];
      });
    });
  });
}

/** Returns what FTS5 itself reveals of its tables. */
function vocabularies(sql: Database): Sequence[] {
  const tables = sql
    .query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL TABLE%fts5%'")
    .all();
  return tables.flatMap(({ name }) => {
    sql.run(`CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab(main, "${name}", instance)`);
    const instances = sql
      .query<Instance, []>('SELECT term, doc, col AS "column", "offset" AS position FROM temp.vocabulary')
      .all();
    sql.run("DROP TABLE temp.vocabulary");
    return sequencesOf(name, instances);
  });
}

function sequencesOf(where: string, instances: readonly Instance[]): Sequence[] {
  const found = new Map<string, { name: string; places: Instance[] }>();
  for (const instance of instances) {
    const key = `${instance.doc}/${instance.column}`;
    const known = found.get(key) ?? { name: String(instance.doc), places: [] };
    known.places.push(instance);
    found.set(key, known);
  }
  return [...found.values()].map(({ name, places }) => {
    const tokens: string[] = [];
    // A raw page may exist twice; a position has one token.
    for (const { term, position } of places) if (position < 1_000_000) tokens[position] = term;
    return { where, name, tokens: Array.from(tokens, (token, i) => token ?? `?${i}`) };
  });
}
