import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { MAINTENANCE_JOB, queueIndexWork, repair } from "../../src/app/fulltext.ts";
import { createMailbox } from "../../src/mailbox/mailbox.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { loadConfig } from "../../src/platform/config/load.ts";
import { openPlatform, type Platform } from "../../src/platform/platform.ts";
import { spamAssassin } from "../support/corpus.ts";
import { DOVECOT, type Dovecot, startDovecot } from "../support/dovecot.ts";
import { type Campaign, pick } from "./campaign.ts";
import { asOnServer, describeState } from "./synced-state.ts";

/**
 * A first sync whose process is killed (-9) again and again must end in the same state as an undisturbed one: nothing
 * lost, nothing duplicated, nothing announced. The same holds for the later parts under further kills: another program
 * deletes a third of the mail, the full-text index is rewritten without it, and is rebuilt from the stored text, as
 * after damage.
 */

const ROOT = resolve(import.meta.dir, "../..");
const FOLDERS = ["INBOX", "Archive"];

/** Kills that interrupted unfinished work, by kind of work. */
const HITS = {
  /** The first sync. */
  in_the_middle: 0,
  /** A segment of the full-text index being built; one with some of its blocks stored; a replaced one being deleted. */
  in_the_index: 0,
  in_merges: 0,
  in_sweeps: 0,
  /** Deleted mail: still here; out of the index, with its text still in it. */
  in_deletions: 0,
  in_compaction: 0,
  /** Mail waiting to be indexed again. */
  in_reindexing: 0,
};
type Hits = typeof HITS;

export interface KillReport extends Hits {
  kills: number;
  messages: number;
  threads: number;
  /** Differences from the undisturbed sync; empty when everything is correct. */
  differences: string[];
}

/** Number of kills. */
const IN_THE_MIDDLE = 0.75;
/** This share of the kills in the middle waits for a moment of the full-text index. */
const IN_THE_INDEX = 0.7;
/** The moments that they wait for. Merges of several transactions are rare. */
const INDEX_MOMENTS = ["building", "building", "merging", "sweeping"] as const;
/** Kills of each later part, as a share of the others. */
const LATER = 0.2;
/** With fewer kills than this, chance decides how many interrupt a sync. */
const MANY = 10;
/** Longest time from the goal to a kill, and from the start where there is no goal. */
const MOMENT_MS = 40;
const START_MS = 1_500;
/** Transactions of the index take this long. */
const INDEX_MOMENT_MS = 4;
/** A sync that has stored nothing more for this long is stuck; on a busy machine it is slow, but continues. */
const STALLED_MS = 120_000;

/** @param random 0–1, determines the moments of the kills */
export async function killSyncCampaign(kills: number, messages: number, random: () => number): Promise<KillReport> {
  const folder = mkdtempSync(join(tmpdir(), "postroom-kill-sync-"));
  const dovecot = await startDovecot();
  try {
    load(dovecot, messages);
    const undisturbed = join(folder, "undisturbed");
    const killed = join(folder, "killed");
    for (const data of [undisturbed, killed]) await connect(data, dovecot);
    const killer = new Killer(killed, messages, random);
    await both(workToEnd(undisturbed), killer.sync(kills));
    const kept = messages - (await expunge(dovecot));
    const later = Math.ceil(kills * LATER);
    const remains = (now: Progress) => now.stored === kept;
    await both(workToEnd(undisturbed, remains), killer.deletions(later, kept));
    await killer.compaction(later);
    await killer.reindexing(later);
    const { hits } = killer;
    const [expected, found] = [describeState(undisturbed), describeState(killed)];
    const differences = [
      ...[...expected.rows].filter((row) => !found.rows.has(row)).map((row) => `missing: ${row}`),
      ...[...found.rows].filter((row) => !expected.rows.has(row)).map((row) => `too much: ${row}`),
      ...(found.threads === expected.threads ? [] : [`threads: ${found.threads} instead of ${expected.threads}`]),
      ...(found.announced === 0 ? [] : [`history was announced ${found.announced} times`]),
      ...found.faults,
      ...(kills >= MANY && hits.in_the_middle < kills / 3 ? [`only ${hits.in_the_middle} of ${kills} met a sync`] : []),
      ...Object.entries(hits).flatMap(([what, times]) => (kills >= MANY && times === 0 ? [`no kill ${what}`] : [])),
      ...(await asOnServer(killed, dovecot)),
    ];
    return { kills: killer.kills, ...hits, messages: found.rows.size, threads: found.threads, differences };
  } finally {
    await dovecot.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Waits for both, also when one fails. */
async function both(...work: Promise<void>[]): Promise<void> {
  for (const end of await Promise.allSettled(work)) if (end.status === "rejected") throw end.reason;
}

/** The kills of one data folder. */
class Killer {
  readonly hits: Hits = { ...HITS };
  kills = 0;

  constructor(
    private readonly data: string,
    private readonly messages: number,
    private readonly random: () => number,
  ) {}

  /** Most kills happen in the middle of the work, each a little later; the others during a start. */
  async sync(kills: number): Promise<void> {
    const spread = Math.round(kills * IN_THE_MIDDLE);
    for (let i = 0; i < kills; i++) {
      const goal = i < spread ? (this.messages * (i + this.random())) / spread : 0;
      const part = goal > 0 && this.random() < IN_THE_INDEX ? pick(this.random, INDEX_MOMENTS) : null;
      const moment = part ? INDEX_MOMENT_MS : goal > 0 ? MOMENT_MS : START_MS;
      const left = await this.#killWhen(
        (now) => now.live || (now.stored >= goal && (part === null || now[part] > 0)),
        moment,
      );
      if (!left.live) this.hits.in_the_middle++;
    }
    await workToEnd(this.data);
  }

  /** @param kept messages that are left on the server */
  async deletions(kills: number, kept: number): Promise<void> {
    const gone = this.messages - kept;
    for (let i = 0; i < kills; i++) {
      const goal = kept + Math.floor(gone * (1 - (i + this.random()) / kills));
      const left = await this.#killWhen(({ stored }) => stored <= goal, INDEX_MOMENT_MS);
      if (left.stored > kept) this.hits.in_deletions++;
    }
    await workToEnd(this.data, (now) => now.stored === kept);
  }

  /** Makes the program rewrite the index without deleted mail now instead of twelve hours later. */
  async compaction(kills: number): Promise<void> {
    makeDue(this.data);
    const over = ({ deleted, building, sweeping }: Progress) => deleted === 0 && building === 0 && sweeping === 0;
    for (let i = 0; i < kills; i++) {
      const part = pick(this.random, INDEX_MOMENTS);
      const left = await this.#killWhen((now) => over(now) || now[part] > 0, INDEX_MOMENT_MS);
      if (left.deleted > 0) this.hits.in_compaction++;
    }
    await workToEnd(this.data, over);
  }

  /** Discards all segments, as damaged ones are. */
  async reindexing(kills: number): Promise<void> {
    giveUpSegments(this.data);
    const all = lookInto(this.data).queued;
    for (let i = 0; i < kills; i++) {
      const goal = all * (1 - (i + this.random()) / (kills + 1));
      const part = this.random() < IN_THE_INDEX ? pick(this.random, INDEX_MOMENTS) : null;
      const reached = (now: Progress) => now.queued <= goal && (now.queued === 0 || part === null || now[part] > 0);
      if ((await this.#killWhen(reached, part ? INDEX_MOMENT_MS : MOMENT_MS)).queued > 0) this.hits.in_reindexing++;
    }
    await workToEnd(this.data);
    await this.compaction(0);
  }

  /** Kills a server a moment after it has reached a state. @returns what was unfinished then */
  async #killWhen(reached: (now: Progress) => boolean, longestMs: number): Promise<Progress> {
    this.kills++;
    await serveUntil(this.data, reached, { then_ms: this.random() * longestMs, signal: "SIGKILL" });
    const left = lookInto(this.data);
    if (left.building > 0) this.hits.in_the_index++;
    if (left.merging > 0) this.hits.in_merges++;
    if (left.sweeping > 0) this.hits.in_sweeps++;
    return left;
  }
}

function load(dovecot: Dovecot, messages: number): void {
  const corpus = spamAssassin(messages);
  const half = Math.floor(corpus.length / 2);
  // History: older than the connection, so that none of it is new mail.
  const date = new Date("2020-01-01T00:00:00Z");
  const [inbox, archive] = FOLDERS as [string, string];
  dovecot.loadMaildir(
    "alice",
    inbox,
    corpus.slice(0, half).map(({ raw }) => ({ raw, date, flags: "S" })),
  );
  dovecot.loadMaildir(
    "alice",
    archive,
    corpus.slice(half).map(({ raw }) => ({ raw, date })),
  );
}

/** Deletes every third message as another program would. @returns how many */
async function expunge(dovecot: Dovecot): Promise<number> {
  const client = await dovecot.connect("alice");
  let count = 0;
  for (const folder of FOLDERS) {
    await client.mailboxOpen(folder);
    const uids = ((await client.search({ all: true }, { uid: true })) || []).filter((_, i) => i % 3 === 0);
    for (let i = 0; i < uids.length; i += 500) {
      await client.messageDelete(uids.slice(i, i + 500).join(), { uid: true });
    }
    count += uids.length;
  }
  client.close();
  return count;
}

const open = (data: string): Platform =>
  openPlatform({ config: loadConfig({ data_dir: data, env: {} }), clock: systemClock });

async function connect(data: string, dovecot: Dovecot): Promise<void> {
  const platform = open(data);
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

/** Makes pending work on the index due now. */
function makeDue(data: string): void {
  const platform = open(data);
  queueIndexWork(platform);
  platform.db.sql.query("UPDATE jobs SET run_at = 0 WHERE kind = ? AND state = 'pending'").run(MAINTENANCE_JOB);
  platform.close();
}

/** Discards every segment, as if each were damaged. */
function giveUpSegments(data: string): void {
  const platform = open(data);
  const { sql } = platform.db;
  const { user_id } = sql.query<{ user_id: string }, []>("SELECT user_id FROM accounts WHERE provider = 'imap'").get()!;
  const live = sql
    .query<{ id: number }, [string]>("SELECT id FROM search_segments WHERE user_id = ? AND state = 'live'")
    .all(user_id);
  if (!repair(platform, user_id, { segments: live.map(({ id }) => id), hasTable: false }))
    throw new Error("the index was not repaired");
  platform.close();
}

/** Lets a server finish the first sync and the queued index work, and continues until this condition holds, too. */
async function workToEnd(data: string, holds: (now: Progress) => boolean = () => true): Promise<void> {
  // Attachments wait half a minute for the end of the first sync; a start does not.
  await serveUntil(data, ({ live }) => live);
  await serveUntil(data, (now) => now.live && now.queued === 0 && now.files === 0 && holds(now));
}

interface Progress {
  stored: number;
  /** The first sync is over. */
  live: boolean;
  /** Messages that wait to be indexed again, and those whose attachments wait. */
  queued: number;
  files: number;
  /** Recorded deletions of documents in a segment. */
  deleted: number;
  /** Segments that are being built, those of them that have blocks, and those that were replaced. */
  building: number;
  merging: number;
  sweeping: number;
}

function lookAt({ db }: Pick<Platform, "db">): () => Progress {
  const segments = "SELECT count(*) FROM search_segments s WHERE user_id = a.user_id AND state";
  const look = db.sql.query<Omit<Progress, "live"> & { live: number }, []>(
    `SELECT a.sync_phase = 'live' AS live, (SELECT count(*) FROM messages WHERE account_id = a.id) AS stored,
       (SELECT count(*) FROM search_queue WHERE account_id = a.id) AS queued,
       (SELECT count(*) FROM file_texts WHERE account_id = a.id AND state = 'waiting') AS files,
       (SELECT count(*) FROM search_deleted WHERE user_id = a.user_id) AS deleted,
       (${segments} = 'building') AS building,
       (${segments} = 'building' AND EXISTS (
         SELECT 1 FROM search_blocks WHERE id >= s.id * 8388608 AND id < (s.id + 1) * 8388608)) AS merging,
       (${segments} = 'replaced') AS sweeping
     FROM accounts a WHERE a.provider = 'imap'`,
  );
  return () => {
    const { live, ...rest } = look.get()!;
    return { ...rest, live: live === 1 };
  };
}

function lookInto(data: string): Progress {
  const platform = open(data);
  const now = lookAt(platform)();
  platform.close();
  return now;
}

interface End {
  /** How long after its goal it ends. */
  then_ms?: number;
  signal?: "SIGKILL" | "SIGTERM";
}

/** Serves until a state is reached. @throws when the server ends first, or nothing progresses any more */
async function serveUntil(
  data: string,
  reached: (now: Progress) => boolean,
  { then_ms = 0, signal = "SIGTERM" }: End = {},
): Promise<void> {
  const server = serve(data);
  const platform = open(data);
  const look = lookAt(platform);
  let moved = { at: performance.now(), state: "" };
  try {
    for (;;) {
      const now = look();
      if (reached(now)) break;
      if (server.exitCode !== null) throw new Error(`the server ended with ${server.exitCode}`);
      const state = JSON.stringify(now);
      if (state !== moved.state) moved = { at: performance.now(), state };
      if (performance.now() - moved.at > STALLED_MS) throw new Error(`the server is stuck at ${state}`);
      await Bun.sleep(1);
    }
    if (then_ms > 0) await Bun.sleep(then_ms);
  } finally {
    server.kill(signal);
    await server.exited;
    platform.close();
  }
}

/** Fifty moments over the whole corpus, and ten of each later part; in short form three over 150 messages. */
export const killSync: Campaign = async ({ short, random }) => {
  if (!DOVECOT) return { skipped: "Debian's dovecot-imapd is not installed" };
  const { differences, ...figures } = await killSyncCampaign(short ? 3 : 50, short ? 150 : 6046, random);
  return { figures, misses: differences };
};
