import { type Campaign, type CampaignOptions, shuffled } from "../faults/campaign.ts";
import { createSendFixture } from "../support/send-fixture.ts";
import { collectSeeds } from "./collections.ts";
import { MemoryGauge } from "./memory.ts";
import { mutate } from "./mutate.ts";
import { calendarTarget, cursorTarget, mailTarget, queryTarget, type Target, vcardTarget } from "./parser-targets.ts";
import { openWatchdog, type Watchdog } from "./watchdog.ts";

/** More processor time than this for one input counts as a hang. */
const LONGEST_CPU_MS = 1_000;
/** Inputs whose memory is measured together: the garbage is collected before each batch, which takes as long as many inputs. */
const BATCH = 250;
/** Size of the short form, as a part of the long one. */
const SHORT_SHARE = 0.05;
/** A target with more misses than this is not tried further. */
const MAX_MISSES = 10;

/** Mutated mail, calendars, address books, queries and cursors: no crash, no hang, no leak. */
export const parsersCampaign: Campaign = async (options) => {
  const collected = collectSeeds();
  const { h } = createSendFixture();
  const targets = {
    mail: mailTarget(collected),
    calendar: calendarTarget(collected),
    vcard: vcardTarget(collected),
    query: queryTarget(collected),
    cursor: cursorTarget(h),
  };
  const seeds = Object.values(targets).reduce((sum, target) => sum + target.seeds.length, 0);
  const without = collected.missing.length > 0 ? `, without ${collected.missing.join(" ")}` : "";
  const figures: Record<string, number | string> = { seeds: `${seeds}${without}`, inputs: 0, slowest_cpu_ms: 0 };
  const watchdog = await openWatchdog("parsers");
  const memory = new MemoryGauge();
  const misses: string[] = [];
  let [inputs, slowest_ms] = [0, 0];
  try {
    for (const [name, target] of Object.entries(targets)) {
      const found = await fuzz(name, target, options, watchdog, memory);
      figures[name] = found.runs;
      inputs += found.runs;
      slowest_ms = Math.max(slowest_ms, found.slowest_ms);
      misses.push(...found.misses);
    }
  } finally {
    watchdog.close();
    h.close();
  }
  Object.assign(figures, { inputs, slowest_cpu_ms: Math.round(slowest_ms), ...memory.figures() });
  return { figures, misses: [...misses, ...memory.misses] };
};

/** Runs every input through a target. @returns the slowest one's processor time, and what failed */
async function fuzz(
  name: string,
  target: Target,
  { short, random, say }: CampaignOptions,
  watchdog: Watchdog,
  memory: MemoryGauge,
) {
  const misses: string[] = [];
  const runs = Math.ceil(target.runs * (short ? SHORT_SHARE : 1));
  // Seeds are tried unchanged, too; in the short form as many of them as changed ones.
  const unchanged = shuffled(random, target.seeds).slice(0, Math.ceil(runs / 2));
  let slowest_ms = 0;
  const one = async (input: Uint8Array) => {
    const time = () => watchdog.during(name, input, () => timed(() => target.take(input)));
    let tookMs = 0;
    try {
      tookMs = await time();
      // Once more: other threads of the process count, such as the one that collects the garbage of earlier tests.
      if (tookMs > LONGEST_CPU_MS) tookMs = Math.min(tookMs, await time());
    } catch (error) {
      misses.push(`${name}: ${(error as Error).stack?.split("\n").slice(0, 3).join(" ")} with ${asHint(input)}`);
    }
    slowest_ms = Math.max(slowest_ms, tookMs);
    if (tookMs > LONGEST_CPU_MS) misses.push(`${name}: ${Math.round(tookMs)} ms for ${asHint(input)}`);
  };
  for (let from = 0; from < runs && misses.length < MAX_MISSES; from += BATCH) {
    const to = Math.min(from + BATCH, runs);
    await memory.during(`${name}, inputs ${from} to ${to}`, async () => {
      for (let i = from; i < to && misses.length < MAX_MISSES; i++) {
        await one(unchanged[i] ?? mutate(random, target.seeds, target.words));
      }
    });
  }
  say(`${name}: ${runs} inputs from ${target.seeds.length} seeds, slowest ${Math.round(slowest_ms)} ms`);
  return { runs, slowest_ms, misses };
}

/** Processor time, ms. */
async function timed(take: () => unknown): Promise<number> {
  const began = process.cpuUsage();
  await take();
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1_000;
}

/** Describes an input for a regression test: all of a short input in base64, and its length. */
function asHint(input: Uint8Array): string {
  const base64 = Buffer.from(input.subarray(0, 3_000)).toString("base64");
  return `${input.length} bytes ${base64}`;
}
