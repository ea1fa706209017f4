import type { Database } from "bun:sqlite";
import core from "../../../migrations/0001_core.sql" with { type: "text" };
import mailbox from "../../../migrations/0002_mailbox.sql" with { type: "text" };
import outbound from "../../../migrations/0003_outbound.sql" with { type: "text" };
import webhooks from "../../../migrations/0004_webhooks.sql" with { type: "text" };
import search from "../../../migrations/0005_search.sql" with { type: "text" };
import people from "../../../migrations/0006_people.sql" with { type: "text" };
import ai from "../../../migrations/0007_ai.sql" with { type: "text" };
import auth from "../../../migrations/0008_auth.sql" with { type: "text" };
import connect from "../../../migrations/0009_connect.sql" with { type: "text" };
import members from "../../../migrations/0010_members.sql" with { type: "text" };
import backup from "../../../migrations/0011_backup.sql" with { type: "text" };
import operations from "../../../migrations/0012_operations.sql" with { type: "text" };
import contactMailboxes from "../../../migrations/0013_contact_mailboxes.sql" with { type: "text" };
import moveJournal from "../../../migrations/0014_moves_begun.sql" with { type: "text" };
import messageState from "../../../migrations/0015_message_state.sql" with { type: "text" };
import contentBounds from "../../../migrations/0016_content_bounds.sql" with { type: "text" };
import grants from "../../../migrations/0017_grants.sql" with { type: "text" };
import fulltext from "../../../migrations/0018_fulltext.sql" with { type: "text" };
import shortTags from "../../../migrations/0019_short_tags.sql" with { type: "text" };
import foundCorrespondents from "../../../migrations/0020_found_correspondents.sql" with { type: "text" };
import socialHosts from "../../../migrations/0021_social_hosts.sql" with { type: "text" };
import connections from "../../../migrations/0022_connections.sql" with { type: "text" };
import approvals from "../../../migrations/0023_approvals.sql" with { type: "text" };
import sendsOfAssistants from "../../../migrations/0024_sends_of_assistants.sql" with { type: "text" };
import ruleEdits from "../../../migrations/0025_rule_edits.sql" with { type: "text" };
import labels from "../../../migrations/0026_labels.sql" with { type: "text" };
import notifications from "../../../migrations/0027_notifications.sql" with { type: "text" };
import imports from "../../../migrations/0028_imports.sql" with { type: "text" };
import eventMessages from "../../../migrations/0029_event_messages.sql" with { type: "text" };
import backupCopies from "../../../migrations/0030_backup_copies.sql" with { type: "text" };
import updateRequests from "../../../migrations/0031_update_requests.sql" with { type: "text" };
import filePassages from "../../../migrations/0032_file_passages.sql" with { type: "text" };
import { UserError } from "../../kernel/errors.ts";

export interface Migration {
  name: string;
  sql: string;
}

/**
 * Append-only. A released migration is never edited; its text is part of the executable. Data folders store the names, so
 * two of them differ from their files, which were renamed: 0001_house is the core schema, 0008_door is signing in.
 */
export const MIGRATIONS: readonly Migration[] = [
  { name: "0001_house", sql: core },
  { name: "0002_mailbox", sql: mailbox },
  { name: "0003_outbound", sql: outbound },
  { name: "0004_webhooks", sql: webhooks },
  { name: "0005_search", sql: search },
  { name: "0006_people", sql: people },
  { name: "0007_ai", sql: ai },
  { name: "0008_door", sql: auth },
  { name: "0009_connect", sql: connect },
  { name: "0010_members", sql: members },
  { name: "0011_backup", sql: backup },
  { name: "0012_operations", sql: operations },
  { name: "0013_contact_mailboxes", sql: contactMailboxes },
  { name: "0014_moves_begun", sql: moveJournal },
  { name: "0015_message_state", sql: messageState },
  { name: "0016_content_bounds", sql: contentBounds },
  { name: "0017_grants", sql: grants },
  { name: "0018_fulltext", sql: fulltext },
  { name: "0019_short_tags", sql: shortTags },
  { name: "0020_found_correspondents", sql: foundCorrespondents },
  { name: "0021_social_hosts", sql: socialHosts },
  { name: "0022_connections", sql: connections },
  { name: "0023_approvals", sql: approvals },
  { name: "0024_sends_of_assistants", sql: sendsOfAssistants },
  { name: "0025_rule_edits", sql: ruleEdits },
  { name: "0026_labels", sql: labels },
  { name: "0027_notifications", sql: notifications },
  { name: "0028_imports", sql: imports },
  { name: "0029_event_messages", sql: eventMessages },
  { name: "0030_backup_copies", sql: backupCopies },
  { name: "0031_update_requests", sql: updateRequests },
  { name: "0032_file_passages", sql: filePassages },
];

/** Names of all migrations of this program, in order. */
export const MIGRATION_NAMES: readonly string[] = MIGRATIONS.map(({ name }) => name);

/** An upcoming upgrade of a database that has been used. */
export interface Upgrade {
  /** The last migration that the database has. */
  from: string;
  /** The last migration after the upgrade. */
  to: string;
}

/**
 * Updates the schema. All missing migrations run in one transaction: after any failure the database is unchanged, and
 * the old program can open it.
 * @param before called when a database that has been used is about to change; an error thrown there prevents the change
 * @throws UserError for the database of a newer Postroom
 */
export function migrate(
  sql: Database,
  before: (upgrade: Upgrade) => void = () => {},
  migrations: readonly Migration[] = MIGRATIONS,
): void {
  sql.run(
    "CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY, applied_at TEXT NOT NULL DEFAULT (datetime('now')))",
  );
  const names = sql.query<{ name: string }, []>("SELECT name FROM migrations ORDER BY name").all();
  const done = new Set(names.map(({ name }) => name));
  const unknown = [...done].find((name) => !migrations.some((known) => known.name === name));
  if (unknown) {
    throw new UserError(
      `This data folder was used by a newer Postroom (it has migration ${unknown}). Nothing was ` +
        "changed. Start that version or a newer one. To go back, see 'Upgrade' in docs/operations.md.",
    );
  }
  const missing = migrations.filter(({ name }) => !done.has(name));
  const [last] = missing.slice(-1);
  if (!last) return;
  const from = names.at(-1)?.name;
  if (from) before({ from, to: last.name });
  sql
    .transaction(() => {
      for (const { name, sql: text } of missing) {
        // If two processes open a folder at once, the second finds the migrations already applied.
        const { changes } = sql.query("INSERT OR IGNORE INTO migrations (name) VALUES (?)").run(name);
        if (changes === 1) sql.run(text);
      }
    })
    .immediate();
}
