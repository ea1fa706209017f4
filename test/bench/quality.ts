import { Database } from "bun:sqlite";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePorts } from "../dovecot.ts";
import { missed } from "./aim.ts";
import { COLLECTION_NAMES, type Collection, quality, readCollection } from "./collections.ts";
import { LIMITS } from "./limits.ts";
import type { BenchOptions, BenchResult } from "./main.ts";
import { formatTable, runCommand } from "./measure.ts";
import { postroom, postroomCommand, type Server, serve, until } from "./postroom.ts";

const MODES = ["keyword", "semantic", "hybrid"] as const;
const BASELINE = "plain FTS5 BM25";
const LONGEST_QUERY = 1_000;
const LONGEST_WAIT_S = 1_200;

interface Score {
  map: number;
  ndcg: number;
}

/**
 * Retrieval quality of POST /search on classic collections, every figure through the API and after a restart: the server that
 * embedded the mail ends, and another process answers, with the vectors of the snapshot files.
 */
export async function benchQuality(options: BenchOptions): Promise<BenchResult> {
  if (COLLECTION_NAMES.length === 0) return { name: "quality", skipped: "the test collections are not here" };
  const data = mkdtempSync(join(tmpdir(), "postroom-bench-quality-"));
  const command = postroomCommand(options.executable);
  let server: Server | null = null;
  try {
    await postroom(command, data, ["user", "add", "owner@example.org"]);
    const filler = join(import.meta.dir, "fill-collections.ts");
    await runCommand([process.execPath, filler, data, ...COLLECTION_NAMES]);
    const [port] = await freePorts(1);
    server = serve(command, data, port!, LIMITS);
    const keys: Record<string, string> = {};
    for (const name of COLLECTION_NAMES) {
      const wanted = ["--user", `${name}@example.org`, "--name", "b", "--scopes", "mail:read,search:read"];
      keys[name] = (await postroom(command, data, ["key", "create", ...wanted])).trim();
    }
    await ready(server);
    for (const name of COLLECTION_NAMES) await embedded(server, keys[name]!);
    await server.stop();
    const snapshots = readdirSync(join(data, "vectors")).length;
    if (snapshots !== COLLECTION_NAMES.length) throw new Error(`${snapshots} snapshots of vectors were written`);
    server = serve(command, data, port!, LIMITS);
    await ready(server);
    const results: Record<string, Record<string, Score>> = {};
    for (const name of COLLECTION_NAMES) {
      results[name] = await measure(server, keys[name]!, readCollection(name));
      options.say(`  ${name}: ${MODES.map((mode) => `${mode} ${results[name]![mode]!.map.toFixed(3)}`).join(", ")}`);
    }
    return report(results);
  } finally {
    await server?.stop();
    rmSync(data, { recursive: true, force: true });
  }
}

interface Found {
  data: { message_id: string }[];
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

/** A request under /v1 that must succeed. */
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

/** Waits until all mail has its vectors, then searches once: from then on all of them are in memory, and in the file of the end. */
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

async function measure(server: Server, key: string, collection: Collection): Promise<Record<string, Score>> {
  const ids = new Map<string, string>();
  const idOf = async (message_id: string): Promise<string> => {
    const known = ids.get(message_id);
    if (known) return known;
    const { headers } = await call<{ headers: { message_id: string } }>(server, key, "GET", `/messages/${message_id}`);
    const id = /<([^@>]+)@/.exec(headers.message_id)?.[1] ?? "";
    ids.set(message_id, id);
    return id;
  };
  const scores: Record<string, Score> = { [BASELINE]: baseline(collection) };
  for (const mode of MODES) {
    const sum = { map: 0, ndcg: 0 };
    for (const { text, grades } of collection.queries) {
      const { data, partial } = await search(server, key, text, mode);
      // The first question may have come before the model was loaded; a figure without its meaning would be another mode's.
      if (partial) throw new Error("a search was answered in part");
      const { ap, ndcg } = quality(await Promise.all(data.map(({ message_id }) => idOf(message_id))), grades);
      sum.map += ap / collection.queries.length;
      sum.ndcg += ndcg / collection.queries.length;
    }
    scores[mode] = sum;
  }
  return scores;
}

/** SQLite's own full-text search with its stemmer, every word of the question an alternative. */
function baseline({ documents, queries }: Collection): Score {
  const db = new Database(":memory:");
  db.run("CREATE VIRTUAL TABLE t USING fts5(title, text, tokenize = 'porter unicode61')");
  const insert = db.query("INSERT INTO t (rowid, title, text) VALUES (?, ?, ?)");
  for (const [i, { title, text }] of documents.entries()) insert.run(i, title, text);
  const find = db.query<{ rowid: number }, [string]>("SELECT rowid FROM t WHERE t MATCH ? ORDER BY bm25(t) LIMIT 100");
  const sum = { map: 0, ndcg: 0 };
  for (const { text, grades } of queries) {
    const words = new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu));
    const rows = find.all([...words].map((word) => `"${word}"`).join(" OR "));
    const { ap, ndcg } = quality(
      rows.map(({ rowid }) => documents[rowid]!.id),
      grades,
    );
    sum.map += ap / queries.length;
    sum.ndcg += ndcg / queries.length;
  }
  db.close();
  return sum;
}

function report(results: Record<string, Record<string, Score>>): BenchResult {
  const rows = Object.entries(results).flatMap(([name, scores]) =>
    [BASELINE, ...MODES].map((mode) => [name, mode, scores[mode]!.map.toFixed(4), scores[mode]!.ndcg.toFixed(4)]),
  );
  const misses = missed(
    Object.entries(results).flatMap(([name, scores]) => [
      { what: `${name}, keyword`, measured: scores.keyword!.map, at_least: scores[BASELINE]!.map, unit: "MAP of FTS5" },
      { what: `${name}, hybrid`, measured: scores.hybrid!.map, at_least: scores.keyword!.map, unit: "MAP of keyword" },
    ]),
  );
  const text = formatTable(["collection", "search", "MAP@100", "nDCG@10"], rows);
  return { name: "quality", text, data: results, misses };
}
