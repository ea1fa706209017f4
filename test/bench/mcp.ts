import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePorts } from "../support/dovecot.ts";
import { judged } from "./figures.ts";
import { growFolders } from "./growth-folders.ts";
import { LIMITS } from "./limits.ts";
import type { BenchOptions, BenchResult } from "./main.ts";
import { formatTable, median, megabytes, milliseconds, percentile, processUsage } from "./measure.ts";
import { OWNER, postroom, postroomCommand, type Server, serve, until } from "./postroom.ts";
import { makeQueries } from "./queries.ts";

const MESSAGES = 100_000;
const SEED = 1;
const CALLS = 300;
/** Calls that are not measured, because the runtime compiles code that runs often. */
const WARMED = 50;
const AFTER = "2021-01-01";
/** After this time without a request, the process's memory counts as memory at rest. */
const IDLE_S = 10;
const REVISION = "2026-07-28";
const ON = { ...LIMITS, POSTROOM_MCP_ENABLED: "true" };

/** A server that was started several times and not asked for tools. */
interface Start {
  ms: number[];
  idle_bytes: number | null;
}

/**
 * The tool server over a large mailbox: latencies of calls one after the other, over HTTP; start and memory of the program
 * while the tool server is off, and while it is on but unused.
 */
export async function benchMcp(options: BenchOptions): Promise<BenchResult> {
  const messages = options.messages ?? MESSAGES;
  const folder = mkdtempSync(join(tmpdir(), "postroom-bench-mcp-"));
  const command = postroomCommand(options.executable);
  let server: Server | null = null;
  try {
    const [filled] = await growFolders(command, folder, [messages], SEED, options.say);
    const { data } = filled!;
    const made = ["key", "create", "--user", OWNER, "--name", "mcp", "--scopes", "all"];
    const key = (await postroom(command, data, made)).trim();
    const start = async (env: Record<string, string>): Promise<Start> => {
      const ms: number[] = [];
      for (let turn = 0; turn < options.repeat; turn++) {
        await server?.stop();
        const began = performance.now();
        server = await answering(command, data, key, env);
        ms.push(performance.now() - began);
      }
      await Bun.sleep(IDLE_S * 1_000);
      return { ms, idle_bytes: processUsage(server!.pid)?.rss_bytes ?? null };
    };
    // The first start after filling has work that later ones do not have.
    await start(LIMITS);
    const off = await start(LIMITS);
    const on = await start(ON);
    options.say("  start and memory measured");
    const ask = caller(server!.url, key);
    const began = performance.now();
    await ask("tools/list");
    const first_ms = performance.now() - began;
    const latencies = await measure(ask);
    await Bun.sleep(IDLE_S * 1_000);
    const used_bytes = processUsage(server!.pid)?.rss_bytes ?? null;
    return report({ messages, off, on, first_ms, latencies, used_bytes });
  } finally {
    await (server as Server | null)?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Starts a server and waits for its first answer. */
async function answering(command: string[], data: string, key: string, env: Record<string, string>): Promise<Server> {
  const [port] = await freePorts(1);
  const server = serve(command, data, port!, env);
  const ask = async () => {
    const headers = { authorization: `Bearer ${key}` };
    const response = await fetch(`${server.url}/v1/threads?limit=25`, { headers }).catch(() => null);
    return response?.ok ? response.json() : null;
  };
  await until(server, ask, 2);
  return server;
}

type Ask = (method: string, params?: { name: string; arguments: object }) => Promise<Record<string, unknown>>;

/** Returns a client of the newest revision, without a library. Its requests throw on every error. */
function caller(url: string, key: string): Ask {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": REVISION,
    "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  return async (method, params) => {
    const response = await fetch(`${url}/mcp`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": REVISION,
        "mcp-method": method,
        ...(params && { "mcp-name": params.name }),
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: meta } }),
    });
    const text = await response.text();
    const { result } = JSON.parse(text) as { result?: Record<string, unknown> };
    if (!result || result.isError) throw new Error(`${method} ${params?.name ?? ""}: ${response.status} ${text}`);
    return result;
  };
}

async function measure(ask: Ask): Promise<Record<string, number[]>> {
  const call = async (name: string, input: object) =>
    (await ask("tools/call", { name, arguments: input })).structuredContent as { threads: { id: string }[] };
  const { threads } = await call("list_threads", { limit: 25 });
  const ids = threads.map(({ id }) => id);
  const queries = makeQueries(CALLS + WARMED, AFTER);
  const calls: Record<string, (n: number) => Promise<unknown>> = {
    "tools/list": () => ask("tools/list"),
    list_threads: () => call("list_threads", { limit: 25 }),
    search: (n) => call("search", { query: queries[n % queries.length]!.text }),
    fetch: (n) => call("fetch", { id: ids[n % ids.length]! }),
    update_threads: (n) => call("update_threads", { ids: [ids[n % ids.length]!], read: n % 2 === 0 }),
  };
  const latencies: Record<string, number[]> = {};
  for (const [name, run] of Object.entries(calls)) {
    const times: number[] = [];
    for (let n = 0; n < CALLS + WARMED; n++) {
      const began = performance.now();
      await run(n);
      if (n >= WARMED) times.push(performance.now() - began);
    }
    latencies[name] = times;
  }
  return latencies;
}

interface Measured {
  messages: number;
  off: Start;
  on: Start;
  /** The first request, which loads the libraries. */
  first_ms: number;
  latencies: Record<string, number[]>;
  used_bytes: number | null;
}

function report({ messages, off, on, first_ms, latencies, used_bytes }: Measured): BenchResult {
  const requests = Object.entries(latencies).map(([name, values]) => ({
    name,
    p50_ms: percentile(values, 0.5),
    p99_ms: percentile(values, 0.99),
  }));
  const rows = requests.map(({ name, p50_ms, p99_ms }) => [name, milliseconds(p50_ms), milliseconds(p99_ms)]);
  const facts = [
    `${messages} synthetic messages; ${CALLS} calls of each kind, one after the other`,
    `start to first answer: off ${milliseconds(median(off.ms))}, on and unused ${milliseconds(median(on.ms))}`,
    `memory at rest: off ${megabytes(off.idle_bytes)}, on and unused ${megabytes(on.idle_bytes)}, after the calls ${megabytes(used_bytes)}`,
    `first request, which loads the libraries: ${milliseconds(first_ms)}`,
  ];
  const figures = judged("mcp", [
    { key: "list_p50", value: requests.find(({ name }) => name === "list_threads")!.p50_ms },
    { key: "start", value: median(on.ms) - median(off.ms), peer: `turned off ${milliseconds(median(off.ms))}` },
    {
      key: "memory",
      value: ((on.idle_bytes ?? Number.NaN) - (off.idle_bytes ?? Number.NaN)) / 1e6,
      peer: `turned off ${megabytes(off.idle_bytes)}`,
    },
  ]);
  const text = `${formatTable(["request", "p50", "p99"], rows)}\n\n${facts.join("\n")}`;
  return { name: "mcp", text, data: { messages, off, on, first_ms, used_bytes, requests }, figures };
}
