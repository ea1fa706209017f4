import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { freePorts } from "../support/dovecot.ts";
import type { GrownFolder } from "./growth-folders.ts";
import { LIMITS } from "./limits.ts";
import { processUsage } from "./measure.ts";
import { type Server, serve, until } from "./postroom.ts";
import { makeQueries } from "./queries.ts";

const PAGES = 300;
const THREADS = 300;
const QUERIES = 140;
/** Mail begins in June 2006; the smallest mailbox ends in August. */
const AFTER = "2006-06-15";
const REST_MS = 5_000;

/** Cost of one mailbox in use. Times in ms, one request after the other. */
export interface GrownUse {
  started_ms: number[];
  first_meaning_ms: number;
  list_ms: number[];
  thread_ms: number[];
  keyword_ms: number[];
  semantic_ms: number[];
  hybrid_ms: number[];
  /** At rest after the start, and after all of the requests above. */
  rest_bytes: number;
  usedBytes: number;
  /** The database and the sealed vectors beside it. */
  disk_bytes: number;
}

/** Starts a server on a filled folder, several times, and measures requests. */
export async function measureUse(command: string[], { data, key }: GrownFolder, starts: number): Promise<GrownUse> {
  const [port] = (await freePorts(1)) as [number];
  const url = `http://127.0.0.1:${port}/v1`;
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const get = (path: string) => fetch(`${url}${path}`, { headers });
  const search = (query: string, mode: string) =>
    fetch(`${url}/search`, { method: "POST", headers, body: JSON.stringify({ query, mode, limit: 25 }) });
  let server: Server | null = null;
  /** @returns ms to the first successful answer */
  const start = async (ask: () => Promise<Response>): Promise<number> => {
    await server?.stop();
    const began = performance.now();
    server = serve(command, data, port, LIMITS);
    const answered = () =>
      ask().then(
        (answer) => answer.ok || null,
        () => null,
      );
    await until(server, answered, 2);
    return performance.now() - began;
  };
  try {
    // The first semantic search makes the snapshot that later starts read; it is written when the server stops.
    await start(() => search("meeting", "semantic"));
    const first_meaning_ms = await start(() => search("meeting", "semantic"));
    const started_ms: number[] = [];
    for (let turn = 0; turn < starts; turn++) started_ms.push(await start(() => get("/threads?limit=25")));
    await Bun.sleep(REST_MS);
    const pid = server!.pid;
    const rest_bytes = processUsage(pid)?.rss_bytes ?? Number.NaN;
    const lists = await walk(get);
    const queries = makeQueries(QUERIES, AFTER).map(({ text }) => text);
    const asked = (mode: string, texts: string[]) => inTurn(texts, (text) => search(text, mode));
    const keyword_ms = await asked("keyword", queries);
    await search("meeting", "semantic");
    const semantic_ms = await asked("semantic", queries);
    const hybrid_ms = await asked("hybrid", queries);
    const usedBytes = processUsage(pid)?.rss_bytes ?? Number.NaN;
    const disk_bytes = sizeOf(join(data, "postroom.db")) + sizeOf(join(data, "vectors"));
    return {
      started_ms,
      first_meaning_ms,
      ...lists,
      keyword_ms,
      semantic_ms,
      hybrid_ms,
      rest_bytes,
      usedBytes,
      disk_bytes,
    };
  } finally {
    await (server as Server | null)?.stop();
  }
}

/** Requests pages of the list, one after the other, and threads from all of them. */
async function walk(get: (path: string) => Promise<Response>): Promise<{ list_ms: number[]; thread_ms: number[] }> {
  const ids: string[] = [];
  const list_ms: number[] = [];
  let cursor = "";
  for (let i = 0; i < PAGES; i++) {
    const began = performance.now();
    const answer = await get(`/threads?limit=25${cursor}`);
    const page = (await answer.json()) as { data: { id: string }[]; next_cursor: string | null };
    list_ms.push(performance.now() - began);
    ids.push(...page.data.map(({ id }) => id));
    if (!page.next_cursor) break;
    cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
  }
  const some = Array.from({ length: THREADS }, (_, i) => ids[(i * 31) % ids.length]!);
  return { list_ms, thread_ms: await inTurn(some, (id) => get(`/threads/${id}/messages`)) };
}

async function inTurn(what: string[], ask: (one: string) => Promise<Response>): Promise<number[]> {
  const times: number[] = [];
  for (const one of what) {
    const began = performance.now();
    const answer = await ask(one);
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`${one}: ${answer.status}`);
    times.push(performance.now() - began);
  }
  return times;
}

function sizeOf(path: string): number {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return 0;
  if (!found.isDirectory()) return found.size;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}
