import type { Database } from "bun:sqlite";
import house from "../../../migrations/0001_house.sql" with { type: "text" };
import mailbox from "../../../migrations/0002_mailbox.sql" with { type: "text" };
import outbound from "../../../migrations/0003_outbound.sql" with { type: "text" };
import webhooks from "../../../migrations/0004_webhooks.sql" with { type: "text" };
import search from "../../../migrations/0005_search.sql" with { type: "text" };
import people from "../../../migrations/0006_people.sql" with { type: "text" };
import ai from "../../../migrations/0007_ai.sql" with { type: "text" };
import { UserError } from "../../kernel/errors.ts";

/** Append-only. A released migration is never edited; its text is part of the executable. */
const MIGRATIONS: readonly { name: string; sql: string }[] = [
  { name: "0001_house", sql: house },
  { name: "0002_mailbox", sql: mailbox },
  { name: "0003_outbound", sql: outbound },
  { name: "0004_webhooks", sql: webhooks },
  { name: "0005_search", sql: search },
  { name: "0006_people", sql: people },
  { name: "0007_ai", sql: ai },
];

/** Brings the schema up to date, each migration in its own transaction. A database from a newer Postroom is refused. */
export function migrate(sql: Database): void {
  sql.run(
    "CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY, applied_at TEXT NOT NULL DEFAULT (datetime('now')))",
  );
  const done = new Set(
    sql
      .query<{ name: string }, []>("SELECT name FROM migrations")
      .all()
      .map((row) => row.name),
  );
  const known = new Set(MIGRATIONS.map((migration) => migration.name));
  for (const name of done) {
    if (!known.has(name))
      throw new UserError(`This data folder was used by a newer Postroom (it has migration ${name}).`);
  }
  for (const { name, sql: text } of MIGRATIONS) {
    if (done.has(name)) continue;
    sql
      .transaction(() => {
        // Two processes may open a new folder at once; the second one finds the work done.
        const { changes } = sql.query("INSERT OR IGNORE INTO migrations (name) VALUES (?)").run(name);
        if (changes === 1) sql.run(text);
      })
      .immediate();
  }
}
