import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { freePorts } from "../support/dovecot.ts";
import { judged } from "./figures.ts";
import { growFolders } from "./growth-folders.ts";
import { junkQueries } from "./junk.ts";
import { LIMITS } from "./limits.ts";
import type { BenchOptions, BenchResult } from "./main.ts";
import { formatTable, megabytes, milliseconds, percentile, processUsage } from "./measure.ts";
import { postroomCommand, type Server, serve, until } from "./postroom.ts";
import { makeQueries, vocabularyOfCorpus } from "./queries.ts";
import { measureRecall, type Recall, type Shares } from "./recall.ts";
import { SEARCH_PEERS, writeMaildir } from "./search-peers.ts";

const MESSAGES = 100_000;
const SEED = 1;
const QUERIES = 300;
const AFTER = "2021-01-01";
const MODES = ["keyword", "semantic", "hybrid"] as const;
/** After this time without a search its garbage has been collected (src/features/search/fulltext-worker.ts). */
const COLLECTED_MS = 7_000;

/**
 * POST /search over a large mailbox: start, latencies one after the other, memory, size of the index; the same queries
 * to other programs, and how many of the nearest vectors the index finds.
 */
export async function benchSearch(options: BenchOptions): Promise<BenchResult> {
  const messages = options.messages ?? MESSAGES;
  const folder = options.folder ? resolve(options.folder) : mkdtempSync(join(tmpdir(), "postroom-bench-search-"));
  mkdirSync(folder, { recursive: true });
  const command = postroomCommand(options.executable);
  let server: Server | null = null;
  try {
    const [made] = await growFolders(command, folder, [messages], SEED, options.say);
    const { data, key } = made!;
    const [port] = await freePorts(1);
    const ask = (query: string, mode: string) =>
      fetch(`http://127.0.0.1:${port}/v1/search`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ query, mode, limit: 25 }),
      });
    // The first search makes the snapshot that later starts read; it is written when the server stops.
    server = serve(command, data, port!, LIMITS);
    await until(server, () =>
      ask("meeting", "semantic").then(
        (answer) => answer.ok || null,
        () => null,
      ),
    );
    const started: Record<string, number[]> = { keyword: [], semantic: [] };
    for (let turn = 0; turn < options.repeat * 2; turn++) {
      const mode = turn % 2 === 0 ? "semantic" : "keyword";
      await server?.stop();
      const began = performance.now();
      server = serve(command, data, port!, LIMITS);
      await until(
        server,
        () =>
          ask("meeting", mode).then(
            (answer) => answer.ok || null,
            () => null,
          ),
        2,
      );
      started[mode]!.push(performance.now() - began);
    }
    await ask("meeting", "hybrid");
    const memory = async () => {
      await Bun.sleep(COLLECTED_MS);
      return processUsage(server!.pid)?.rss_bytes ?? null;
    };
    const memory_before_bytes = await memory();
    let memory_keyword_bytes: number | null = null;
    const latencies: Record<string, number[]> = {};
    const queries = makeQueries(QUERIES, AFTER);
    for (const mode of MODES) {
      for (const { kind, text } of queries) {
        const began = performance.now();
        const answer = await ask(text, mode);
        await answer.arrayBuffer();
        if (!answer.ok) throw new Error(`${text}: ${answer.status}`);
        const ms = performance.now() - began;
        for (const row of mode === "keyword" ? [mode, `keyword: ${kind}`] : [mode]) {
          latencies[row] = [...(latencies[row] ?? []), ms];
        }
      }
      options.say(`  ${mode} measured`);
      if (mode === "keyword") memory_keyword_bytes = await memory();
    }
    const memory_bytes = processUsage(server!.pid)?.rss_bytes ?? null;
    const junk = await askJunk((text) => ask(text, "keyword"));
    const memory_junk_bytes = await memory();
    options.say("  junk measured");
    await server?.stop();
    const size = statSync(join(data, "postroom.db")).size;
    const peers = options.short ? {} : await askPeers(messages, queries, options.say);
    options.say("  recall of the vector index");
    const recall = options.short ? null : await measureRecall(messages);
    const bytes = { memory_before_bytes, memory_keyword_bytes, memory_bytes, memory_junk_bytes, db_bytes: size };
    return report({ messages, started, latencies, junk, peers, recall, ...bytes });
  } finally {
    await server?.stop();
    if (!options.folder) rmSync(folder, { recursive: true, force: true });
  }
}

interface Junk {
  kind: string;
  ms: number;
  status: number;
}

/** Sends junk queries in keyword mode. Those with an operator whose value is invalid get 400. @throws on 5xx */
async function askJunk(ask: (text: string) => Promise<Response>): Promise<Junk[]> {
  const times: Junk[] = [];
  for (const { kind, text } of junkQueries(vocabularyOfCorpus(), SEED)) {
    const began = performance.now();
    const answer = await ask(text);
    await answer.arrayBuffer();
    times.push({ kind, ms: performance.now() - began, status: answer.status });
    if (answer.status >= 500) throw new Error(`${kind}: ${answer.status}`);
  }
  return times;
}

/**
 * Runs the same queries, each as a process of another program. Prefixes and alternatives have the same syntax there.
 */
async function askPeers(
  messages: number,
  queries: readonly { kind: string; text: string }[],
  say: (line: string) => void,
): Promise<Record<string, number[]>> {
  const times: Record<string, number[]> = {};
  const folder = mkdtempSync(join(tmpdir(), "postroom-bench-search-peers-"));
  try {
    const peers = SEARCH_PEERS.filter(({ needs }) => Bun.which(needs));
    for (const { name } of SEARCH_PEERS.filter(({ needs }) => !Bun.which(needs))) say(`  ${name} is not installed`);
    if (peers.length > 0) writeMaildir(folder, messages);
    for (const { name, index } of peers) {
      const ask = await index(folder);
      for (const { kind, text } of queries) {
        const filter = ` is:unread after:${AFTER}`;
        const notmuch = text.replace(filter, " tag:unread date:2001-01-01..");
        const mu = text.replace(filter, " flag:unread date:2001-01-01..");
        const began = performance.now();
        await ask({ kind, notmuch, mu });
        times[name] = [...(times[name] ?? []), performance.now() - began];
      }
      say(`  ${name} measured`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return times;
}

interface Measured {
  messages: number;
  started: Record<string, number[]>;
  latencies: Record<string, number[]>;
  junk: Junk[];
  peers: Record<string, number[]>;
  recall: Recall | null;
  /** Memory of the process before the first query, with the model loaded. */
  memory_before_bytes: number | null;
  /** After all queries in keyword mode, a moment later. */
  memory_keyword_bytes: number | null;
  /** Directly after the queries of all modes. */
  memory_bytes: number | null;
  /** After the junk queries, a moment later. */
  memory_junk_bytes: number | null;
  db_bytes: number;
}

function report(data: Measured): BenchResult {
  const { messages, started, latencies, junk, peers, recall } = data;
  const rows = Object.entries({ ...latencies, ...peers }).map(([name, values]) => [
    name,
    ...[0.5, 0.95, 0.99, 1].map((share) => milliseconds(percentile(values, share))),
  ]);
  const ratios = Object.entries(peers).map(([name, values]) => {
    const ratio = percentile(values, 0.5) / percentile(latencies.keyword!, 0.5);
    return `keyword against ${name} (a process): ${ratio.toFixed(2)} times as fast in the median`;
  });
  const facts = [
    ...ratios,
    `${messages} messages; database ${megabytes(data.db_bytes)} (${Math.round(data.db_bytes / messages)} bytes a message); memory after the queries ${megabytes(data.memory_bytes)}`,
    `memory at rest: ${megabytes(data.memory_before_bytes)} before the queries, ${megabytes(data.memory_keyword_bytes)} after those in keyword mode, ${megabytes(data.memory_junk_bytes)} after all and the junk queries`,
    ...Object.entries(started).map(
      ([mode, values]) => `start to first ${mode} answer ${milliseconds(percentile(values, 0.5))}`,
    ),
    junkLine(junk),
    ...(recall ? [recallLine(recall)] : []),
  ];
  return {
    name: "search",
    text: `${facts.join("\n")}\n\n${formatTable(["query", "p50", "p95", "p99", "slowest"], rows)}`,
    data,
    figures: judged("search", [
      ...MODES.flatMap((mode) => [
        { key: `${mode}_p50` as const, value: percentile(latencies[mode]!, 0.5), ...peerOf(mode, peers) },
        { key: `${mode}_p99` as const, value: percentile(latencies[mode]!, 0.99) },
      ]),
      { key: "memory", value: ((data.memory_keyword_bytes ?? Number.NaN) - (data.memory_before_bytes ?? 0)) / 1e6 },
      { key: "junk", value: percentile(times(junk), 1) },
      { key: "first_keyword", value: percentile(started.keyword!, 0.5) },
      { key: "first_semantic", value: percentile(started.semantic!, 0.5) },
    ]),
  };
}

/** The medians of other programs, which search by keywords only. */
function peerOf(mode: string, peers: Measured["peers"]): { peer?: string } {
  if (mode !== "keyword" || Object.keys(peers).length === 0) return {};
  const medians = Object.entries(peers).map(([name, values]) => `${name} ${milliseconds(percentile(values, 0.5))}`);
  return { peer: medians.join(", ") };
}

const times = (junk: readonly Junk[]): number[] => junk.map(({ ms }) => ms);

function junkLine(junk: readonly Junk[]): string {
  const slow = junk.filter(({ ms }) => ms > 100);
  const kinds = Object.entries(Object.groupBy(slow, ({ kind }) => kind)).map(([kind, all]) => `${kind} ${all!.length}`);
  const [p50, p99, slowest] = [0.5, 0.99, 1].map((share) => milliseconds(percentile(times(junk), share)));
  const over = slow.length === 0 ? "" : `; ${slow.length} took more than 100 ms (${kinds.join(", ")})`;
  return `${junk.length} junk queries: p50 ${p50}, p99 ${p99}, slowest ${slowest}${over}`;
}

function recallLine({ vectors, stored, unrounded, shortlist_ms }: Recall): string {
  const sharesText = ({ all, fifth, hundredth }: Shares) =>
    `${all.toFixed(3)}; with a filter that leaves a fifth ${fifth.toFixed(3)}, a hundredth ${hundredth.toFixed(3)}`;
  return [
    `recall@10 over ${vectors} vectors against exact search over the same: ${sharesText(stored)} (shortlist in ${milliseconds(shortlist_ms)})`,
    `  against exact search before they were rounded to eight bits: ${sharesText(unrounded)}`,
  ].join("\n");
}
