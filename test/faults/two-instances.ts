import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asLines, checkInvariants } from "../invariants/check.ts";
import type { Campaign } from "./campaign.ts";
import { createFolder, type Folder, type Served, serve } from "./served.ts";

const RACERS = 3;

/**
 * Several `serve` on one data folder: one serves, the others refuse with a reason and exit code 1, and damage nothing.
 * A killed server leaves no lock behind.
 */
export const twoInstancesCampaign: Campaign = async ({ short, random }) => {
  const data_dir = mkdtempSync(join(tmpdir(), "postroom-two-"));
  const folder = createFolder(data_dir);
  const misses: string[] = [];
  let refused = 0;
  const rounds = short ? 2 : 12;
  try {
    for (let round = 0; round < rounds; round++) {
      const racers = await Promise.all(Array.from({ length: RACERS }, () => serve(folder, { answers: false })));
      const serving = await winner(racers);
      if (serving.length !== 1) misses.push(`round ${round}: ${serving.length} of ${RACERS} serve`);
      for (const racer of racers.filter((one) => !serving.includes(one))) {
        refused++;
        if (racer.exit_code !== 1 || !racer.log().includes("already serving this data folder")) {
          misses.push(`a second server ended with ${racer.exit_code}: ${racer.log().slice(-300)}`);
        }
      }
      misses.push(...(await unharmed(folder, serving[0])));
      for (const one of serving) await (random() < 0.5 ? one.kill() : one.stop());
    }
    const report = await checkInvariants(folder.platform);
    misses.push(...asLines(report.findings));
    return { figures: { rounds, started: rounds * RACERS, refused }, misses };
  } finally {
    folder.close();
    rmSync(data_dir, { recursive: true, force: true });
  }
};

/** Returns those that answer, when the others have ended. */
async function winner(racers: readonly Served[]): Promise<Served[]> {
  const answering = new Set<Served>();
  const deadline = performance.now() + 60_000;
  while (performance.now() < deadline) {
    for (const racer of racers) {
      if (racer.exit_code === null && (await racer.call("GET", "readyz").catch(() => null))?.status === 200) {
        answering.add(racer);
      }
    }
    const over = racers.filter(({ exit_code }) => exit_code !== null).length;
    if (answering.size > 0 && over + answering.size === racers.length) break;
    await Bun.sleep(30);
  }
  return [...answering];
}

async function unharmed(folder: Folder, serving: Served | undefined): Promise<string[]> {
  if (!serving) return [];
  const answer = await serving.call("GET", "/usage").catch((error: Error) => error);
  if (answer instanceof Error || answer.status !== 200) return [`the first server does not answer: ${answer}`];
  // Commands work beside it.
  const { platform } = folder;
  platform.db.write(() => platform.db.sql.run("UPDATE settings SET updated_at = updated_at"));
  return [];
}
