import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePorts } from "../support/dovecot.ts";
import { COLLECTION_NAMES, readCollection } from "./collections.ts";
import type { Meant } from "./fill-collections.ts";
import { MAILBOXES } from "./known-items/known-items.ts";
import { LIMITS } from "./limits.ts";
import type { BenchOptions, BenchResult } from "./main.ts";
import { runCommand } from "./measure.ts";
import { postroom, postroomCommand, type Server, serve, until } from "./postroom.ts";
import { ALL, BASELINE, type ByKind, KindTallies, MODES, type QualityData, reportQuality } from "./quality-report.ts";
import { personOf } from "./relevance/fill.ts";
import { Fts5 } from "./relevance/fts5.ts";
import { JUNK, JUNK_MAILBOXES } from "./relevance/junk.ts";
import { type Figures, gradesOfThreads, Tally } from "./relevance/measures.ts";
import { readSet } from "./relevance/sets.ts";

const LONGEST_QUERY = 1_000;
const LONGEST_WAIT_S = 1_200;
/** Vectors of fewer messages have no snapshot: they are read one by one. */
const SNAPSHOT_MESSAGES = 1_000;
const SETS = [...COLLECTION_NAMES, ...MAILBOXES];

/**
 * Retrieval quality of POST /search on public collections, on known items, and for queries that nothing answers. Every figure
 * through the API and after a restart: the server that embedded the mail ends, and another process answers, with the
 * vectors of the snapshot files.
 */
export async function benchQuality(options: BenchOptions): Promise<BenchResult> {
  if (COLLECTION_NAMES.length === 0)
    options.say("  the public collections are not here: only known items are measured");
  const work = mkdtempSync(join(tmpdir(), "postroom-bench-quality-"));
  const data = join(work, "data");
  const command = postroomCommand(options.executable);
  let server: Server | null = null;
  try {
    await postroom(command, data, ["user", "add", "owner@example.org"]);
    const meantFile = join(work, "meant.json");
    await runCommand([process.execPath, join(import.meta.dir, "fill-collections.ts"), data, meantFile, ...SETS]);
    const meant = JSON.parse(readFileSync(meantFile, "utf8")) as Record<string, Meant>;
    const [port] = await freePorts(1);
    server = serve(command, data, port!, LIMITS);
    const keys: Record<string, string> = {};
    for (const name of SETS) {
      const wanted = ["--user", personOf(name), "--name", "b", "--scopes", "mail:read,search:read"];
      const whose = readSet(name).messages === null ? ["--test"] : [];
      keys[name] = (await postroom(command, data, ["key", "create", ...wanted, ...whose])).trim();
    }
    await ready(server);
    for (const name of SETS) await embedded(server, keys[name]!);
    await server.stop();
    const snapshots = readdirSync(join(data, "vectors")).length;
    const large = SETS.filter((name) => (readSet(name).messages?.length ?? 0) > SNAPSHOT_MESSAGES);
    if (snapshots < large.length) throw new Error(`${snapshots} snapshots of vectors were written`);
    server = serve(command, data, port!, LIMITS);
    await ready(server);
    const measured = await measureAll(server, keys, meant, options.say);
    return { name: "quality", data: measured, ...reportQuality(measured) };
  } finally {
    await server?.stop();
    rmSync(work, { recursive: true, force: true });
  }
}

interface Found {
  data: { thread_id: string }[];
  partial: boolean;
}

interface Progress {
  done: number;
  total: number;
}

function ready(server: Server): Promise<true> {
  return until(server, () =>
    fetch(`${server.url}/readyz`).then(
      ({ ok }) => ok || null,
      () => null,
    ),
  );
}

/** Makes a request under /v1 that must succeed. */
async function call<T>(server: Server, key: string, method: string, path: string, body?: object): Promise<T> {
  const headers = {
    authorization: `Bearer ${key}`,
    "content-type": "application/json",
  };
  const response = await fetch(`${server.url}/v1${path}`, { method, headers, body: body && JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

function search(server: Server, key: string, query: string, mode: string): Promise<Found> {
  const body = { query: query.slice(0, LONGEST_QUERY), mode, limit: 100 };
  return call<Found>(server, key, "POST", "/search", body);
}

/**
 * Waits until all mail has its vectors, then searches once: from then on all of them are in memory, and in the file
 * that is written at the end.
 */
async function embedded(server: Server, key: string): Promise<void> {
  const isDone = async () => {
    const { data } = await call<{ data: { search: Progress }[] }>(server, key, "GET", "/accounts");
    return data.every(({ search: { done, total } }) => total > 0 && done === total);
  };
  for (let turn = 0; !(await isDone()); turn++) {
    if (turn > LONGEST_WAIT_S) throw new Error("the mail was not embedded in time");
    await Bun.sleep(1_000);
  }
  await search(server, key, "ready", "semantic");
}

/** Returns the threads that a query finds, best first. */
async function rank(server: Server, key: string, query: string, mode: string): Promise<string[]> {
  const { data, partial } = await search(server, key, query, mode);
  // The first query may have preceded the loading of the model; a figure without semantic search would belong to
  // another mode.
  if (partial) throw new Error("a search was answered in part");
  return data.map(({ thread_id }) => thread_id);
}

async function measureAll(
  server: Server,
  keys: Record<string, string>,
  meant: Record<string, Meant>,
  say: (line: string) => void,
): Promise<QualityData> {
  const data: QualityData = { collections: {}, knownItems: {}, nothingRelevant: {} };
  for (const name of COLLECTION_NAMES) {
    const of: Record<string, Figures> = { [BASELINE]: baseline(name) };
    for (const mode of MODES) of[mode] = (await tallied(server, keys[name]!, name, meant[name]!, mode))[ALL]!;
    data.collections[name] = of;
    say(`  ${name}: ${MODES.map((mode) => `${mode} ${of[mode]!.ndcg.toFixed(3)}`).join(", ")}`);
  }
  const all = Object.fromEntries(MODES.map((mode) => [mode, new KindTallies()]));
  for (const name of MAILBOXES) {
    const of: Record<string, ByKind> = {};
    for (const mode of MODES) of[mode] = await tallied(server, keys[name]!, name, meant[name]!, mode, all[mode]);
    data.knownItems[name] = of;
    say(`  ${name}: ${MODES.map((mode) => `${mode} ${of[mode]![ALL]!.success10.toFixed(3)}`).join(", ")}`);
  }
  data.knownItems[ALL] = Object.fromEntries(MODES.map((mode) => [mode, all[mode]!.figures()]));
  for (const name of JUNK_MAILBOXES) data.nothingRelevant[name] = await measureJunk(server, keys[name]!);
  return data;
}

/** Runs a set in one mode. @param together also counts these results */
async function tallied(
  server: Server,
  key: string,
  name: string,
  meant: Meant,
  mode: string,
  together?: KindTallies,
): Promise<ByKind> {
  const own = new KindTallies();
  const threads = new Map(meant.threads);
  for (const { text, kind, grades } of readSet(name).queries(new Date(meant.madeAt))) {
    const ranked = await rank(server, key, text, mode);
    const answers = gradesOfThreads(grades, threads);
    own.add(kind, ranked, answers);
    together?.add(kind, ranked, answers);
  }
  return own.figures();
}

async function measureJunk(server: Server, key: string): Promise<Record<string, ByKind>> {
  const of: Record<string, ByKind> = {};
  for (const mode of MODES) {
    const tallies = new KindTallies();
    for (const [kind, texts] of Object.entries(JUNK)) {
      for (const text of texts) tallies.add(kind, await rank(server, key, text, mode), new Map());
    }
    of[mode] = tallies.figures();
  }
  return of;
}

function baseline(name: string): Figures {
  const { documents, queries } = readCollection(name);
  const fts5 = new Fts5(documents);
  const tally = new Tally();
  for (const { text, grades } of queries) tally.add(fts5.find(text), grades);
  fts5.close();
  return tally.figures();
}
