/**
 * Puts the results of this machine's last benchmarks and campaigns into docs/results, as JSON and as one page: `./dev results`.
 * Short forms are left out. What was not run anew stays as it was published.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RunRecord } from "./support/run-record.ts";

const ROOT = join(import.meta.dir, "..");
const PUBLISHED = join(ROOT, "docs/results");
const GROUPS = ["bench", "faults", "fuzz", "soak"];
/** Longer lists of single measurements are told by their length: what matters of them stands beside. */
const MOST_NUMBERS = 20;

interface Ran {
  figures: Record<string, number | string>;
  misses: string[];
}

export interface Result extends RunRecord {
  name: string;
  /** Of a benchmark: its table, and the aims that were missed. */
  text?: string;
  misses?: string[];
  /** Of a campaign. */
  seed?: number;
  ms?: number;
  result?: Ran | { skipped: string };
  /** Of a benchmark that could not run. */
  skipped?: string;
}

/** Whether it says something of a whole run of a known commit. */
export function isWorthPublishing({ form, commit, skipped, result }: Result): boolean {
  return form !== "short" && commit !== "unknown" && skipped === undefined && !(result && "skipped" in result);
}

/** A copy in which long lists of numbers are their length. */
export function withoutSamples(value: unknown): unknown {
  if (Array.isArray(value)) {
    const numbers = value.length > MOST_NUMBERS && value.every((entry) => typeof entry === "number");
    return numbers ? `${value.length} measurements` : value.map(withoutSamples);
  }
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, withoutSamples(entry)]));
}

/** The page of all results, by group. */
export function pageOf(groups: readonly { group: string; results: readonly Result[] }[]): string {
  const parts = [
    "# Results",
    "",
    "Written by `./dev results`. Each JSON file beside has the machine, the versions, the commit and the seed; of long lists of single measurements",
    "their number. What the figures mean: [benchmarks](../benchmarks.md), [reliability](../reliability.md). A plus after a commit: with changes that",
    "were not committed yet.",
  ];
  for (const { group, results } of groups) {
    if (results.length === 0) continue;
    const machines = [...new Set(results.map(({ machine }) => described(machine)))];
    parts.push("", `## ./dev ${group}`, "", `Machine: ${machines.join("; ")}.`, "");
    const rows = results.flatMap((result) =>
      result.result && "figures" in result.result ? [row(result, result.result)] : [],
    );
    if (rows.length > 0) {
      parts.push(
        "| campaign | form | at, commit | seed | took | figures | misses |",
        "|---|---|---|---|---|---|---|",
        ...rows,
        "",
      );
    }
    for (const { name, at, commit, form, text, misses = [] } of results) {
      if (text === undefined) continue;
      parts.push(`### ${name}`, "", `${shown(at)}, ${commit}, ${form}.`, "", "```", text.trimEnd(), "```", "");
      if (misses.length > 0) parts.push("Missed:", "", ...misses.map((miss) => `- ${miss}`), "");
    }
  }
  return `${parts
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trimEnd()}\n`;
}

function row({ name, form, at, commit, seed, ms }: Result, { figures, misses }: Ran): string {
  const told = Object.entries(figures).map(([what, value]) => `${what.replaceAll("_", " ")} ${value}`);
  const seconds = Math.round((ms ?? 0) / 1000);
  const missed = misses.length === 0 ? "0" : `${misses.length}: ${misses.join("; ")}`;
  return `| ${name} | ${form} | ${shown(at)}, ${commit} | ${seed} | ${seconds} s | ${told.join(", ")} | ${missed.replaceAll("|", "/")} |`;
}

const shown = (date: string) => `${date.slice(0, 10)} ${date.slice(11, 16)} UTC`;
const described = ({ cpu, cores, memory_bytes }: RunRecord["machine"]) =>
  `${cores} cores of ${cpu}, ${Math.round(memory_bytes / 1e9)} GB`;

const jsonIn = (folder: string) =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .sort()
    .map(
      (name) =>
        ({
          form: "form not recorded",
          commit: "unknown",
          ...JSON.parse(readFileSync(join(folder, name), "utf8")),
        }) as Result,
    );

function publish(group: string): Result[] {
  const [from, to] = [join(ROOT, "test", group, "results"), join(PUBLISHED, group)];
  mkdirSync(from, { recursive: true });
  mkdirSync(to, { recursive: true });
  for (const result of jsonIn(from).filter(isWorthPublishing)) {
    writeFileSync(join(to, `${result.name}.json`), `${JSON.stringify(withoutSamples(result), null, 2)}\n`);
  }
  return jsonIn(to);
}

if (import.meta.main) {
  const groups = GROUPS.map((group) => ({ group, results: publish(group) }));
  writeFileSync(join(PUBLISHED, "README.md"), pageOf(groups));
  for (const { group, results } of groups) {
    console.log(`${group}: ${results.map(({ name }) => name).join(", ") || "nothing yet"}`);
  }
}
