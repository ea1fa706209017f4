/**
 * The benchmarks: `./dev bench [NAME...] [--repeat N] [--messages N] [--short] [--executable FILE | --source]
 * [--json]`. NAME is sync, api, rules, send, search, index, quality, webhooks, ai, answers, mcp, capacity, off-machine
 * or growth; growth also takes `--sizes N,N,N`, growth and search `--folder DIR`, where the mailboxes stay for the next
 * run. The benchmarks measure the executable, which is built first if none is given; --source runs src/main.ts instead.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { recordNow } from "../support/run-record.ts";
import { benchAi } from "./ai.ts";
import { benchAnswers } from "./answers.ts";
import { benchApi } from "./api.ts";
import { benchCapacity } from "./capacity.ts";
import { benchGrowth } from "./growth.ts";
import { benchIndex } from "./index.ts";
import { benchMcp } from "./mcp.ts";
import { benchOffMachine } from "./off-machine.ts";
import { benchQuality } from "./quality.ts";
import { benchRules } from "./rules.ts";
import { benchSearch } from "./search.ts";
import { benchSend } from "./send.ts";
import { benchSync } from "./sync.ts";
import { benchWebhooks } from "./webhooks.ts";

export interface BenchOptions {
  repeat: number;
  /** Leaves out what takes minutes and is not ours: the indexes of peers. */
  short: boolean;
  /** Size of the mailbox; null: the benchmark's own. */
  messages: number | null;
  /** Sizes of the compared mailboxes, ascending; null: the benchmark's own. */
  sizes: number[] | null;
  /** Folder for results that are reused between runs; null: none. */
  folder: string | null;
  /** The built executable to measure; null: the source. */
  executable: string | null;
  say: (line: string) => void;
}

/** `misses`: the missed targets, a line each (target.ts). */
export type BenchResult = { name: string } & ({ skipped: string } | { text: string; data: object; misses: string[] });

const BENCHMARKS: Record<string, (options: BenchOptions) => Promise<BenchResult>> = {
  sync: benchSync,
  api: benchApi,
  rules: benchRules,
  send: benchSend,
  search: benchSearch,
  index: benchIndex,
  quality: benchQuality,
  webhooks: benchWebhooks,
  ai: benchAi,
  answers: benchAnswers,
  mcp: benchMcp,
  capacity: benchCapacity,
  "off-machine": benchOffMachine,
  growth: benchGrowth,
};

const USUAL_TURNS = 3;

const { values, positionals } = parseArgs({
  args: Bun.argv.slice(2),
  allowPositionals: true,
  options: {
    repeat: { type: "string", default: String(USUAL_TURNS) },
    messages: { type: "string" },
    executable: { type: "string" },
    source: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    short: { type: "boolean", default: false },
    sizes: { type: "string" },
    folder: { type: "string" },
  },
});
const unknown = positionals.find((name) => !(name in BENCHMARKS));
if (unknown) {
  console.error(`bench: there is no benchmark ${unknown}; there are ${Object.keys(BENCHMARKS).join(", ")}`);
  process.exit(2);
}
const options: BenchOptions = {
  repeat: Number(values.repeat),
  short: values.short,
  sizes: values.sizes
    ? values.sizes
        .split(",")
        .map(Number)
        .sort((a, b) => a - b)
    : null,
  folder: values.folder ?? null,
  messages: values.messages ? Number(values.messages) : null,
  executable: values.source ? null : (values.executable ?? (await build())),
  say: (line) => console.error(line),
};
const folder = join(import.meta.dir, "results");
mkdirSync(folder, { recursive: true });
const record = recordNow(formOf(), ["dovecot", "mbsync", "mu", "notmuch", "postfix"]);
const results: BenchResult[] = [];
for (const name of positionals.length > 0 ? positionals : Object.keys(BENCHMARKS)) {
  options.say(`${name}:`);
  const result = await BENCHMARKS[name]!(options);
  results.push(result);
  const at = new Date().toISOString();
  const file = record.form === "full" ? `${name}.json` : `${name}-short.json`;
  writeFileSync(join(folder, file), `${JSON.stringify({ ...record, at, ...result }, null, 2)}\n`);
  if (!values.json) console.log("skipped" in result ? `${name}: skipped, ${result.skipped}` : `\n${result.text}\n`);
}
if (values.json) console.log(JSON.stringify({ ...record, results }, null, 2));
const skipped = results.filter((result) => "skipped" in result).length;
const misses = results.flatMap((result) =>
  "misses" in result ? result.misses.map((miss) => `${result.name}: ${miss}`) : [],
);
for (const miss of misses) console.error(`  ${miss}`);
// With --json, standard output is JSON alone.
(values.json ? console.error : console.log)(
  `bench: ${results.length - skipped} benchmarks (${record.form} form), ${skipped} skipped, ${misses.length} targets missed`,
);
process.exit(misses.length === 0 ? 0 : 1);

/** "full", or the requested form. */
function formOf(): string {
  if (values.short) return "short";
  const other = [
    values.messages && `${values.messages} messages`,
    values.sizes && `sizes ${values.sizes}`,
    Number(values.repeat) < USUAL_TURNS && `${values.repeat} turns`,
    values.source && "from source",
  ].filter(Boolean);
  return other.join(", ") || "full";
}

/** Builds the executable as `./dev build` does, separate from the one in dist/. @returns its path */
async function build(): Promise<string> {
  const root = join(import.meta.dir, "../..");
  const outfile = join(root, ".cache/bench/postroom");
  const child = Bun.spawn([process.execPath, join(root, "tools/build/build.ts"), "--outfile", outfile], {
    stdout: "ignore",
    stderr: "inherit",
  });
  if ((await child.exited) !== 0) throw new Error("the executable could not be built; --source measures without it");
  return outfile;
}
