import { Database } from "bun:sqlite";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MIGRATIONS } from "../../src/platform/db/migrate.ts";
import { fillEveryTable, ordinaryTables } from "./sample-rows.ts";

/**
 * Freezes the schema of a release, so that the upgrade from it is tested in every later release:
 *
 * bun test/schemas/freeze.ts 1.0.0
 *
 * writes 1.0.0.sql to this folder, a database with rows in every table, and adds the migrations to released.json: a test
 * fails when one of those files is changed afterwards.
 */

export const RELEASED = join(import.meta.dir, "released.json");

export interface Released {
  /** SHA-256 of the migration's text, by its name. */
  migrations: Record<string, string>;
  /** Versions that have a file here. */
  versions: string[];
}

export function readReleased(): Released {
  return JSON.parse(readFileSync(RELEASED, "utf8")) as Released;
}

export function hashOf(text: string): string {
  return new Bun.CryptoHasher("sha256").update(text).digest("hex");
}

/** Creates a database with these migrations, as their release created it. */
export function databaseOf(path: string, migrations: readonly { name: string; sql: string }[]): Database {
  const sql = new Database(path, { create: true, strict: true });
  // A test need not survive a power failure.
  sql.run("PRAGMA synchronous = OFF");
  sql.run("CREATE TABLE migrations (name TEXT PRIMARY KEY, applied_at TEXT NOT NULL DEFAULT (datetime('now')))");
  for (const { name, sql: text } of migrations) {
    sql.run(text);
    sql.query("INSERT INTO migrations (name) VALUES (?)").run(name);
  }
  return sql;
}

/** Returns statements that recreate the database. */
function dump(sql: Database): string {
  const objects = sql
    .query<{ sql: string }, []>(
      "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY rowid",
    )
    .all();
  const rows = ["migrations", ...ordinaryTables(sql)].flatMap((table) => {
    const names = sql
      .query<{ name: string }, [string]>("SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0")
      .all(table);
    const quoted = names.map(({ name }) => `quote("${name}")`).join(" || ', ' || ");
    return sql
      .query(`SELECT ${quoted} FROM "${table}"`)
      .values()
      .map(([values]) => `INSERT INTO "${table}" VALUES (${values});`);
  });
  const triggers = objects.filter(({ sql: text }) => /^CREATE TRIGGER/i.test(text));
  const others = objects.filter((object) => !triggers.includes(object));
  const text = (list: typeof objects) => list.map(({ sql: statement }) => `${statement};`);
  return `${[...text(others), ...rows, ...text(triggers)].join("\n")}\n`;
}

if (import.meta.main) {
  const version = process.argv[2] ?? "";
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error("usage: bun test/schemas/freeze.ts 1.0.0");
  const file = join(import.meta.dir, `${version}.sql`);
  if (existsSync(file)) throw new Error(`${version} is frozen already`);
  const sql = databaseOf(":memory:", MIGRATIONS);
  fillEveryTable(sql);
  writeFileSync(file, dump(sql));
  const released = readReleased();
  for (const { name, sql: text } of MIGRATIONS) released.migrations[name] ??= hashOf(text);
  released.versions.push(version);
  writeFileSync(RELEASED, `${JSON.stringify(released, null, 2)}\n`);
}
