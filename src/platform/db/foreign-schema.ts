import { Database } from "bun:sqlite";
import { migrate } from "./migrate.ts";

/**
 * Versions before 0.2 created such a trigger for each person's full-text table. It stays until that table is removed.
 */
const OF_WORDS =
  /^CREATE TRIGGER (?:IF NOT EXISTS )?(words_\w+)_gone AFTER DELETE ON messages WHEN OLD\.user_id = '\w+'\s+BEGIN DELETE FROM \1 WHERE rowid = OLD\.n; END$/;

/** Returns the names of triggers and views that no migration created, because another program added or changed them. */
export function foreignSchema(sql: Database): string[] {
  const ours = new Database(":memory:");
  try {
    migrate(ours);
    const known = new Map(objectsOf(ours).map(({ name, text }) => [name, text]));
    return objectsOf(sql).flatMap(({ name, text }) => (known.get(name) === text || OF_WORDS.test(text) ? [] : [name]));
  } finally {
    ours.close();
  }
}

function objectsOf(sql: Database): { name: string; text: string }[] {
  return sql
    .query<{ name: string; text: string }, []>(
      "SELECT name, sql AS text FROM sqlite_schema WHERE type IN ('trigger', 'view') ORDER BY name",
    )
    .all();
}
