import { Database } from "bun:sqlite";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createMailbox } from "../../src/mailbox/mailbox.ts";
import { legacyIndexRemains } from "../../src/mailbox/search/legacy.ts";
import { parseQuery } from "../../src/mailbox/search/query.ts";
import { Snapshots } from "../../src/mailbox/search/segments/snapshot.ts";
import { BlockCache } from "../../src/mailbox/search/segments/store.ts";
import { openTexts } from "../../src/mailbox/search/texts.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { loadConfig } from "../../src/platform/config/load.ts";
import { openPlatform, type Platform } from "../../src/platform/platform.ts";
import { tokensOf } from "../attack/old-index.ts";

const PACKED = join(import.meta.dir, "../fixtures/folder-0.1.json.zst");

/** The mailboxes of the folder: Ada is the owner, Bo a member; both have a sample mailbox and an imported one. */
const MAILBOXES = [
  { who: "ada", email: "ada@example.org", sandbox: false, messages: 120 },
  { who: "sample", email: "ada@example.org", sandbox: true, messages: 12 },
  { who: "bo", email: "bo@example.org", sandbox: false, messages: 30 },
  { who: "test", email: "bo@example.org", sandbox: true, messages: 2 },
];

/**
 * Writes a data folder as version 0.1.0 left it, with its write-ahead log and its key. Message i of a mailbox has the
 * word "letter<who><i>", and every tenth an attached list with "enclosed<who><i>".
 */
export function writeFolderOfVersion01(folder: string): void {
  const files = JSON.parse(Buffer.from(Bun.zstdDecompressSync(readFileSync(PACKED))).toString()) as Record<
    string,
    string
  >;
  for (const [name, bytes] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, Buffer.from(bytes, "base64"), { mode: 0o600 });
  }
}

/** Returns all tokens of the index of version 0.1. Opening the database may change its files. */
export function oldTokens(folder: string): string[] {
  const sql = new Database(join(folder, "postroom.db"));
  try {
    return [...new Set(tokensOf(sql))];
  } finally {
    sql.close();
  }
}

/** Progress of the upgrade of a folder. */
export interface UpgradeState {
  /** Messages that wait to be indexed; null before the migration. */
  queued: number | null;
  /** Messages with attachments that are not yet indexed. */
  files: number;
  /** Segments that are being built, and those that were replaced. */
  building: number;
  sweeping: number;
  /** Progress of the removal of the old index; null before it starts and after it ends. */
  step: string | null;
  done: boolean;
}

/** Reads the progress of the upgrade of a folder, also while a server works on it. */
export function upgradeState(folder: string): UpgradeState {
  const sql = new Database(join(folder, "postroom.db"), { readonly: true });
  // The first connection after a kill recovers the log.
  sql.run("PRAGMA busy_timeout = 10000");
  try {
    const has = (table: string) => sql.query("SELECT 1 FROM sqlite_schema WHERE name = ?").get(table) !== null;
    const count = (of: string) => sql.query<{ c: number }, []>(`SELECT count(*) AS c FROM ${of}`).get()!.c;
    if (!has("search_queue")) return { queued: null, files: 0, building: 0, sweeping: 0, step: null, done: false };
    const [queued, files] = [count("search_queue"), count("file_texts WHERE state = 'waiting'")];
    const segments = (state: string) => count(`search_segments WHERE state = '${state}'`);
    const [building, sweeping] = [segments("building"), segments("replaced")];
    const step = has("index_removal")
      ? (sql.query<{ step: string }, []>("SELECT step FROM index_removal WHERE n = 0").get()?.step ?? null)
      : null;
    return {
      queued,
      files,
      building,
      sweeping,
      step,
      done: queued === 0 && files === 0 && !legacyIndexRemains({ sql }),
    };
  } finally {
    sql.close();
  }
}

/**
 * Deletes a message of version 0.1, beside a server that upgrades the folder, or before it restarts.
 * @param at 0 to 1: position among the remaining messages @returns the words that no search may find from now on
 */
export function deleteOne(folder: string, at: number): string[] {
  const platform = openPlatform({ config: loadConfig({ data_dir: folder, env: {} }), clock: systemClock });
  try {
    const { threads } = createMailbox(platform);
    return platform.db.write(() => {
      const rows = platform.db.sql
        .query<{ n: number; user_id: string }, []>("SELECT n, user_id FROM messages ORDER BY n")
        .all();
      const { n, user_id } = rows[Math.floor(at * rows.length)]!;
      const [message] = openTexts(platform, user_id, [n]);
      platform.db.sql.query("DELETE FROM locations WHERE message_id = ?").run(message!.id);
      platform.db.sql.query("DELETE FROM messages WHERE n = ?").run(n);
      threads.refresh(message!.thread_id);
      const words = message!.text.match(/\bletter[a-z]+\d+\b/g) ?? [];
      return words.flatMap((word) => [word, word.replace("letter", "enclosed")]);
    });
  } finally {
    platform.close();
  }
}

/**
 * Returns which mail of version 0.1 is not found, or is indexed more than once; empty when all is correct.
 * @param gone words of messages that were deleted
 */
export function lostInUpgrade(folder: string, gone: ReadonlySet<string> = new Set()): string[] {
  const platform = openPlatform({ config: loadConfig({ data_dir: folder, env: {} }), clock: systemClock });
  try {
    return MAILBOXES.flatMap(({ who, email, sandbox, messages }) => {
      const person = platform.users.findByEmail(email)!;
      const user_id = sandbox ? platform.users.sandboxOf(person.id).id : person.id;
      return lostOf(platform, user_id, who, messages, gone);
    });
  } finally {
    platform.close();
  }
}

function lostOf(
  platform: Platform,
  user_id: string,
  who: string,
  messages: number,
  gone: ReadonlySet<string>,
): string[] {
  const { search } = createMailbox(platform);
  const found = (word: string) =>
    search.selection({ user_id, account_id: null }, parseQuery(`"${word}"`, platform.clock.now())).length;
  const words = Array.from({ length: messages }, (_, i) =>
    i % 10 === 0 ? [`letter${who}${i}`, `enclosed${who}${i}`] : [`letter${who}${i}`],
  ).flat();
  const lost = words.flatMap((word) => {
    const [times, wanted] = [found(word), gone.has(word) ? 0 : 1];
    return times === wanted ? [] : [`${word} is found ${times} times in place of ${wanted}`];
  });
  const left = words.filter((word) => word.startsWith("letter") && !gone.has(word)).length;
  const documents = new Map<number, number>();
  for (const segment of new Snapshots(platform, new BlockCache(8)).of(user_id)) {
    for (const [i, n] of segment.n.entries()) {
      if (segment.dead?.[i] !== 1) documents.set(n, (documents.get(n) ?? 0) + 1);
    }
  }
  const twice = [...documents].filter(([, count]) => count > 1).map(([n]) => `message ${n} is in the index twice`);
  return [...lost, ...twice, ...(documents.size < left ? [`${who}: only ${documents.size} are in the index`] : [])];
}
