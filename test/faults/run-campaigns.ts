import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { formatTable, seconds } from "../bench/measure.ts";
import { watchMachine } from "../support/machine-load.ts";
import { recordNow, withoutRoot } from "../support/run-record.ts";
import { type Campaign, type CampaignReport, dice } from "./campaign.ts";

/** Most misses that are printed for one campaign; the JSON has all. */
const MAX_PRINTED = 20;

interface Ran {
  name: string;
  seed: number;
  ms: number;
  result: CampaignReport | { skipped: string };
}

/**
 * The command line of a group of campaigns: `[NAME...] [--short] [--seed N] [--json]`. Runs them one after the other,
 * writes a result with the machine's description for each, prints a table and a closing line, and ends the process: 0
 * when there was no miss.
 * @param title name of the group: "faults"
 * @param folder folder of the results
 * @param form what was left out, if --short does not say it
 */
export async function runCampaigns(
  title: string,
  folder: string,
  campaigns: Record<string, Campaign>,
  form?: string,
): Promise<never> {
  const { values, positionals } = argumentsOf(title);
  const unknown = positionals.find((name) => !(name in campaigns));
  if (unknown) refuse(title, `there is no ${unknown}; there are ${Object.keys(campaigns).join(", ")}`);
  const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed);
  if (!Number.isSafeInteger(seed)) refuse(title, `--seed is a whole number, not ${values.seed}`);
  mkdirSync(folder, { recursive: true });
  const ran: Ran[] = [];
  const record = recordNow(form ?? (values.short ? "short" : "full"), ["dovecot", "openssl"]);
  for (const name of positionals.length > 0 ? positionals : Object.keys(campaigns)) {
    console.error(`${name}: seed ${seed}`);
    const ended = watchMachine();
    const began = performance.now();
    const result = await guarded(campaigns[name]!, { short: values.short, seed });
    const one: Ran = { name, seed, ms: Math.round(performance.now() - began), result };
    ran.push(one);
    const file = record.form === "full" ? `${name}.json` : `${name}-short.json`;
    const at = new Date().toISOString();
    writeFileSync(join(folder, file), `${JSON.stringify({ ...record, at, ...ended(), ...one }, null, 2)}\n`);
    for (const miss of missesOf(one).slice(0, MAX_PRINTED)) console.error(`  ${name}: ${miss}`);
  }
  if (values.json) console.log(JSON.stringify({ ...record, ran }, null, 2));
  else console.log(`\n${tableOf(ran)}\n`);
  const misses = ran.reduce((sum, one) => sum + missesOf(one).length, 0);
  // With --json, standard output is JSON alone.
  (values.json ? console.error : console.log)(closingLine(title, record.form, ran, misses));
  // A run that was only skipped shows nothing.
  const nothingRan = ran.every(({ result }) => "skipped" in result);
  process.exit(misses === 0 && !nothingRan ? 0 : 1);
}

function argumentsOf(title: string) {
  try {
    return parseArgs({
      args: Bun.argv.slice(2),
      allowPositionals: true,
      options: {
        short: { type: "boolean", default: false },
        seed: { type: "string" },
        json: { type: "boolean", default: false },
      },
    });
  } catch (error) {
    return refuse(title, (error as Error).message);
  }
}

/** Ends the process, as every refused command line does. */
export function refuse(title: string, why: string): never {
  console.error(`${title}: ${why}`);
  process.exit(2);
}

/** A campaign that ran, and its figures. */
function closingLine(title: string, form: string, ran: readonly Ran[], misses: number): string {
  const skipped = ran.filter(({ result }) => "skipped" in result).length;
  const time = seconds(ran.reduce((sum, { ms }) => sum + ms, 0));
  const summary = ({ name, result }: Ran) => ("figures" in result ? [`${name}: ${figuresLine(result.figures)}`] : []);
  const figures = ran.length > skipped ? `: ${ran.flatMap(summary).join("; ")}` : "";
  const did = `${ran.length - skipped} campaigns (${form} form, seed ${ran[0]!.seed})`;
  return `${title}: ${did}, ${skipped} skipped, ${misses} misses, ${time}${figures}`;
}

async function guarded(
  campaign: Campaign,
  { short, seed }: { short: boolean; seed: number },
): Promise<CampaignReport | { skipped: string }> {
  try {
    return await campaign({ short, random: dice(seed), say: (line) => console.error(`  ${line}`) });
  } catch (error) {
    // An error that ends a campaign is a finding like any other, and must not hide those of the next.
    return {
      figures: {},
      misses: [`it did not come to its end: ${withoutRoot((error as Error).stack ?? String(error))}`],
    };
  }
}

const missesOf = ({ result }: Ran): string[] => ("misses" in result ? result.misses : []);

/** Prints a line for each campaign; for one alone, a line for each figure. */
function tableOf(ran: readonly Ran[]): string {
  const [only] = ran.length === 1 ? ran : [];
  if (only && "figures" in only.result) {
    const rows = Object.entries(only.result.figures).map(([what, value]) => [spelled(what), String(value)]);
    return formatTable([only.name, ""], rows);
  }
  const table = formatTable(
    ["campaign", "misses", "time"],
    ran.map((one) => [one.name, "skipped" in one.result ? "skipped" : String(missesOf(one).length), seconds(one.ms)]),
  ).split("\n");
  const figures = ran.map(({ result }) => ("skipped" in result ? result.skipped : figuresLine(result.figures)));
  return table.map((line, i) => `${line}  ${["figures", "-------", ...figures][i]}`).join("\n");
}

/** Formats figures in one line. */
const figuresLine = (figures: CampaignReport["figures"]): string =>
  Object.entries(figures)
    .map(([what, value]) => `${spelled(what)} ${value}`)
    .join(", ");

const spelled = (name: string): string => name.replaceAll("_", " ");
