import { Database } from "bun:sqlite";
import { join } from "node:path";
import { sweepFiles } from "../../src/app/sweep.ts";
import { createMailbox } from "../../src/mailbox/mailbox.ts";
import { openEnvelope } from "../../src/mailbox/store/envelope.ts";
import { createOutbound } from "../../src/outbound/outbound.ts";
import type { SendStatus } from "../../src/outbound/sends/store.ts";
import { PartCache } from "../../src/platform/blobs/cache.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { loadConfig } from "../../src/platform/config/load.ts";
import { openPlatform } from "../../src/platform/platform.ts";
import { asLines, checkInvariants } from "../invariants/check.ts";

/** What a data folder has of the things that the journal records. */
export interface FolderView {
  /** Message-ID headers. */
  messages: Set<string>;
  threads: Map<string, { starred: boolean; labels: string[] }>;
  drafts: Map<string, { body: string; files: string[] }>;
  sends: Map<string, { status: SendStatus; handedOver: boolean; claimed: boolean }>;
}

/** Reads a data folder that no server uses, and checks its invariants. */
export async function viewFolder(data_dir: string): Promise<{ view: FolderView; findings: string[] }> {
  const platform = openPlatform({
    config: loadConfig({ data_dir, env: {}, flags: { "log.level": "error" } }),
    clock: systemClock,
  });
  try {
    const mailbox = createMailbox(platform);
    const outbound = createOutbound(platform, mailbox);
    // As every start does: a file is on the disk before its row.
    await sweepFiles(platform, mailbox, outbound, new PartCache(platform));
    const { findings } = await checkInvariants(platform);
    const all = <T>(query: string) => platform.db.sql.query<T, []>(query).all();
    const heads = all<{ id: string; user_id: string; head: Uint8Array }>(
      "SELECT m.id, m.user_id, m.head FROM messages m JOIN accounts a ON a.id = m.account_id WHERE a.provider = 'imap'",
    );
    const threads = all<{ id: string; starred: number }>("SELECT id, starred FROM threads");
    const drafts = all<{ id: string; user_id: string }>("SELECT id, user_id FROM drafts WHERE hidden = 0");
    const sends = all<{
      id: string;
      status: SendStatus;
      handed_over_at: number | null;
      first_attempt_at: number | null;
    }>("SELECT id, status, handed_over_at, first_attempt_at FROM sends");
    const view: FolderView = {
      messages: new Set(
        heads.map(
          ({ id, user_id, head }) => openEnvelope(platform.keyring.forUser(user_id), id, head).message_id ?? id,
        ),
      ),
      threads: new Map(
        threads.map(({ id, starred }) => [id, { starred: starred === 1, labels: mailbox.labels.ofThread(id) }]),
      ),
      drafts: new Map(
        drafts.map((row) => {
          const files = outbound.draftStore.attachments(row).map(({ id }) => id);
          return [row.id, { body: outbound.draftStore.get(row.id)!.body, files }];
        }),
      ),
      sends: new Map(
        sends.map(({ id, status, handed_over_at, first_attempt_at }) => [
          id,
          { status, handedOver: handed_over_at !== null, claimed: first_attempt_at !== null },
        ]),
      ),
    };
    return { view, findings: asLines(findings) };
  } finally {
    platform.close();
  }
}

/** Tables whose rows are only added and never changed: a copy has the oldest of them, byte for byte. */
const ADDED = ["events", "audit"];

/** Returns what a copy has that its source does not have, and gaps in it. */
export function compareAdded(copy: string, source: string): string[] {
  return withBoth(copy, source, (here, there) =>
    ADDED.flatMap((table) => {
      const read = (db: Database) => db.query<Row, []>(`SELECT * FROM ${table} ORDER BY rowid`).all().map(asText);
      const [copied, original] = [new Set(read(here)), read(there)];
      const foreign = copied.difference(new Set(original)).size;
      const first = original.findIndex((row) => !copied.has(row));
      const gaps = first < 0 ? 0 : original.slice(first).filter((row) => copied.has(row)).length;
      return [
        ...(foreign > 0 ? [`${table}: ${foreign} rows are not in the source`] : []),
        ...(gaps > 0 ? [`${table}: ${gaps} rows are there without an earlier one`] : []),
      ];
    }),
  );
}

type Row = Record<string, unknown>;

/** Tables that a server writes without being asked, or that a restore settles. */
const OWN = new Set(["jobs", "job_attempts", "meters", "sends", "store_egress", "backups", "backup_copies"]);
/** Columns that note when something was looked at. */
const LOOKED = new Set(["pass", "last_sync_at", "checked_at", "last_used_at"]);

/** Returns the tables of a copy that differ from its source, which had nothing to do for longer than the promise. */
export function compareAll(copy: string, source: string): string[] {
  return withBoth(copy, source, (here, there) => {
    const names = there
      .query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
      .all()
      .map(({ name }) => name);
    return names
      .filter((name) => !OWN.has(name))
      .flatMap((name) => {
        const read = (db: Database) => new Set(db.query<Row, []>(`SELECT * FROM "${name}"`).all().map(asText));
        const [copied, original] = [read(here), read(there)];
        const [more, fewer] = [copied.difference(original).size, original.difference(copied).size];
        return more + fewer === 0 ? [] : [`${name}: ${fewer} rows are missing and ${more} are different or additional`];
      });
  });
}

function withBoth<T>(copy: string, source: string, work: (here: Database, there: Database) => T): T {
  const open = (folder: string) => new Database(join(folder, "postroom.db"), { readonly: true });
  const [here, there] = [open(copy), open(source)];
  try {
    return work(here, there);
  } finally {
    here.close();
    there.close();
  }
}

const asText = (row: Row): string =>
  JSON.stringify(row, (key, value) => {
    if (LOOKED.has(key)) return undefined;
    return value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value;
  });
