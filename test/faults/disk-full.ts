import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MAINTENANCE_JOB, queueIndexWork } from "../../src/app/fulltext.ts";
import { DOVECOT } from "../support/dovecot.ts";
import { between, type Campaign } from "./campaign.ts";
import { type Installation, openInstallation, Workload } from "./installation.ts";
import { live } from "./served.ts";

/** Size of the disk that is filled. */
const DISK_MB = 96;
const ROUNDS = { short: 3, full: 30 };
const ACTS = 8;
/**
 * The server frees space, too, by emptying its log: a disk with this much more free space than intended still counts as
 * full.
 */
const NEARLY_BYTES = 262_144;
const MOSTLY = 0.6;
/** The index is rewritten without deleted mail at some moment right after the disk is full. */
const INDEX_WORK_MS = 300;
/** The server sees jobs that another process queues after this time at the latest. */
const POLL_MS = 1_000;
/** How often the write-ahead log is truncated before the disk is filled. */
const CUT_SHARE = 0.7;
/**
 * How often it is restarted while the disk is full: it then determines the state of messages in progress, for a minute.
 */
const START_SHARE = 0.2;

/**
 * A separate disk that fills up at random moments, to the last bytes or nearly so, and has free space again later: the
 * server keeps running, reports what it cannot do, and then resumes normally.
 */
export const diskFullCampaign: Campaign = async ({ short, random, say }) => {
  if (!DOVECOT) return { skipped: "Debian's dovecot-imapd is not installed" };
  const disk = mountDisk();
  if (!disk) return { skipped: "only root can mount a small file system here" };
  const data_dir = join(disk.path, "data");
  mkdirSync(data_dir, { mode: 0o700 });
  const installation = await openInstallation({ data_dir });
  let fullTimes = 0;
  let starts_on_full = 0;
  let removed = 0;
  try {
    let served = await installation.serve({ smallIndex: true });
    const workload = new Workload(installation, served, random);
    await live(installation.folder);
    await workload.subscribe();
    const rounds = short ? ROUNDS.short : ROUNDS.full;
    for (let i = 0; i < rounds && served.exit_code === null; i++) {
      for (let n = 0; n < ACTS / 2; n++) await workload.anything();
      // A third each: not a byte, a few pages, a little more.
      const left = [0, between(random, 4_096, 65_536), between(random, 65_536, 1_500_000)][i % 3]!;
      makeIndexWorkDue(installation, between(random, 0, INDEX_WORK_MS));
      // A log that has been emptied and kept its size accepts megabytes even when the disk is full.
      const isCut = random() < CUT_SHARE;
      if (isCut) installation.folder.platform.db.sql.run("PRAGMA wal_checkpoint(TRUNCATE)");
      const free = disk.fill(left);
      if (disk.free() <= left + NEARLY_BYTES) fullTimes++;
      // The index gets the little space first.
      if (isCut) await Bun.sleep(INDEX_WORK_MS + POLL_MS);
      if (await removeOldest(installation)) removed++;
      for (let n = 0; n < ACTS; n++) await workload.anything();
      await Bun.sleep(between(random, 100, 1_500));
      if (!short && random() < START_SHARE) {
        starts_on_full++;
        const code = await served.stop();
        if (code !== 0) workload.misses.push(`the server on a full disk ended with ${code}`);
        // The server serves, or reports why it cannot.
        const started = await installation.serve({ smallIndex: true }).catch((error: Error) => {
          if (!/the disk is full/i.test(error.message)) workload.misses.push(error.message);
          return null;
        });
        free();
        served = started ?? (await installation.serve({ smallIndex: true }));
        workload.served = served;
      }
      free();
      say(`round ${i + 1} of ${rounds}: ${left} bytes left, ${workload.refused} refusals so far`);
    }
    if (fullTimes < rounds * MOSTLY) workload.misses.push(`the disk was full ${fullTimes} times in ${rounds} rounds`);
    if (!short && workload.refused === 0) workload.misses.push("nothing was refused: the disk was never too full");
    await workload.settle();
    const code = await served.stop();
    if (code !== 0) workload.misses.push(`the server ended with ${code}: ${served.log().slice(-600)}`);
    const { messages, sends } = await workload.judge();
    const index = workOnIndex(installation);
    if (!short && index.segments === 0) workload.misses.push("no segment of the full-text index was built");
    if (!short && index.upkeep_failed === 0) workload.misses.push("no work on the full-text index met a full disk");
    if (workload.misses.length > 0) say(served.log().slice(-2_000));
    return {
      figures: {
        times_full: fullTimes,
        starts_on_full,
        requests: workload.requests,
        refused: workload.refused,
        removed,
        ...index,
        messages,
        sends,
      },
      misses: workload.misses,
    };
  } finally {
    await installation.close();
    disk.remove();
  }
};

/**
 * Removes a message of the history as another program would, as long as there is one. @returns whether there was one
 */
async function removeOldest({ dovecot }: Installation): Promise<boolean> {
  const client = await dovecot.connect("alice");
  await client.mailboxOpen("INBOX");
  const [oldest] = (await client.search({ subject: "Old " }, { uid: true })) || [];
  if (oldest !== undefined) await client.messageDelete(String(oldest), { uid: true });
  client.close();
  return oldest !== undefined;
}

/** Removes deleted mail from the index, which usually happens twelve hours later. */
function makeIndexWorkDue({ folder }: Installation, inMs: number): void {
  const { platform } = folder;
  platform.db.write(() => {
    queueIndexWork(platform);
    platform.db.sql
      .query("UPDATE jobs SET run_at = ? WHERE kind = ? AND state = 'pending'")
      .run(platform.clock.now() + inMs, MAINTENANCE_JOB);
  });
}

/** Returns how many segments were begun, and how much of the work on them failed. */
function workOnIndex({ folder }: Installation): { segments: number; upkeep_failed: number } {
  const count = (query: string) => folder.platform.db.sql.query<{ c: number }, []>(query).get()?.c ?? 0;
  return {
    segments: count("SELECT seq AS c FROM sqlite_sequence WHERE name = 'search_segments'"),
    upkeep_failed: count(
      `SELECT count(*) AS c FROM job_attempts a JOIN jobs j ON j.id = a.job_id
       WHERE j.kind = '${MAINTENANCE_JOB}' AND a.outcome IS NOT 'done'`,
    ),
  };
}

interface Disk {
  path: string;
  /** Returns how many more bytes can be written. */
  free(): number;
  /** Fills the disk up to this many free bytes. @returns a function that frees the space */
  fill(leftBytes: number): () => void;
  remove(): void;
}

/** Mounts a small file system in memory; null where it cannot be mounted. */
export function mountDisk(): Disk | null {
  const path = mkdtempSync(join(tmpdir(), "postroom-disk-"));
  const { exitCode } = Bun.spawnSync(["mount", "-t", "tmpfs", "-o", `size=${DISK_MB}m,mode=0755`, "tmpfs", path], {
    stderr: "ignore",
  });
  if (exitCode !== 0) {
    rmSync(path, { recursive: true });
    return null;
  }
  return {
    path,
    free() {
      const { bavail, bsize } = statfsSync(path);
      return bavail * bsize;
    },
    fill(leftBytes) {
      const ballast = join(path, "ballast");
      // The server writes at the same time, so fill a little at a time until nothing more fits.
      for (let piece = 0; ; piece++) {
        const { bavail, bsize } = statfsSync(path);
        const freeBytes = bavail * bsize - leftBytes;
        if (freeBytes < bsize) break;
        try {
          writeFileSync(`${ballast}.${piece}`, Buffer.alloc(freeBytes));
        } catch {
          if (leftBytes === 0) break;
        }
        if (piece > 20) break;
      }
      return () => {
        for (let piece = 0; piece <= 21; piece++) rmSync(`${ballast}.${piece}`, { force: true });
      };
    },
    remove() {
      Bun.spawnSync(["umount", "-l", path]);
      rmSync(path, { recursive: true, force: true });
    },
  };
}
