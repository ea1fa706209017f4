import { Database } from "bun:sqlite";
import { MIGRATIONS, migrate } from "../platform/db/migrate.ts";

/** Triggers and views: what runs when others use the database. */
const CODE = "SELECT type, name, sql FROM sqlite_schema WHERE type IN ('trigger', 'view')";
type Code = Record<"type" | "name" | "sql", string>;
/** The trigger of the full-text index of version 0.1, which exists until the first start has removed that index. */
const OLD_INDEX =
  /^CREATE TRIGGER (words_(\w+))_gone AFTER DELETE ON messages WHEN OLD\.user_id = '\2' BEGIN DELETE FROM \1 WHERE rowid = OLD\.n; END$/;

/**
 * Finds a trigger or a view that Postroom has not made. Anyone with the public half of a recovery key can create a
 * backup, and such code would run as soon as the restored database is used.
 * @param path of a database without newer migrations @returns what is wrong; null if nothing is
 */
export function foreignCode(path: string): string | null {
  const sql = new Database(path, { readwrite: true, create: false });
  const own = new Database(":memory:");
  try {
    const applied = new Set(
      sql
        .query<{ name: string }, []>("SELECT name FROM migrations")
        .all()
        .map(({ name }) => name),
    );
    migrate(
      own,
      () => {},
      MIGRATIONS.filter(({ name }) => applied.has(name)),
    );
    const keyOf = ({ type, name, sql: text }: Code) => JSON.stringify([type, name, text]);
    const known = new Set(own.query<Code, []>(CODE).all().map(keyOf));
    const foreign = sql
      .query<Code, []>(CODE)
      .all()
      .find((code) => !known.has(keyOf(code)) && !OLD_INDEX.test(code.sql.replace(/\s+/g, " ")));
    return foreign ? `it has a ${foreign.type} that Postroom did not make (${foreign.name})` : null;
  } finally {
    sql.close();
    own.close();
  }
}
