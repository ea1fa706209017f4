import { sweepFiles } from "../../src/app/sweep.ts";
import { createMailbox } from "../../src/mailbox/mailbox.ts";
import { createOutbound } from "../../src/outbound/outbound.ts";
import { PartCache } from "../../src/platform/blobs/cache.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { loadConfig } from "../../src/platform/config/load.ts";
import { openPlatform, type Platform } from "../../src/platform/platform.ts";
import { asLines, checkInvariants } from "../invariants/check.ts";
import { compareWithServer } from "../invariants/server.ts";
import type { Dovecot } from "../support/dovecot.ts";
import { hashIndex, readIndex } from "../support/index-content.ts";
import { fingerprintOf } from "./output.ts";

/** Built with text that is not stored: parts of a header. */
const NOT_STORED = ["delivered_to"] as const;

/** Checks the invariants of a data folder, and compares each of its messages with the server's. */
export async function asOnServer(data: string, dovecot: Dovecot): Promise<string[]> {
  const platform = openPlatform({ config: loadConfig({ data_dir: data, env: {} }), clock: systemClock });
  const mailbox = createMailbox(platform);
  const account = mailbox.accounts.list().find(({ provider }) => provider === "imap")!;
  // As every start does: a sample message is on the disk before its commit. The last server had no time for it if there
  // was nothing left to sync.
  await sweepFiles(platform, mailbox, createOutbound(platform, mailbox), new PartCache(platform));
  const { findings } = await checkInvariants(platform);
  const compared = await compareWithServer(platform, account, await dovecot.connect("alice"), { flags: true });
  const left = leftInIndex(platform, account.user_id);
  platform.close();
  return [...asLines([...findings, ...compared.findings]), ...left];
}

/** Returns deleted and replaced text that is still in an index after compaction. */
function leftInIndex(platform: Platform, user_id: string): string[] {
  const count = (of: string) =>
    platform.db.sql.query<{ c: number }, [string]>(`SELECT count(*) AS c FROM ${of}`).get(user_id)!.c;
  const texts = readIndex(platform, user_id, { deleted: true }).length;
  const messages = count("messages WHERE user_id = ?");
  const segments = count("search_segments WHERE user_id = ? AND state <> 'live'");
  const deleted = count("search_deleted WHERE user_id = ?");
  return [
    ...(texts === messages ? [] : [`${texts} texts of ${messages} messages are in the index`]),
    ...(segments === 0 ? [] : [`${segments} segments are neither in use nor deleted`]),
    ...(deleted === 0 ? [] : [`${deleted} deletions are noted that were made`]),
  ];
}

/** Returns everything that a user could observe, with every sealed value opened and every count recomputed. */
export function describeState(data: string): {
  rows: Set<string>;
  threads: number;
  announced: number;
  faults: string[];
} {
  const platform = openPlatform({ config: loadConfig({ data_dir: data, env: {} }), clock: systemClock });
  const mailbox = createMailbox(platform);
  const { sql } = platform.db;
  const account = mailbox.accounts.list().find(({ provider }) => provider === "imap")!;
  const folders = new Map(mailbox.folders.list(account).map((folder) => [folder.id, folder.path]));
  const scope = { user_id: account.user_id, account_id: null };
  const faults: string[] = [];
  const rows = new Set<string>();
  const indexed = hashIndex(platform, account.user_id, NOT_STORED);
  const locations = sql
    .query<{ folder_id: string; uid: number; message_id: string; n: number; unread: number }, [string]>(
      "SELECT l.*, m.n, m.unread FROM locations l JOIN messages m ON m.id = l.message_id WHERE m.account_id = ?",
    )
    .all(account.id);
  for (const at of locations) {
    const { head, starred, category } = mailbox.messageQueries.get(scope, at.message_id);
    const place = `${folders.get(at.folder_id)}:${at.uid}`;
    const state = [at.unread, starred, category, indexed.get(at.n)];
    const row = [place, head.message_id, head.subject, ...state, fingerprintOf(mailbox, account, at.message_id)].join(
      " | ",
    );
    if (rows.has(row)) faults.push(`twice: ${row}`);
    rows.add(row);
  }
  const count = (query: string) => sql.query<{ c: number }, [string]>(query).get(account.id)!.c;
  const messages = count("SELECT count(*) AS c FROM messages WHERE account_id = ?");
  const threads = count("SELECT count(*) AS c FROM threads WHERE account_id = ?");
  const counted = count("SELECT sum(message_count) AS c FROM threads WHERE account_id = ?");
  if (messages !== rows.size) faults.push(`${messages} messages, of which ${rows.size} have a location`);
  if (counted !== messages) faults.push(`threads count ${counted} messages of ${messages}`);
  const bodies = sql.query<{ c: number }, []>(
    "SELECT count(*) AS c FROM messages m LEFT JOIN bodies b ON b.n = m.n WHERE b.n IS NULL",
  );
  if (bodies.get()!.c > 0) faults.push("a message has no body");
  const announced = sql
    .query<{ c: number }, [string]>("SELECT count(*) AS c FROM events WHERE user_id = ? AND type = 'message.received'")
    .get(account.user_id)!.c;
  platform.close();
  return { rows, threads, announced, faults };
}
