/**
 * Fills a data folder with query sets (relevance/sets.ts), one person each: bun fill-collections.ts DIR FILE NAME... Writes to
 * FILE which threads the queries of each set mean, as `Meant` by set.
 */
import { writeFileSync } from "node:fs";
import { createMailbox } from "../../src/mailbox/mailbox.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { loadConfig } from "../../src/platform/config/load.ts";
import { openPlatform } from "../../src/platform/platform.ts";
import { fillSet } from "./relevance/fill.ts";
import { readSet } from "./relevance/sets.ts";

/** When a set was filled, and the threads that its queries name. */
export interface Meant {
  madeAt: string;
  threads: [name: string, threads: string[]][];
}

const [data_dir, file, ...names] = process.argv.slice(2) as [string, string, ...string[]];
const platform = openPlatform({ config: loadConfig({ data_dir, env: {} }), clock: systemClock, durability: "normal" });
const mailbox = createMailbox(platform);
const meant: Record<string, Meant> = {};
for (const name of names) {
  const { madeAt, threads } = await fillSet(platform, mailbox, readSet(name));
  meant[name] = { madeAt: madeAt.toISOString(), threads: [...threads] };
}
writeFileSync(file, JSON.stringify(meant));
platform.close();
