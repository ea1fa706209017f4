import { mkdirSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { formatTable, seconds } from "../bench/measure.ts";
import { type Campaign, type CampaignReport, dice } from "./campaign.ts";

/** Most misses that are printed for one campaign; the JSON has all. */
const MOST_PRINTED = 20;

interface Ran {
  name: string;
  seed: number;
  ms: number;
  result: CampaignReport | { skipped: string };
}

/**
 * The command line of a group of campaigns: `[NAME...] [--short] [--seed N] [--json]`. Runs them one after the other,
 * writes a result with the machine's description for each, prints a table and one closing line, and ends the process: 0
 * when there was no miss.
 * @param title what the group is called: "faults"
 * @param folder where the results go
 */
export async function runCampaigns(title: string, folder: string, campaigns: Record<string, Campaign>): Promise<never> {
  const { values, positionals } = parseArgs({
    args: Bun.argv.slice(2),
    allowPositionals: true,
    options: {
      short: { type: "boolean", default: false },
      seed: { type: "string" },
      json: { type: "boolean", default: false },
    },
  });
  const unknown = positionals.find((name) => !(name in campaigns));
  if (unknown) {
    console.error(`${title}: there is no ${unknown}; there are ${Object.keys(campaigns).join(", ")}`);
    process.exit(2);
  }
  const machine = { cpu: cpus()[0]?.model, cores: cpus().length, memory_bytes: totalmem(), bun: Bun.version };
  const commit = commitOf();
  const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed);
  mkdirSync(folder, { recursive: true });
  const ran: Ran[] = [];
  for (const name of positionals.length > 0 ? positionals : Object.keys(campaigns)) {
    console.error(`${name}: seed ${seed}`);
    const began = performance.now();
    const result = await guarded(campaigns[name]!, { short: values.short, seed });
    const one: Ran = { name, seed, ms: Math.round(performance.now() - began), result };
    ran.push(one);
    const form = values.short ? "short" : "full";
    const at = new Date().toISOString();
    const record = { at, commit, machine, form, ...one };
    const file = values.short ? `${name}-short.json` : `${name}.json`;
    writeFileSync(join(folder, file), `${JSON.stringify(record, null, 2)}\n`);
    for (const miss of missesOf(one).slice(0, MOST_PRINTED)) console.error(`  ${name}: ${miss}`);
  }
  const misses = ran.reduce((sum, one) => sum + missesOf(one).length, 0);
  if (values.json) console.log(JSON.stringify({ machine, commit, ran }, null, 2));
  else console.log(`\n${tableOf(ran)}\n`);
  const skipped = ran.filter(({ result }) => "skipped" in result).length;
  const time = seconds(ran.reduce((sum, { ms }) => sum + ms, 0));
  const form = values.short ? "short form" : "full form";
  console.log(
    `${title}: ${ran.length - skipped} campaigns (${form}, seed ${seed}), ${skipped} skipped, ${misses} misses, ${time}`,
  );
  process.exit(misses === 0 ? 0 : 1);
}

async function guarded(
  campaign: Campaign,
  { short, seed }: { short: boolean; seed: number },
): Promise<CampaignReport | { skipped: string }> {
  try {
    return await campaign({ short, random: dice(seed), say: (line) => console.error(`  ${line}`) });
  } catch (error) {
    // What ends a campaign is a finding like any other, and must not hide those of the next.
    return {
      figures: {},
      misses: [`it did not come to its end: ${withoutRoot((error as Error).stack ?? String(error))}`],
    };
  }
}

const missesOf = ({ result }: Ran): string[] => ("misses" in result ? result.misses : []);

function tableOf(ran: readonly Ran[]): string {
  const rows = ran.map((one) => {
    const { name, ms, result } = one;
    if ("skipped" in result) return [name, "skipped", seconds(ms), result.skipped];
    const figures = Object.entries(result.figures).map(([what, value]) => `${what.replaceAll("_", " ")} ${value}`);
    return [name, String(missesOf(one).length), seconds(ms), figures.join(", ")];
  });
  return formatTable(["campaign", "misses", "time", "figures"], rows);
}

/** The commit that ran, and a plus where files differ from it; "unknown" outside a repository. */
export function commitOf(): string {
  const git = (...args: string[]) => Bun.spawnSync(["git", ...args], { cwd: import.meta.dir, stderr: "ignore" });
  const head = git("rev-parse", "--short", "HEAD");
  if (head.exitCode !== 0) return process.env.POSTROOM_COMMIT ?? "unknown";
  const changed = git("status", "--porcelain", "--untracked-files=no").stdout.length > 0;
  return `${head.stdout.toString().trim()}${changed ? "+" : ""}`;
}

/** Results are published: they name files of the project, not of this machine. */
const withoutRoot = (text: string): string => text.replaceAll(`${join(import.meta.dir, "../..")}/`, "");
