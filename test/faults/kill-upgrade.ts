import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { sweepFiles } from "../../src/app/sweep.ts";
import { createMailbox } from "../../src/mailbox/mailbox.ts";
import { createOutbound } from "../../src/outbound/outbound.ts";
import { PartCache } from "../../src/platform/blobs/cache.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { loadConfig } from "../../src/platform/config/load.ts";
import { openPlatform } from "../../src/platform/platform.ts";
import { tokensLeft } from "../attack/old-index.ts";
import { asLines, checkInvariants } from "../invariants/check.ts";
import {
  deleteOne,
  lostInUpgrade,
  oldTokens,
  type UpgradeState,
  upgradeState,
  writeFolderOfVersion01,
} from "../support/old-folder.ts";
import { between, type Campaign } from "./campaign.ts";

/**
 * The first start on a data folder of version 0.1, killed (-9) again and again while it copies and migrates the
 * database, indexes the mail again and removes the old index, and while mail is deleted, must end as an undisturbed
 * upgrade does: all remaining mail is found, once, deleted mail is not, and there is no trace of the old index.
 */

const MAIN = resolve(import.meta.dir, "../../src/main.ts");
const SMALL_INDEX = resolve(import.meta.dir, "small-index.ts");
/** Kills before the migration is over, for each folder. */
const STARTS = 6;
/** Time without change after which to stop waiting for a state. */
const STALLED_MS = 60_000;
/** Longest time from its moment to a kill. */
const MOMENT_MS = 25;
/** Shortest time of the copy, and of the migration after it. */
const COPY_MS = 12;
/** One in this many of the moments in which mail is indexed sees a message deleted. */
const DELETED_SHARE = 0.5;

/** The moments, in the order in which the work reaches them. @param share of the messages that are still queued, 0 to 1 */
function moments(random: () => number): Mark[] {
  const queued = (share: number) => (state: UpgradeState, all: number) =>
    state.done || (state.queued !== null && state.queued <= all * share);
  const indexing = Array.from({ length: 5 }, () => random()).toSorted((a, b) => b - a);
  const migrated = (state: UpgradeState) => state.queued !== null;
  const removing = ({ step, done }: UpgradeState) => step !== null || done;
  const [first, second, ...others] = indexing.map(queued);
  return [
    migrated,
    (state, all) => first!(state, all) && (state.building > 0 || state.queued === 0),
    (state, all) => second!(state, all) && (state.sweeping > 0 || state.queued === 0),
    ...others,
    (state) => state.queued === 0 && (state.files === 0 || state.done),
    removing,
    removing,
  ];
}

const FIGURES = {
  kills: 0,
  before_the_end: 0,
  /** Kills after which the database was still that of 0.1, and those of them with a finished or partial copy. */
  before_the_migration: 0,
  in_the_copy: 0,
  /** Kills that interrupted a segment being built, or left a replaced one. */
  in_the_index: 0,
  deleted: 0,
  folders: 0,
};

export const killUpgrade: Campaign = async ({ short, random, say }) => {
  const root = mkdtempSync(join(tmpdir(), "postroom-kill-upgrade-"));
  const figures = { ...FIGURES, folders: short ? 1 : 5 };
  const misses: string[] = [];
  try {
    const original = join(root, "original");
    writeFolderOfVersion01(original);
    const read = join(root, "read");
    cpSync(original, read, { recursive: true });
    const tokens = oldTokens(read);
    const migrationMs = await timeOfMigration(read);
    for (let i = 0; i < figures.folders; i++) {
      const data = join(root, `data-${i}`);
      cpSync(original, data, { recursive: true });
      const gone = new Set<string>();
      const note = (state: UpgradeState, made: number) => {
        figures.kills++;
        if (!state.done) figures.before_the_end++;
        if (state.queued === null) figures.before_the_migration++;
        if (state.queued === null && copiesOf(data).length > made) figures.in_the_copy++;
        if (state.building + state.sweeping > 0) figures.in_the_index++;
      };
      for (let kill = 0; kill < STARTS; kill++) {
        const made = copiesOf(data).length;
        if (kill % 2 === 0) note(await killAtStart(data, migrationMs * random()), made);
        else note(await killAtCopy(data, between(random, 0, COPY_MS)), made);
      }
      for (const mark of moments(random)) {
        await during(data, mark, between(random, 0, MOMENT_MS), (state) => {
          if (state.queued === null || state.done || random() > DELETED_SHARE) return;
          for (const word of deleteOne(data, random())) gone.add(word);
          figures.deleted++;
        });
        note(upgradeState(data), 0);
      }
      await during(data, ({ done }) => done);
      misses.push(...lostInUpgrade(data, gone), ...(await findingsOf(data)));
      const left = tokensLeft(join(data, "postroom.db"), tokens);
      if (left > 0) misses.push(`${left} pieces of tokens of the old index are left`);
      const unfinished = copiesOf(data).filter((name) => !name.endsWith(".db"));
      if (unfinished.length > 0) misses.push(`${unfinished.join(", ")} left in upgrades/`);
      say(`folder ${i + 1} of ${figures.folders}: ${misses.length} misses so far`);
    }
    if (figures.before_the_end < figures.kills / 2)
      misses.push(`only ${figures.before_the_end} of ${figures.kills} kills met the upgrade`);
    for (const what of ["before_the_migration", "in_the_copy", "in_the_index", "deleted"] as const)
      if (!short && figures[what] === 0) misses.push(`no kill ${what}`);
    return { figures, misses };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
};

type Mark = (state: UpgradeState, all: number) => boolean;

/** Upgrades a folder. @returns how long a start takes until the database is migrated, ms */
async function timeOfMigration(data: string): Promise<number> {
  const began = performance.now();
  await during(data, ({ queued }) => queued !== null);
  return performance.now() - began;
}

/** Kills a server this long after its start, or when the database is migrated, if that is earlier. */
async function killAtStart(data: string, ms: number): Promise<UpgradeState> {
  const began = performance.now();
  await during(data, ({ queued }) => queued !== null || performance.now() - began > ms);
  return upgradeState(data);
}

/** Kills a server this long after it began to copy the database, which it does before the migration. */
async function killAtCopy(data: string, then_ms: number): Promise<UpgradeState> {
  const made = copiesOf(data).length;
  if (upgradeState(data).queued !== null) return killAtStart(data, 0);
  const server = serve(data);
  const began = performance.now();
  // Polls without a pause: the copy takes a few milliseconds.
  while (copiesOf(data).length === made && performance.now() - began < STALLED_MS) await Bun.sleep(0);
  await Bun.sleep(then_ms);
  server.kill("SIGKILL");
  await server.exited;
  return upgradeState(data);
}

function copiesOf(data: string): string[] {
  try {
    return readdirSync(join(data, "upgrades"));
  } catch {
    return [];
  }
}

/** Checks the invariants. Every start removes files that no row names. */
async function findingsOf(data: string): Promise<string[]> {
  const platform = openPlatform({ config: loadConfig({ data_dir: data, env: {} }), clock: systemClock });
  try {
    const mailbox = createMailbox(platform);
    await sweepFiles(platform, mailbox, createOutbound(platform, mailbox), new PartCache(platform));
    return asLines((await checkInvariants(platform)).findings);
  } finally {
    platform.close();
  }
}

function serve(data: string): Bun.Subprocess {
  return Bun.spawn([process.execPath, "--preload", SMALL_INDEX, MAIN, "serve", "--data", data, "--port", "0"], {
    stdout: "ignore",
    stderr: "ignore",
    env: { PATH: "/usr/bin:/bin", HOME: data },
  });
}

/**
 * Serves until a state is reached and a moment longer, and kills the server. @throws when nothing progresses any more
 * @param then called when the state is reached
 */
async function during(
  data: string,
  reached: Mark,
  then_ms = 0,
  then: (state: UpgradeState) => void = () => {},
): Promise<void> {
  const server = serve(data);
  try {
    let all: number | null = null;
    let moved = { at: performance.now(), state: "" };
    for (;;) {
      const state = upgradeState(data);
      all ??= state.queued;
      if (reached(state, all ?? 0)) {
        then(state);
        break;
      }
      if (server.exitCode !== null) throw new Error(`the server ended with ${server.exitCode}`);
      const seen = JSON.stringify(state);
      if (seen !== moved.state) moved = { at: performance.now(), state: seen };
      if (performance.now() - moved.at > STALLED_MS) throw new Error(`the upgrade is stuck at ${seen}`);
      await Bun.sleep(1);
    }
    await Bun.sleep(then_ms);
  } finally {
    server.kill("SIGKILL");
    await server.exited;
  }
}
