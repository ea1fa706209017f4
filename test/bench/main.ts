/**
 * The benchmarks: `./dev bench [NAME...] [--repeat N] [--messages N] [--short] [--executable FILE | --source]
 * [--json]`. NAME is sync, api, rules, send, search, index, quality, webhooks, live, ai, answers, answers-model, mcp,
 * capacity, off-machine, small or growth; growth also takes `--sizes N,N,N`, growth and search `--folder DIR`, where the
 * mailboxes stay for the next run, and small `--cgroup DIR`. `./dev bench goals` only prints the table of goals, from
 * the last runs. The benchmarks measure the executable, which is built first if none is given; --source runs
 * src/main.ts instead.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { watchMachine } from "../support/machine-load.ts";
import { commitOf, recordNow } from "../support/run-record.ts";
import { benchAi } from "./ai.ts";
import { benchAnswers } from "./answers.ts";
import { benchAnswersModel } from "./answers-model.ts";
import { benchApi } from "./api.ts";
import { benchCapacity } from "./capacity.ts";
import { buildExecutable } from "./executable.ts";
import { type Figure, missesOf } from "./figures.ts";
import { goalsTable, lastRuns } from "./goals-table.ts";
import { benchGrowth } from "./growth.ts";
import { benchIndex } from "./index.ts";
import { benchLive } from "./live.ts";
import { benchMcp } from "./mcp.ts";
import { benchOffMachine } from "./off-machine.ts";
import { benchQuality } from "./quality.ts";
import { benchRules } from "./rules.ts";
import { benchSearch } from "./search.ts";
import { benchSend } from "./send.ts";
import { benchSmall } from "./small.ts";
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
  /** A control group in which the benchmark may make others; null: none. */
  cgroup: string | null;
  /** The built executable to measure; null: the source. */
  executable: string | null;
  say: (line: string) => void;
}

export type BenchResult = { name: string } & (
  | { skipped: string }
  /** `text` is for people, `figures` have goals (goals.ts), and `data` is what they were made from. */
  | { text: string; data: object; figures: Figure[] }
);

const BENCHMARKS: Record<string, (options: BenchOptions) => Promise<BenchResult>> = {
  sync: benchSync,
  api: benchApi,
  rules: benchRules,
  send: benchSend,
  search: benchSearch,
  index: benchIndex,
  quality: benchQuality,
  webhooks: benchWebhooks,
  live: benchLive,
  ai: benchAi,
  answers: benchAnswers,
  "answers-model": benchAnswersModel,
  mcp: benchMcp,
  capacity: benchCapacity,
  "off-machine": benchOffMachine,
  small: benchSmall,
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
    cgroup: { type: "string" },
  },
});
const folder = join(import.meta.dir, "results");
const GOALS_ONLY = "goals";
if (positionals.includes(GOALS_ONLY)) {
  console.log(table());
  process.exit(0);
}
const unknown = positionals.find((name) => !(name in BENCHMARKS));
if (unknown) {
  console.error(
    `bench: there is no benchmark ${unknown}; there are ${[...Object.keys(BENCHMARKS), GOALS_ONLY].join(", ")}`,
  );
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
  cgroup: values.cgroup ?? null,
  messages: values.messages ? Number(values.messages) : null,
  executable: values.source ? null : (values.executable ?? (await buildExecutable())),
  say: (line) => console.error(line),
};
mkdirSync(folder, { recursive: true });
const record = {
  ...recordNow(formOf(), ["dovecot", "mbsync", "mu", "notmuch", "postfix"]),
  ...(values.executable ? programOf(values.executable) : {}),
};
const results: BenchResult[] = [];
const failures: string[] = [];
const all = positionals.length === 0;
for (const name of all ? Object.keys(BENCHMARKS) : positionals) {
  options.say(`${name}:`);
  const ended = watchMachine();
  try {
    const result = await BENCHMARKS[name]!(options);
    results.push(result);
    const misses = "figures" in result ? { misses: missesOf(result.figures) } : {};
    const at = new Date().toISOString();
    const file = record.form === "full" ? `${name}.json` : `${name}-short.json`;
    const whole = { ...record, at, ...ended(), ...result, ...misses };
    writeFileSync(join(folder, file), `${JSON.stringify(whole, null, 2)}\n`);
    if (!values.json) console.log("skipped" in result ? `${name}: skipped, ${result.skipped}` : `\n${result.text}\n`);
  } catch (error) {
    // The others are still measured, and the last result stays.
    failures.push(`${name} failed: ${(error as Error).stack ?? error}`);
    console.error(failures.at(-1));
  }
}
if (values.json) console.log(JSON.stringify({ ...record, results }, null, 2));
const skipped = results.filter((result) => "skipped" in result).length;
const misses = results.flatMap((result) =>
  "figures" in result ? missesOf(result.figures).map((miss) => `${result.name}: ${miss}`) : [],
);
for (const miss of misses) console.error(`  ${miss}`);
// With --json, standard output is JSON alone.
const print = values.json ? console.error : console.log;
if (all) print(`\n${table()}\n`);
print(
  `bench: ${results.length - skipped} benchmarks (${record.form} form), ${skipped} skipped, ${failures.length} failed, ${misses.length} goals missed`,
);
process.exit(misses.length + failures.length === 0 ? 0 : 1);

/** A given executable can be of another commit than the benchmarks: its own counts. */
function programOf(executable: string): { program: string; bench_commit: string; commit: string } {
  const { stdout } = Bun.spawnSync([executable, "--version"]);
  const program = stdout.toString().trim();
  const commit = /\(([0-9a-f]{8})[0-9a-f]*(\+?)\)/.exec(program)?.slice(1).join("") ?? "unknown";
  return { program, bench_commit: commitOf(), commit };
}

/** The table of goals, from the last runs here; from the published ones for what was not run here. */
function table(): string {
  const docs = join(import.meta.dir, "../../docs/results");
  const soak = join(import.meta.dir, "../soak/results");
  return goalsTable(lastRuns([folder, soak, join(docs, "bench"), join(docs, "soak")]));
}

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
