import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { sweepFiles } from "../../src/app-sweep.ts";
import { createMailbox } from "../../src/mailbox/mailbox.ts";
import { repairIndex } from "../../src/mailbox/search/repair.ts";
import { createOutbound } from "../../src/outbound/outbound.ts";
import { PartCache } from "../../src/platform/blobs/cache.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { loadConfig } from "../../src/platform/config/load.ts";
import { openPlatform, type Platform } from "../../src/platform/platform.ts";
import { spamAssassin } from "../corpus.ts";
import { DOVECOT, type Dovecot, startDovecot } from "../dovecot.ts";
import { hashIndex } from "../index-content.ts";
import { asLines, checkInvariants } from "../invariants/check.ts";
import { compareWithServer } from "../invariants/server.ts";
import type { Campaign } from "./campaign.ts";
import { saidBy } from "./said.ts";

/**
 * A first sync whose process is killed (-9) again and again must end in the same state as one that nobody disturbed:
 * nothing lost, nothing twice, nothing announced. The same of the full-text index, which is built again then, from the stored
 * text, under further kills.
 */

const ROOT = resolve(import.meta.dir, "../..");

export interface KillReport {
  kills: number;
  /** Those that met a sync which had not come to its end. */
  in_the_middle: number;
  /** Those that met a segment of the full-text index being built, and those that met mail being indexed again. */
  in_the_index: number;
  in_reindexing: number;
  messages: number;
  threads: number;
  /** Differences to the undisturbed sync; empty when all is well. */
  differences: string[];
}

/** Of the kills. */
const IN_THE_MIDDLE = 0.75;
/** Of those in the middle, as many wait for a segment of the full-text index that is being built. */
const IN_THE_INDEX = 0.5;
/** Kills while mail is indexed again, as a share of the others. */
const REINDEXING = 0.3;
/** Built with text that is not stored: of attachments, and of a header. */
const NOT_STORED = ["file_text", "delivered_to"] as const;
/** Of fewer kills than this, chance decides how many meet a sync. */
const MANY = 10;
/** How long after the goal a kill comes, at most, and how long after the start where there is no goal. */
const MOMENT_MS = 40;
const START_MS = 1_500;
/** A sync that has stored nothing more for so long does not go on; a busy machine takes long, and goes on. */
const STALLED_MS = 120_000;

/** @param random 0–1, decides the moments of the kills */
export async function killSyncCampaign(kills: number, messages: number, random: () => number): Promise<KillReport> {
  const folder = mkdtempSync(join(tmpdir(), "postroom-kill-sync-"));
  const dovecot = await startDovecot();
  try {
    load(dovecot, messages);
    const calm = join(folder, "calm");
    const stormy = join(folder, "stormy");
    for (const data of [calm, stormy]) await connect(data, dovecot);
    const storm = async () => {
      const spread = Math.round(kills * IN_THE_MIDDLE);
      const hit = { sync: 0, index: 0, reindexing: 0 };
      for (let i = 0; i < kills; i++) {
        // Most of them in the middle of the work, each a little further on; the others while it starts.
        const goal = i < spread ? (messages * (i + random())) / spread : 0;
        const building = goal > 0 && random() < IN_THE_INDEX;
        const moment = random() * (goal > 0 ? MOMENT_MS : START_MS);
        const met = await killAt(stormy, { stored: goal, building }, building ? 0 : moment);
        if (met.sync) hit.sync++;
        if (met.index) hit.index++;
      }
      await syncToEnd(stormy);
      rebuild(stormy);
      const more = Math.ceil(kills * REINDEXING);
      for (let i = 0; i < more; i++) {
        const queued = messages * (1 - (i + random()) / (more + 1));
        if ((await killAt(stormy, { queued }, random() * MOMENT_MS)).reindexing) hit.reindexing++;
      }
      await syncToEnd(stormy);
      return hit;
    };
    const [undisturbed, disturbed] = await Promise.allSettled([syncToEnd(calm), storm()]);
    for (const end of [undisturbed, disturbed]) if (end.status === "rejected") throw end.reason;
    const hit = disturbed.status === "fulfilled" ? disturbed.value : { sync: 0, index: 0, reindexing: 0 };
    const [expected, found] = [describeState(calm), describeState(stormy)];
    const differences = [
      ...[...expected.rows].filter((row) => !found.rows.has(row)).map((row) => `missing: ${row}`),
      ...[...found.rows].filter((row) => !expected.rows.has(row)).map((row) => `too much: ${row}`),
      ...(found.threads === expected.threads ? [] : [`threads: ${found.threads} instead of ${expected.threads}`]),
      ...(found.announced === 0 ? [] : [`history was announced ${found.announced} times`]),
      ...found.faults,
      ...(kills >= MANY && hit.sync < kills / 3 ? [`only ${hit.sync} of ${kills} kills met a sync`] : []),
      ...(kills >= MANY && hit.index === 0 ? ["no kill met a segment that was being built"] : []),
      ...(kills >= MANY && hit.reindexing === 0 ? ["no kill met mail that was indexed again"] : []),
      ...(await asOnServer(stormy, dovecot)),
    ];
    return {
      kills,
      in_the_middle: hit.sync,
      in_the_index: hit.index,
      in_reindexing: hit.reindexing,
      messages: found.rows.size,
      threads: found.threads,
      differences,
    };
  } finally {
    await dovecot.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function load(dovecot: Dovecot, messages: number): void {
  const corpus = spamAssassin(messages);
  const half = Math.floor(corpus.length / 2);
  // History: older than the connection, so that none of it is new mail.
  const date = new Date("2020-01-01T00:00:00Z");
  dovecot.loadMaildir(
    "alice",
    "INBOX",
    corpus.slice(0, half).map(({ raw }) => ({ raw, date, flags: "S" })),
  );
  dovecot.loadMaildir(
    "alice",
    "Archive",
    corpus.slice(half).map(({ raw }) => ({ raw, date })),
  );
}

async function connect(data: string, dovecot: Dovecot): Promise<void> {
  const platform = openPlatform({ config: loadConfig({ data_dir: data, env: {} }), clock: systemClock });
  const user = platform.users.add({ email: "owner@localhost", plan: "autopilot", role: "owner", timezone: "UTC" });
  createMailbox(platform).accounts.add({
    user_id: user.id,
    provider: "imap",
    email: "alice@mail.test",
    connection: {
      imap: { host: "127.0.0.1", port: dovecot.imapPort, security: "none" },
      smtp: null,
      ...dovecot.logins.alice,
    },
  });
  platform.close();
}

function serve(data: string): Bun.Subprocess {
  const preload = join(import.meta.dir, "small-index.ts");
  const main = join(ROOT, "src/main.ts");
  return Bun.spawn([process.execPath, "--preload", preload, main, "serve", "--data", data, "--port", "0"], {
    stdout: "ignore",
    stderr: "ignore",
    env: { PATH: "/usr/bin:/bin", HOME: data },
  });
}

/** When a kill is due. */
interface Goal {
  /** Messages that are stored. */
  stored?: number;
  /** And then, that a segment is being built. */
  building?: boolean;
  /** Messages that wait to be indexed again, at most. */
  queued?: number;
}

/** Kills a server when it has come so far, and a moment later. @returns what was not over then */
async function killAt(
  data: string,
  { stored = 0, building = false, queued = Number.POSITIVE_INFINITY }: Goal,
  then_ms: number,
): Promise<{ sync: boolean; index: boolean; reindexing: boolean }> {
  const server = serve(data);
  try {
    await during(data, server, (now) => {
      if (now.live && queued === Number.POSITIVE_INFINITY) return true;
      return now.stored >= stored && now.queued <= queued && (!building || now.building > 0);
    });
    if (then_ms > 0) await Bun.sleep(then_ms);
  } finally {
    server.kill(9);
    await server.exited;
  }
  const platform = openPlatform({ config: loadConfig({ data_dir: data, env: {} }), clock: systemClock });
  const now = lookAt(platform)();
  platform.close();
  return { sync: !now.live, index: now.building > 0, reindexing: now.queued > 0 };
}

/** Deletes the index and queues all mail to be indexed again, as an upgrade or damage does. */
function rebuild(data: string): void {
  const platform = openPlatform({ config: loadConfig({ data_dir: data, env: {} }), clock: systemClock });
  const { accounts, fullText } = createMailbox(platform);
  const { user_id } = accounts.list().find(({ provider }) => provider === "imap")!;
  fullText.drop(user_id);
  repairIndex(platform, user_id, []);
  platform.close();
}

/** Lets a server finish the first sync, and index what is queued. */
async function syncToEnd(data: string): Promise<void> {
  const server = serve(data);
  try {
    await during(data, server, ({ live, queued }) => live && queued === 0);
  } finally {
    server.kill();
    await server.exited;
  }
}

interface Progress {
  stored: number;
  /** The first sync is over. */
  live: boolean;
  /** Messages that wait to be indexed again. */
  queued: number;
  /** Segments that are being built. */
  building: number;
}

function lookAt({ db }: Pick<Platform, "db">): () => Progress {
  const look = db.sql.query<Omit<Progress, "live"> & { live: number }, []>(
    `SELECT a.sync_phase = 'live' AS live, (SELECT count(*) FROM messages WHERE account_id = a.id) AS stored,
       (SELECT count(*) FROM search_queue WHERE account_id = a.id) AS queued,
       (SELECT count(*) FROM search_segments WHERE user_id = a.user_id AND state = 'building') AS building
     FROM accounts a WHERE a.provider = 'imap'`,
  );
  return () => {
    const { live, ...rest } = look.get()!;
    return { ...rest, live: live === 1 };
  };
}

/** Waits for a state of the sync. @throws when the server ends before, or nothing moves any more */
async function during(data: string, server: Bun.Subprocess, reached: (progress: Progress) => boolean): Promise<void> {
  const platform = openPlatform({ config: loadConfig({ data_dir: data, env: {} }), clock: systemClock });
  const look = lookAt(platform);
  let moved = { at: performance.now(), state: "" };
  try {
    for (;;) {
      const now = look();
      if (reached(now)) return;
      if (server.exitCode !== null) throw new Error(`the server ended with ${server.exitCode}`);
      const state = `${now.stored} messages, ${now.queued} to be indexed`;
      if (state !== moved.state) moved = { at: performance.now(), state };
      if (performance.now() - moved.at > STALLED_MS) throw new Error(`the sync has come to a stop at ${state}`);
      await Bun.sleep(2);
    }
  } finally {
    platform.close();
  }
}

/** The invariants of a data folder, and each message of it compared with the server's. */
async function asOnServer(data: string, dovecot: Dovecot): Promise<string[]> {
  const platform = openPlatform({ config: loadConfig({ data_dir: data, env: {} }), clock: systemClock });
  const mailbox = createMailbox(platform);
  const account = mailbox.accounts.list().find(({ provider }) => provider === "imap")!;
  // As every start does: a sample message is on the disk before its commit. The last server had no time for it, if there was
  // nothing left to sync.
  await sweepFiles(platform, mailbox, createOutbound(platform, mailbox), new PartCache(platform));
  const { findings } = await checkInvariants(platform);
  const compared = await compareWithServer(platform, account, await dovecot.connect("alice"), { flags: true });
  platform.close();
  return asLines([...findings, ...compared.findings]);
}

/** What a user could tell apart, with every sealed value opened and every count recounted. */
function describeState(data: string): { rows: Set<string>; threads: number; announced: number; faults: string[] } {
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
    const row = [place, head.message_id, head.subject, ...state, saidBy(mailbox, account, at.message_id)].join(" | ");
    if (rows.has(row)) faults.push(`twice: ${row}`);
    rows.add(row);
  }
  const count = (query: string) => sql.query<{ c: number }, [string]>(query).get(account.id)!.c;
  const messages = count("SELECT count(*) AS c FROM messages WHERE account_id = ?");
  const threads = count("SELECT count(*) AS c FROM threads WHERE account_id = ?");
  const counted = count("SELECT sum(message_count) AS c FROM threads WHERE account_id = ?");
  if (messages !== rows.size) faults.push(`${messages} messages lie in ${rows.size} places`);
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

/** Fifty moments over the whole corpus; in short form three over 150 messages. */
export const killSync: Campaign = async ({ short, random }) => {
  if (!DOVECOT) return { skipped: "Debian's dovecot-imapd is not installed" };
  const { differences, ...figures } = await killSyncCampaign(short ? 3 : 50, short ? 150 : 6046, random);
  return { figures, misses: differences };
};
