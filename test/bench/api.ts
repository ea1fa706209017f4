import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spamAssassin } from "../corpus.ts";
import { DOVECOT, type Dovecot, freePorts, startDovecot } from "../dovecot.ts";
import type { BenchOptions, BenchResult } from "./main.ts";
import { formatTable, megabytes, percentile, processUsage, runCommand, seconds } from "./measure.ts";
import { OWNER, postroom, postroomCommand, type Server, serve, until } from "./postroom.ts";

const MESSAGES = 100_000;
const PER_SECOND = 200;
const QUIET_S = 20;
const SYNC_S = 5;
/** Nothing but the work itself may limit the rate. */
const LIMITS = {
  POSTROOM_LIMITS_REQUESTS_PER_MINUTE_KEY: "1000000",
  POSTROOM_LIMITS_REQUESTS_PER_MINUTE_USER: "1000000",
  POSTROOM_LIMITS_REQUESTS_PER_MINUTE_IP: "1000000",
  POSTROOM_LIMITS_AUTOPILOT_REQUESTS_PER_DAY: "100000000",
};

interface Latencies {
  list: number[];
  messages: number[];
  failed: number;
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
    const filled = await runCommand([process.execPath, join(import.meta.dir, "fill.ts"), data, String(messages)]);
    options.say(`  ${messages} messages stored in ${seconds(filled.ms)}`);
    const [port] = await freePorts(1);
    const ask = () =>
      fetch(`http://127.0.0.1:${port}/v1/threads?limit=25`, { headers: { authorization: `Bearer ${key}` } }).then(
        (response) => (response.ok ? true : null),
        () => null,
      );
    const started: number[] = [];
    for (let turn = 0; turn < options.repeat; turn++) {
      await server?.stop();
      const began = performance.now();
      server = serve(command, data, port!, LIMITS);
      await until(server, ask, 2);
      started.push(performance.now() - began);
    }
    await Bun.sleep(10_000);
    const idle = processUsage(server!.pid);
    const load = (duration_s: number) => measure(server!.url, key, duration_s);
    const quiet = await load(QUIET_S);
    options.say("  measured at rest");
    let syncing: Latencies | null = null;
    if (DOVECOT) {
      dovecot = await startDovecot();
      dovecot.loadMaildir("alice", "INBOX", spamAssassin());
      const { username, password } = dovecot.logins.alice;
      const imap = ["--imap", `127.0.0.1:${dovecot.imapPort}`, "--imap-security", "none"];
      const mailbox = ["--user", OWNER, "--email", username, "--username", username, "--password-stdin"];
      await postroom(command, data, ["account", "add", ...mailbox, ...imap], { input: `${password}\n` });
      await until(server!, () => (server!.log().includes("first sync begins") ? true : null));
      syncing = await load(SYNC_S);
      const complete = server!.log().includes("mailbox complete");
      options.say(`  measured during a first sync${complete ? ", which ended before the measurement" : ""}`);
    } else options.say("  skipped: during a first sync (Dovecot is not installed)");
    const size = statSync(join(data, "postroom.db")).size;
    return report(messages, started, idle?.rss_bytes ?? null, size, quiet, syncing);
  } finally {
    await server?.stop();
    await dovecot?.stop();
    rmSync(data, { recursive: true, force: true });
  }
}

async function measure(url: string, key: string, duration_s: number): Promise<Latencies> {
  const args = [url, key, String(PER_SECOND), String(duration_s)];
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "load.ts"), ...args], {
    stdout: "pipe",
    stderr: "inherit",
  });
  const printed = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error("the load generator failed");
  return JSON.parse(printed) as Latencies;
}

function report(
  messages: number,
  started_ms: number[],
  idle_bytes: number | null,
  db_bytes: number,
  quiet: Latencies,
  syncing: Latencies | null,
): BenchResult {
  const ms = (value: number) => `${value.toFixed(1)} ms`;
  const row = (name: string, values: number[], failed: number) => [
    name,
    ...[0.5, 0.95, 0.99, 1].map((share) => ms(percentile(values, share))),
    String(failed),
  ];
  const rows = [
    row("GET /threads, 25 rows", quiet.list, quiet.failed),
    row("GET /threads/{id}/messages", quiet.messages, quiet.failed),
  ];
  if (syncing) {
    rows.push(row("the same during a first sync: threads", syncing.list, syncing.failed));
    rows.push(row("the same during a first sync: messages", syncing.messages, syncing.failed));
  }
  const facts = [
    `${messages} messages; database ${megabytes(db_bytes)}`,
    `start to first answer ${ms(percentile(started_ms, 0.5))} (median of ${started_ms.length})`,
    `idle memory ${megabytes(idle_bytes)}; ${PER_SECOND} requests/s, open loop`,
  ];
  return {
    name: "api",
    text: `${facts.join("\n")}\n\n${formatTable(["request", "p50", "p95", "p99", "slowest", "failed"], rows)}`,
    data: { messages, started_ms, idle_bytes, db_bytes, quiet, syncing },
  };
}
