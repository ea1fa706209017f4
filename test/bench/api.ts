import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spamAssassin } from "../corpus.ts";
import { DOVECOT, type Dovecot, freePorts, startDovecot } from "../dovecot.ts";
import { LIMITS } from "./limits.ts";
import type { BenchOptions, BenchResult } from "./main.ts";
import { formatTable, median, megabytes, milliseconds, percentile, processUsage, runScript } from "./measure.ts";
import { addMailbox, OWNER, postroom, postroomCommand, type Server, serve, until } from "./postroom.ts";

const MESSAGES = 100_000;
const PER_SECOND = 200;
const QUIET_S = 20;
/** Shorter than the first sync of the corpus takes. */
const SYNC_S = 4;
/** After so long without a request, what the process holds is its memory at rest. */
const IDLE_S = 10;

/** What load.ts prints: ms from the moment that a request was due to the end of its answer. */
interface Latencies {
  list: number[];
  messages: number[];
  failed: number;
}

/** What fill.ts prints: how long it took to store so many messages. */
interface Filled {
  progress: { messages: number; ms: number }[];
}

interface Measured {
  messages: number;
  filled: Filled;
  started_ms: number[];
  idle_bytes: number | null;
  db_bytes: number;
  quiet: Latencies;
  syncing: Latencies | null;
}

/** The API over a large mailbox: start, memory, and latencies at a fixed rate, at rest and during a first sync. */
export async function benchApi(options: BenchOptions): Promise<BenchResult> {
  const messages = options.messages ?? MESSAGES;
  const data = mkdtempSync(join(tmpdir(), "postroom-bench-api-"));
  const command = postroomCommand(options.executable);
  let server: Server | null = null;
  let dovecot: Dovecot | null = null;
  try {
    await postroom(command, data, ["user", "add", OWNER]);
    const key = (
      await postroom(command, data, ["key", "create", "--user", OWNER, "--name", "bench", "--scopes", "all"])
    ).trim();
    const filled = await runScript<Filled>("fill.ts", [data, String(messages)]);
    options.say(`  ${messages} messages stored`);
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
    return report({ messages, filled, started_ms, idle_bytes, db_bytes, quiet, syncing });
  } finally {
    await server?.stop();
    await dovecot?.stop();
    rmSync(data, { recursive: true, force: true });
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

function report({ messages, filled, started_ms, idle_bytes, db_bytes, quiet, syncing }: Measured): BenchResult {
  const summary = (name: string, values: number[], failed: number, p50_most: number | null, p99_most: number) => ({
    name,
    p50_ms: percentile(values, 0.5),
    p95_ms: percentile(values, 0.95),
    p99_ms: percentile(values, 0.99),
    slowest_ms: percentile(values, 1),
    failed,
    aim: `${p50_most === null ? "" : `p50 ≤ ${p50_most} ms, `}p99 ≤ ${p99_most} ms`,
  });
  const requests = [
    summary("GET /threads, 25 rows", quiet.list, quiet.failed, 3, 15),
    summary("GET /threads/{id}/messages", quiet.messages, quiet.failed, 3, 15),
  ];
  if (syncing) {
    requests.push(summary("during a first sync: GET /threads", syncing.list, syncing.failed, null, 40));
    requests.push(summary("during a first sync: messages", syncing.messages, syncing.failed, null, 40));
  }
  const exponent = growth(filled);
  const facts = [
    `${messages} messages; database ${megabytes(db_bytes)}, ${Math.round(db_bytes / messages)} bytes a message`,
    `start to first answer ${milliseconds(median(started_ms))}, median of ${started_ms.length} (aim ≤ 300 ms)`,
    `idle memory ${megabytes(idle_bytes)} (aim ≤ 180 MB)`,
    `storing grows with exponent ${exponent === null ? "?" : exponent.toFixed(2)} (aim ≤ 1.05)`,
    `${PER_SECOND} requests/s, open loop`,
  ];
  const rows = requests.map((row) => [
    row.name,
    ...[row.p50_ms, row.p95_ms, row.p99_ms, row.slowest_ms].map(milliseconds),
    String(row.failed),
    row.aim,
  ]);
  const table = formatTable(["request", "p50", "p95", "p99", "slowest", "failed", "aim"], rows);
  return {
    name: "api",
    text: `${facts.join("\n")}\n\n${table}`,
    data: { messages, progress: filled.progress, exponent, started_ms, idle_bytes, db_bytes, requests },
  };
}

/** By which power of the number of messages the time to store them grows, from a tenth of them to all. */
function growth({ progress }: Filled): number | null {
  const all = progress.at(-1);
  const tenth = progress.find(({ messages }) => all && messages >= all.messages / 10);
  if (!all || !tenth || tenth === all) return null;
  return Math.log(all.ms / tenth.ms) / Math.log(all.messages / tenth.messages);
}
