import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { tokensLeft } from "../attack/old-index.ts";
import { lostInUpgrade, oldTokens, type UpgradeState, upgradeState, writeFolderOfVersion01 } from "../old-folder.ts";
import { between, type Campaign } from "./campaign.ts";

/**
 * The first start on a data folder of version 0.1, killed (-9) again and again while it migrates the database, indexes the mail
 * again and removes the old index, must end like one that nobody disturbed: all mail found, once, and no trace of the old index.
 */

const MAIN = resolve(import.meta.dir, "../../src/main.ts");
const KILLS = 10;
/** After so long with no change a state is not waited for any more. */
const STALLED_MS = 60_000;
/** How long after its moment a kill comes, at most; where it is to meet the start, after the process began. */
const MOMENT_MS = 25;
const START_MS = 400;

/** The moments, in the order in which the work reaches them. @param share of the messages that are still queued, 0 to 1 */
function moments(random: () => number): ((state: UpgradeState, all: number) => boolean)[] {
  const queued = (share: number) => (state: UpgradeState, all: number) =>
    state.done || (state.queued !== null && state.queued <= all * share);
  const indexing = Array.from({ length: 5 }, () => random()).toSorted((a, b) => b - a);
  const migrated = (state: UpgradeState) => state.queued !== null;
  const removing = ({ step, done }: UpgradeState) => step !== null || done;
  return [
    migrated,
    ...indexing.map(queued),
    (state) => state.queued === 0 && (state.files === 0 || state.done),
    removing,
    removing,
  ];
}

export const killUpgrade: Campaign = async ({ short, random, say }) => {
  const root = mkdtempSync(join(tmpdir(), "postroom-kill-upgrade-"));
  const figures = { kills: 0, before_the_end: 0, folders: short ? 1 : 5 };
  const misses: string[] = [];
  try {
    const original = join(root, "original");
    writeFolderOfVersion01(original);
    const read = join(root, "read");
    cpSync(original, read, { recursive: true });
    const tokens = oldTokens(read);
    for (let i = 0; i < figures.folders; i++) {
      const data = join(root, `data-${i}`);
      cpSync(original, data, { recursive: true });
      const marks = moments(random);
      for (let kill = 0; kill < KILLS; kill++) {
        const mark = marks[kill - (KILLS - marks.length)];
        if (await killAt(data, mark ?? null, random)) figures.before_the_end++;
        figures.kills++;
      }
      await during(data, ({ done }) => done);
      misses.push(...lostInUpgrade(data));
      const left = tokensLeft(join(data, "postroom.db"), tokens);
      if (left > 0) misses.push(`${left} pieces of tokens of the old index are left`);
      say(`folder ${i + 1} of ${figures.folders}: ${misses.length} misses so far`);
    }
    if (figures.before_the_end < figures.kills / 2)
      misses.push(`only ${figures.before_the_end} of ${figures.kills} kills met the upgrade`);
    return { figures, misses };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
};

type Mark = (state: UpgradeState, all: number) => boolean;

/** @param mark null: while it starts. @returns whether the upgrade was not over then */
async function killAt(data: string, mark: Mark | null, random: () => number): Promise<boolean> {
  if (mark) await during(data, mark, between(random, 0, MOMENT_MS));
  else {
    const server = serve(data);
    await Bun.sleep(between(random, 0, START_MS));
    server.kill("SIGKILL");
    await server.exited;
  }
  return !upgradeState(data).done;
}

function serve(data: string): Bun.Subprocess {
  return Bun.spawn([process.execPath, MAIN, "serve", "--data", data, "--port", "0"], {
    stdout: "ignore",
    stderr: "ignore",
    env: { PATH: "/usr/bin:/bin", HOME: data },
  });
}

/** Serves until a state is reached and a moment longer, and kills the server. @throws when nothing moves any more */
async function during(data: string, reached: Mark, then_ms = 0): Promise<void> {
  const server = serve(data);
  try {
    let all: number | null = null;
    let moved = { at: performance.now(), state: "" };
    for (;;) {
      const state = upgradeState(data);
      all ??= state.queued;
      if (reached(state, all ?? 0)) break;
      if (server.exitCode !== null) throw new Error(`the server ended with ${server.exitCode}`);
      const seen = JSON.stringify(state);
      if (seen !== moved.state) moved = { at: performance.now(), state: seen };
      if (performance.now() - moved.at > STALLED_MS) throw new Error(`the upgrade has come to a stop at ${seen}`);
      await Bun.sleep(2);
    }
    await Bun.sleep(then_ms);
  } finally {
    server.kill("SIGKILL");
    await server.exited;
  }
}
