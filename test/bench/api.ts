import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spamAssassin } from "../support/corpus.ts";
import { DOVECOT, type Dovecot, freePorts, startDovecot } from "../support/dovecot.ts";
import { eventually } from "../support/eventually.ts";
import { judged } from "./figures.ts";
import { type GrownFolder, growFolders, growRaw } from "./growth-folders.ts";
import { LIMITS } from "./limits.ts";
import type { BenchOptions, BenchResult } from "./main.ts";
import { formatTable, median, megabytes, milliseconds, percentile, processUsage, runScript } from "./measure.ts";
import { addMailbox, postroomCommand, type Server, serve, until } from "./postroom.ts";
import type { RawStore } from "./raw-sqlite.ts";

const MESSAGES = 100_000;
const SEED = 1;
const PER_SECOND = 200;
const QUIET_S = 20;
/** Shorter than the first sync of the corpus takes. */
const SYNC_S = 4;
/**
 * After this time without a request, the process's memory counts as memory at rest: the semantic worker, which starts
 * with the server, ends after two minutes.
 */
const IDLE_S = 150;

/** The output of load.ts: ms from the moment when a request was due to the end of its answer. */
interface Latencies {
  list: number[];
  messages: number[];
  failed: number;
}

interface Measured {
  messages: number;
  stored: GrownFolder["stored"];
  /** The same mail in SQLite alone. */
  raw_store: RawStore;
  started_ms: number[];
  idle_bytes: number | null;
  db_bytes: number;
  quiet: Latencies;
  /** Elysia alone, with the same answers. */
  raw: Latencies;
  syncing: Latencies | null;
  /** Of the executable; null from source. */
  executable_bytes: number | null;
}

/** The API over a large mailbox: start, memory, and latencies at a fixed rate, at rest and during a first sync. */
export async function benchApi(options: BenchOptions): Promise<BenchResult> {
  const messages = options.messages ?? MESSAGES;
  const folder = mkdtempSync(join(tmpdir(), "postroom-bench-api-"));
  const command = postroomCommand(options.executable);
  let server: Server | null = null;
  let dovecot: Dovecot | null = null;
  try {
    const [filled] = await growFolders(command, folder, [messages], SEED, options.say);
    const { data, key, stored } = filled!;
    const [raw_store] = await growRaw(folder, [messages], SEED);
    options.say("  and in SQLite alone");
    const started_ms: number[] = [];
    for (let turn = 0; turn < options.repeat; turn++) {
      await server?.stop();
      const began = performance.now();
      server = await answering(command, data, key);
      started_ms.push(performance.now() - began);
    }
    await Bun.sleep(IDLE_S * 1_000);
    const idle_bytes = processUsage(server!.pid)?.rss_bytes ?? null;
    const load = (duration_s: number) =>
      runScript<Latencies>("load.ts", [server!.url, key, String(PER_SECOND), String(duration_s)]);
    const quiet = await load(QUIET_S);
    options.say("  measured at rest");
    const raw = await rawLoad(folder, server!, key);
    options.say("  measured Elysia alone");
    const db_bytes = statSync(join(data, "postroom.db")).size;
    let syncing: Latencies | null = null;
    if (DOVECOT) {
      dovecot = await startDovecot();
      dovecot.loadMaildir("alice", "INBOX", spamAssassin());
      await addMailbox(command, data, dovecot.imapPort, dovecot.logins.alice);
      await until(server!, () => (server!.log().includes("first sync begins") ? true : null));
      syncing = await load(SYNC_S);
      const over = server!.log().includes("mailbox complete") ? ", which ended before the measurement" : "";
      options.say(`  measured during a first sync${over}`);
    } else options.say("  skipped: during a first sync (Dovecot is not installed)");
    const executable_bytes = options.executable ? statSync(options.executable).size : null;
    const sizes = { idle_bytes, db_bytes, executable_bytes };
    return report({ messages, stored, raw_store: raw_store!, started_ms, ...sizes, quiet, raw, syncing });
  } finally {
    await server?.stop();
    await dovecot?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs the same load on Elysia alone, which returns one of our answers for all requests of each kind. */
async function rawLoad(folder: string, { url }: Server, key: string): Promise<Latencies> {
  const get = async (path: string) => {
    const answer = await fetch(`${url}/v1${path}`, { headers: { authorization: `Bearer ${key}` } });
    return (await answer.json()) as { data: { id: string }[] };
  };
  const list = await get("/threads?limit=25");
  const messages = await get(`/threads/${list.data[0]!.id}/messages`);
  const file = join(folder, "answers.json");
  writeFileSync(file, JSON.stringify({ list, messages }));
  const [port] = (await freePorts(1)) as [number];
  const script = join(import.meta.dir, "raw-elysia.ts");
  const child = Bun.spawn([process.execPath, script, String(port), file], { stdout: "ignore", stderr: "inherit" });
  try {
    const raw = `http://127.0.0.1:${port}`;
    await eventually(async () => (await fetch(`${raw}/v1/threads`)).ok);
    return await runScript<Latencies>("load.ts", [raw, "nobody", String(PER_SECOND), String(QUIET_S)]);
  } finally {
    child.kill();
    await child.exited;
  }
}

/** Starts a server and waits for its first answer. */
async function answering(command: string[], data: string, key: string): Promise<Server> {
  const [port] = await freePorts(1);
  const server = serve(command, data, port!, LIMITS);
  const ask = async () => {
    const headers = { authorization: `Bearer ${key}` };
    const response = await fetch(`${server.url}/v1/threads?limit=25`, { headers }).catch(() => null);
    return response?.ok ? response.json() : null;
  };
  await until(server, ask, 2);
  return server;
}

function report(measured: Measured): BenchResult {
  const { messages, stored, raw_store, started_ms, idle_bytes, db_bytes, quiet, raw, syncing, executable_bytes } =
    measured;
  const summary = (name: string, values: number[], floor: number[] | null) => ({
    name,
    times_elysia: floor && percentile(values, 0.5) / percentile(floor, 0.5),
    p50_ms: percentile(values, 0.5),
    p95_ms: percentile(values, 0.95),
    p99_ms: percentile(values, 0.99),
    slowest_ms: percentile(values, 1),
  });
  const requests = [
    summary("GET /threads, 25 rows", quiet.list, raw.list),
    summary("  the same by Elysia alone", raw.list, null),
    summary("GET /threads/{id}/messages", quiet.messages, raw.messages),
    summary("  the same by Elysia alone", raw.messages, null),
  ];
  if (syncing) {
    requests.push(summary("during a first sync: GET /threads", syncing.list, raw.list));
    requests.push(summary("during a first sync: messages", syncing.messages, raw.messages));
  }
  const failed = quiet.failed + raw.failed + (syncing?.failed ?? 0);
  const facts = [
    `${messages} synthetic messages; database ${megabytes(db_bytes)}, ${Math.round(db_bytes / messages)} bytes a message`,
    `start to first answer ${milliseconds(median(started_ms))}, median of ${started_ms.length}`,
    `idle memory ${megabytes(idle_bytes)}`,
    `${PER_SECOND} requests/s, open loop; ${failed} failed`,
  ];
  const rows = requests.map((row) => [
    row.name,
    row.times_elysia?.toFixed(1) ?? "",
    ...[row.p50_ms, row.p95_ms, row.p99_ms, row.slowest_ms].map(milliseconds),
  ]);
  const table = formatTable(["request", "× Elysia", "p50", "p95", "p99", "slowest"], rows);
  const floor = formatTable(
    ["in one process", "× SQLite", "ours", "SQLite alone"],
    [
      against("storing a message, processor time", stored.cpu_ms / messages, raw_store.stored.cpu_ms / messages),
      against("page of threads, over HTTP", percentile(quiet.list, 0.5), percentile(raw_store.list_ms, 0.5)),
      against("messages of a thread, over HTTP", percentile(quiet.messages, 0.5), percentile(raw_store.thread_ms, 0.5)),
    ],
  );
  const data = { messages, stored, raw_store, started_ms, idle_bytes, db_bytes, executable_bytes, requests };
  const elysia = (row: (typeof requests)[number]) => `Elysia alone ${milliseconds(row.p50_ms)}`;
  const figures = judged("api", [
    { key: "list_p50", value: requests[0]!.p50_ms, peer: elysia(requests[1]!) },
    { key: "list_p99", value: requests[0]!.p99_ms },
    { key: "messages_p50", value: requests[2]!.p50_ms, peer: elysia(requests[3]!) },
    { key: "messages_p99", value: requests[2]!.p99_ms },
    ...(syncing
      ? [
          { key: "syncing_list_p99" as const, value: percentile(syncing.list, 0.99) },
          { key: "syncing_messages_p99" as const, value: percentile(syncing.messages, 0.99) },
        ]
      : []),
    { key: "start", value: median(started_ms) },
    { key: "rest", value: (idle_bytes ?? Number.NaN) / 1e6 },
    { key: "failed", value: failed },
    ...(executable_bytes === null ? [] : [{ key: "executable" as const, value: executable_bytes / 1e6 }]),
  ]);
  return { name: "api", text: `${table}\n\n${floor}\n\n${facts.join("\n")}`, data, figures };
}

function against(name: string, oursMs: number, rawMs: number): string[] {
  return [name, (oursMs / rawMs).toFixed(1), `${oursMs.toFixed(2)} ms`, `${rawMs.toFixed(3)} ms`];
}
