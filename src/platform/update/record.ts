import { Database } from "bun:sqlite";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isoTime } from "../../kernel/clock.ts";
import { UserError } from "../../kernel/errors.ts";

/** The last update of a data folder, for the way back. */
export interface UpdateRecord {
  from: string;
  to: string;
  /** Last migration of the database before the update. */
  migration: string;
  /** Unix ms. */
  at: number;
}

const FOLDER = "upgrades";
const NAME = "last-update.json";
const MIGRATION = /^\d{4}_\w+$/;

/** Stores what an update replaces. */
export function writeRecord(data_dir: string, record: UpdateRecord): void {
  const folder = join(data_dir, FOLDER);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const partial = join(folder, `${NAME}.part`);
  writeFileSync(partial, `${JSON.stringify(record)}\n`, { mode: 0o600 });
  renameSync(partial, join(folder, NAME));
}

/** Returns the last update; null if there was none, or if it was undone. */
export function readRecord(data_dir: string): UpdateRecord | null {
  const path = join(data_dir, FOLDER, NAME);
  if (!existsSync(path)) return null;
  const { from, to, migration, at } = JSON.parse(readFileSync(path, "utf8")) as Partial<UpdateRecord>;
  const whole = typeof from === "string" && typeof to === "string" && typeof at === "number";
  if (!whole || typeof migration !== "string" || !MIGRATION.test(migration)) {
    throw new UserError(
      `${path} is damaged. Return to the earlier version by hand: see 'Upgrade' in docs/operations.md.`,
    );
  }
  return { from, to, migration, at };
}

/** Forgets the last update. */
export function removeRecord(data_dir: string): void {
  rmSync(join(data_dir, FOLDER, NAME), { force: true });
}

/** Returns the names of the migrations of a database file, in their order. Does not migrate it. */
export function migrationsOf(database: string): string[] {
  const sql = new Database(database, { readonly: true });
  try {
    return sql
      .query<{ name: string }, []>("SELECT name FROM migrations ORDER BY name")
      .all()
      .map(({ name }) => name);
  } finally {
    sql.close();
  }
}

/** Returns the copy of the database from before the upgrade that followed an update; null if there is none. */
export function copyOf(data_dir: string, { migration, at }: UpdateRecord): string | null {
  const folder = join(data_dir, FOLDER);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const earliest = `${migration}-${isoTime(at).slice(0, 19).replaceAll(":", "-")}.db`;
  const copies = names.filter((name) => name.startsWith(`${migration}-`) && name.endsWith(".db") && name >= earliest);
  const newest = copies.sort().at(-1);
  return newest ? join(folder, newest) : null;
}
