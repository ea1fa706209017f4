import { Database } from "bun:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TermReader } from "../../src/mailbox/search/documents.ts";
import { FullTextIndex } from "../../src/mailbox/search/fulltext-index.ts";
import { readTerms } from "../../src/mailbox/search/indexable.ts";
import type { IncomingContents } from "../../src/mailbox/store/incoming.ts";
import { scratchPlatform } from "../support/scratch-platform.ts";
import { judged } from "./figures.ts";
import type { Filled } from "./filled-mailbox.ts";
import type { BenchOptions, BenchResult } from "./main.ts";
import { formatTable, median } from "./measure.ts";
import { syntheticSource } from "./synthetic-source.ts";

const MESSAGES = 32_768;
/** Pending messages from which a segment is made, as while mail arrives. */
const BATCH = 512;
/** Messages that are read before the measurement, because the runtime compiles code that runs often. */
const WARMED = 600;
const SEED = 1;

/** Processor time of all threads of this process, ms. */
function cpu(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Processor time of each step of indexing a message, ms, and bytes of index. */
interface Cost {
  terms: number;
  pending: number;
  segments: number;
  bytes: number;
}

/**
 * Cost of indexing a message: processor time of all threads of the process, including merges, and bytes of index; and
 * the same texts in a plain FTS5 table of SQLite, in the same run.
 */
export async function benchIndex(options: BenchOptions): Promise<BenchResult> {
  const messages = options.messages ?? MESSAGES;
  const message = await syntheticSource(SEED);
  const ours: Cost[] = [];
  const fts: number[] = [];
  for (let turn = 0; turn < options.repeat; turn++) {
    ours.push(await indexed(message, messages));
    fts.push(inFts(message, messages));
    options.say(`  turn ${turn + 1} of ${options.repeat}`);
  }
  const of = (what: keyof Cost) => median(ours.map((cost) => cost[what]));
  const total = median(ours.map(({ terms, pending, segments }) => terms + pending + segments));
  const rows = [
    ["find the terms", ms(of("terms"))],
    ["seal and store the pending row", ms(of("pending"))],
    ["make and merge segments", ms(of("segments"))],
    ["in all", ms(total)],
    ["plain FTS5, the same texts", ms(median(fts))],
  ];
  const text = `${messages} messages; ${Math.round(of("bytes"))} bytes of index a message\n\n${formatTable(["processor time of a message", ""], rows)}`;
  return {
    name: "index",
    text,
    data: { messages, ours, fts },
    figures: judged("index", [
      { key: "cpu", value: total, peer: `plain FTS5 ${ms(median(fts))}` },
      { key: "bytes", value: of("bytes") },
    ]),
  };
}

const ms = (value: number): string => `${value.toFixed(3)} ms`;

async function indexed(message: (n: number) => Filled, messages: number): Promise<Cost> {
  const scratch = scratchPlatform();
  try {
    const { platform, user } = scratch;
    const index = new FullTextIndex(platform);
    const reader = new TermReader();
    for (let n = 0; n < WARMED; n++) readTerms(reader, message(n).contents);
    const cost: Cost = { terms: 0, pending: 0, segments: 0, bytes: 0 };
    for (let from = 0; from < messages; from += BATCH) {
      const batch = Array.from({ length: Math.min(BATCH, messages - from) }, (_, i) => message(from + i));
      const began = cpu();
      const terms = batch.map(({ contents }) => readTerms(reader, contents));
      const read = cpu();
      platform.db.write(() => {
        for (const [i, one] of terms.entries()) index.add(user.id, from + i + 1, batch[i]!.at, one);
      });
      const added = cpu();
      await index.maintain(user.id, { rest: async () => {} });
      const ended = cpu();
      cost.terms += read - began;
      cost.pending += added - read;
      cost.segments += ended - added;
    }
    await index.maintain(user.id, { rest: async () => {}, flush: true });
    const sizeOf = (table: string) =>
      platform.db.sql.query<{ b: number }, []>(`SELECT total(length(data)) AS b FROM ${table}`).get()!.b;
    const of = (value: number) => value / messages;
    return {
      terms: of(cost.terms),
      pending: of(cost.pending),
      segments: of(cost.segments),
      bytes: of(sizeOf("search_blocks") + sizeOf("search_pending")),
    };
  } finally {
    scratch.close();
  }
}

/** Returns the processor time of a message in a plain FTS5 table, ms. */
function inFts(message: (n: number) => Filled, messages: number): number {
  const folder = mkdtempSync(join(tmpdir(), "postroom-bench-index-"));
  const db = new Database(join(folder, "fts.db"));
  try {
    db.run("PRAGMA journal_mode = WAL");
    db.run("PRAGMA synchronous = NORMAL");
    db.run("CREATE VIRTUAL TABLE t USING fts5(subject, sender, recipients, body, content = '')");
    const insert = db.query("INSERT INTO t (rowid, subject, sender, recipients, body) VALUES (?, ?, ?, ?, ?)");
    let taken = 0;
    for (let from = 0; from < messages; from += BATCH) {
      const batch = Array.from({ length: Math.min(BATCH, messages - from) }, (_, i) => message(from + i).contents);
      const began = cpu();
      db.transaction(() => {
        for (const [i, contents] of batch.entries()) insert.run(from + i + 1, ...columnsOf(contents));
      })();
      taken += cpu() - began;
    }
    return taken / messages;
  } finally {
    db.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function columnsOf({ subject, from, to, cc, text }: IncomingContents): [string, string, string, string] {
  const people = [...to, ...cc].map(({ name, email }) => `${name} ${email}`).join("\n");
  return [subject, `${from.name} ${from.email}`, people, text];
}
