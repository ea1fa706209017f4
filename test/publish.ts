/**
 * Puts the results of the last full benchmarks and campaigns of this machine into docs/results, as JSON and as one page:
 * `./dev results`. What was not run anew stays as it was published.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "..");
const PUBLISHED = join(ROOT, "docs/results");
const GROUPS = ["bench", "faults", "fuzz", "soak"];
/** Longer lists of single measurements are told by their length: what matters of them stands beside. */
const MOST_NUMBERS = 20;

interface Machine {
  cpu: string;
  cores: number;
  memory_bytes: number;
}

interface Result {
  at: string;
  commit: string;
  machine: Machine;
  name: string;
  form?: "full" | "short";
  /** Benchmarks: their table. */
  text?: string;
  /** Campaigns. */
  seed?: number;
  ms?: number;
  result?: { figures: Record<string, number | string>; misses: string[] } | { skipped: string };
}

const read = (path: string) => JSON.parse(readFileSync(path, "utf8")) as Result;
const jsonIn = (folder: string) =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.name.endsWith(".json"))
    .map(({ name }) => join(folder, name))
    .sort();

/** A copy in which long lists of numbers are their length. */
function withoutSamples(value: unknown): unknown {
  if (Array.isArray(value)) {
    const numbers = value.length > MOST_NUMBERS && value.every((entry) => typeof entry === "number");
    return numbers ? `${value.length} measurements` : value.map(withoutSamples);
  }
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, withoutSamples(entry)]));
}

function publish(group: string): Result[] {
  const [from, to] = [join(ROOT, "test", group, "results"), join(PUBLISHED, group)];
  mkdirSync(from, { recursive: true });
  mkdirSync(to, { recursive: true });
  for (const path of jsonIn(from)) {
    const result = read(path);
    if (result.form === "short" || "skipped" in result || (result.result && "skipped" in result.result)) continue;
    writeFileSync(join(to, `${result.name}.json`), `${JSON.stringify(withoutSamples(result), null, 2)}\n`);
  }
  return jsonIn(to).map(read);
}

const shown = (date: string) => `${date.slice(0, 10)} ${date.slice(11, 16)} UTC`;
const described = ({ cpu, cores, memory_bytes }: Machine) =>
  `${cores} cores of ${cpu}, ${Math.round(memory_bytes / 1e9)} GB`;

function campaignRow({ name, at, commit, seed, ms, result }: Result): string {
  const { figures, misses } = result as { figures: Record<string, number | string>; misses: string[] };
  const told = Object.entries(figures).map(([what, value]) => `${what.replaceAll("_", " ")} ${value}`);
  return `| ${name} | ${shown(at)} | ${commit} | ${seed} | ${Math.round(ms! / 1000)} s | ${told.join(", ")} | ${misses.length} |`;
}

function page(groups: readonly { group: string; results: Result[] }[]): string {
  const parts = [
    "# Results",
    "",
    "Written by `./dev results` from the last full runs; each JSON file beside has the machine, the commit and the seed.",
  ];
  parts.push(
    "What the figures mean: [benchmarks](../benchmarks.md), [reliability](../reliability.md). A plus after a commit: with uncommitted changes.",
  );
  for (const { group, results } of groups) {
    if (results.length === 0) continue;
    parts.push(
      "",
      `## ./dev ${group}`,
      "",
      `Machine: ${[...new Set(results.map(({ machine }) => described(machine)))].join("; ")}.`,
      "",
    );
    const campaigns = results.filter(({ result }) => result !== undefined);
    if (campaigns.length > 0) {
      parts.push("| campaign | at | commit | seed | took | figures | misses |", "|---|---|---|---|---|---|---|");
      parts.push(...campaigns.map(campaignRow));
    }
    for (const { name, at, commit, text } of results) {
      if (text !== undefined)
        parts.push(`### ${name}`, "", `${shown(at)}, ${commit}`, "", "```", text.trimEnd(), "```", "");
    }
  }
  return `${parts.join("\n").trimEnd()}\n`;
}

const groups = GROUPS.map((group) => ({ group, results: publish(group) }));
writeFileSync(join(PUBLISHED, "README.md"), page(groups));
for (const { group, results } of groups)
  console.log(`${group}: ${results.map(({ name }) => name).join(", ") || "nothing yet"}`);
