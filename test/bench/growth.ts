import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { DOVECOT } from "../support/dovecot.ts";
import { judged, type Measured } from "./figures.ts";
import { GOALS, type Goals } from "./goals.ts";
import { type GrownFolder, growFolders, growRaw } from "./growth-folders.ts";
import { type GrownUse, measureUse } from "./growth-measure.ts";
import { syncFromServer } from "./growth-sync.ts";
import type { BenchOptions, BenchResult } from "./main.ts";
import { formatTable, median, megabytes, milliseconds, percentile, type Run, seconds } from "./measure.ts";
import { postroomCommand } from "./postroom.ts";
import type { RawStore } from "./raw-sqlite.ts";
import { storeMaildirs } from "./stored-maildir.ts";

const SIZES = { full: [10_000, 100_000, 1_000_000], short: [2_000, 10_000, 30_000] };
const SEED = 1;
/** Faster growth than this must be explained or fixed. */
const MAX_EXPONENT = GOALS.growth.exponent.atMost;

/** A mailbox of one size: the cost of filling and using it, and of the same mail in SQLite alone. */
interface Grown {
  messages: number;
  stored: GrownFolder["stored"];
  use: GrownUse;
  raw: RawStore;
  /** A first sync of as many messages from a mail server; null without one. */
  synced: Run | null;
}

/**
 * How the cost of everything grows with the mailbox, and the exponent of each from the smallest to the largest. The
 * mail is added through the program's own code, from parsed messages, so that storing is measured alone; in addition,
 * as many messages are synced from a mail server. Vectors are artificial (fill-vectors.ts).
 */
export async function benchGrowth(options: BenchOptions): Promise<BenchResult> {
  const sizes = options.sizes ?? (options.short ? SIZES.short : SIZES.full);
  const folder = options.folder ? resolve(options.folder) : mkdtempSync(join(tmpdir(), "postroom-bench-growth-"));
  mkdirSync(folder, { recursive: true });
  const command = postroomCommand(options.executable);
  try {
    const folders = await growFolders(command, folder, sizes, SEED, options.say);
    const raw = await growRaw(folder, sizes, SEED);
    options.say("  the same mail stored in SQLite alone");
    if (DOVECOT) storeMaildirs(folder, sizes, options.say);
    else options.say("  skipped: a first sync (Dovecot is not installed)");
    const grown: Grown[] = [];
    for (const [i, made] of folders.entries()) {
      const use = await measureUse(command, made, options.repeat);
      const synced = DOVECOT ? await syncFromServer(options.executable, folder, made.messages) : null;
      grown.push({ messages: made.messages, stored: made.stored, use, raw: raw[i]!, synced });
      options.say(`  ${made.messages} messages measured`);
    }
    return report(grown);
  } finally {
    if (!options.folder) rmSync(folder, { recursive: true, force: true });
  }
}

interface Measure {
  name: string;
  /** Null where it was not measured. */
  of: (grown: Grown) => number | null;
  show: (value: number) => string;
  /** Cost in SQLite alone: for comparison, outside of our control. */
  floor?: true;
}

const p50 = (values: readonly number[]) => percentile(values, 0.5);
const p99 = (values: readonly number[]) => percentile(values, 0.99);
const fine = (ms: number) => (ms < 1 ? `${ms.toFixed(3)} ms` : milliseconds(ms));

const MEASURES: readonly Measure[] = [
  { name: "storing all, processor time", of: ({ stored }) => stored.cpu_ms, show: seconds },
  { name: "storing all, wall time", of: ({ stored }) => stored.ms, show: seconds },
  { name: "  the same by SQLite alone", of: ({ raw }) => raw.stored.cpu_ms, show: seconds, floor: true },
  { name: "first sync, wall time", of: ({ synced }) => synced?.ms ?? null, show: seconds },
  { name: "first sync, processor time", of: ({ synced }) => synced?.cpu_ms ?? null, show: seconds },
  { name: "first sync, peak memory", of: ({ synced }) => synced?.peak_bytes ?? null, show: megabytes },
  { name: "thread list, p50", of: ({ use }) => p50(use.list_ms), show: fine },
  { name: "thread list, p99", of: ({ use }) => p99(use.list_ms), show: fine },
  { name: "  25 rows of SQLite alone", of: ({ raw }) => p50(raw.list_ms), show: fine, floor: true },
  { name: "messages of a thread, p50", of: ({ use }) => p50(use.thread_ms), show: fine },
  { name: "  the rows of SQLite alone", of: ({ raw }) => p50(raw.thread_ms), show: fine, floor: true },
  { name: "keyword search, p50", of: ({ use }) => p50(use.keyword_ms), show: fine },
  { name: "keyword search, p99", of: ({ use }) => p99(use.keyword_ms), show: fine },
  { name: "  one word in FTS5 alone, p50", of: ({ raw }) => p50(raw.word_ms), show: fine, floor: true },
  { name: "semantic search, p50", of: ({ use }) => p50(use.semantic_ms), show: fine },
  { name: "hybrid search, p50", of: ({ use }) => p50(use.hybrid_ms), show: fine },
  { name: "hybrid search, p99", of: ({ use }) => p99(use.hybrid_ms), show: fine },
  { name: "start to first answer", of: ({ use }) => median(use.started_ms), show: milliseconds },
  { name: "start to first semantic answer", of: ({ use }) => use.first_meaning_ms, show: milliseconds },
  { name: "memory at rest", of: ({ use }) => use.rest_bytes, show: megabytes },
  { name: "memory after the queries", of: ({ use }) => use.usedBytes, show: megabytes },
  { name: "disk", of: ({ use }) => use.disk_bytes, show: megabytes },
  { name: "  database of SQLite alone", of: ({ raw }) => raw.disk_bytes, show: megabytes, floor: true },
];

/** Returns the power of the number of messages with which a cost grows. */
export function exponentOf(from: { messages: number; cost: number }, to: { messages: number; cost: number }): number {
  return Math.log(to.cost / from.cost) / Math.log(to.messages / from.messages);
}

function figuresOf({ use, synced, messages, raw }: Grown): Measured<Extract<keyof Goals["growth"], string>>[] {
  const of = `${messages}`;
  return [
    { key: "keyword_p50", of, value: p50(use.keyword_ms), peer: `one word in FTS5 ${fine(p50(raw.word_ms))}` },
    { key: "list_p99", of, value: p99(use.list_ms) },
    { key: "start", of, value: median(use.started_ms) },
    { key: "rest", of, value: use.rest_bytes / 1e6 },
    ...(synced ? [{ key: "synced_peak" as const, of, value: (synced.peak_bytes ?? Number.NaN) / 1e6 }] : []),
  ];
}

function report(grown: readonly Grown[]): BenchResult {
  const measured = MEASURES.map(({ name, of, show, floor = false }) => {
    const points = grown.flatMap((one) => {
      const cost = of(one);
      return cost === null ? [] : [{ messages: one.messages, cost }];
    });
    const exponent = points.length > 1 ? exponentOf(points[0]!, points.at(-1)!) : Number.NaN;
    // The last step reveals growth that a constant part hides at small sizes.
    const last_step = points.length > 2 ? exponentOf(points.at(-2)!, points.at(-1)!) : Number.NaN;
    return { name, floor, exponent, last_step, values: grown.map(of), show };
  });
  const head = ["cost", "exponent", "last step", ...grown.map(({ messages }) => `${messages}`)];
  const power = (exponent: number) => (Number.isNaN(exponent) ? "" : exponent.toFixed(2));
  const rows = measured.map(({ name, exponent, last_step, values, show }) => [
    name,
    power(exponent),
    power(last_step),
    ...values.map((value) => (value === null ? "" : show(value))),
  ]);
  const over = measured.filter(({ exponent, floor }) => !floor && exponent > MAX_EXPONENT);
  const known = measured.filter(({ exponent, floor }) => !floor && !Number.isNaN(exponent));
  // Every one that is too high; otherwise the one that comes nearest.
  const highest = over.length > 0 ? over : known.sort((a, b) => b.exponent - a.exponent).slice(0, 1);
  const unknown = measured.filter(({ exponent, floor }) => !floor && Number.isNaN(exponent));
  const named = over.map(({ name, exponent }) => `${name.trim()} (${exponent.toFixed(2)})`);
  const ratio = ({ stored, raw }: Grown) => (stored.cpu_ms / raw.stored.cpu_ms).toFixed(1);
  const facts = [
    `storing takes ${grown.map(ratio).join(", ")} times the processor time of SQLite alone; stored at ${[...new Set(grown.map(({ stored }) => stored.commit))].join(", ")}`,
    `disk: ${grown.map(({ use, messages }) => Math.round(use.disk_bytes / messages)).join(", ")} bytes a message`,
    over.length === 0
      ? `nothing of ours grows with an exponent above ${MAX_EXPONENT}`
      : `above ${MAX_EXPONENT}: ${named.join(", ")}`,
    ...unknown.map(({ name }) => `${name.trim()} was not measured at two sizes: how it grows is not known`),
  ];
  const exponents = Object.fromEntries(measured.map(({ name, exponent }) => [name.trim(), exponent]));
  return {
    name: "growth",
    text: `${facts.join("\n")}\n\n${formatTable(head, rows)}`,
    data: { exponents, above: over.map(({ name }) => name.trim()), grown },
    figures: judged("growth", [
      ...highest.map(({ name, exponent }) => ({ key: "exponent" as const, of: name.trim(), value: exponent })),
      ...figuresOf(grown.at(-1)!),
    ]),
  };
}
