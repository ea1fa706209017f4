import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTransport } from "nodemailer";
import { DOVECOT, type Dovecot, freePorts, startDovecot, type TestUser } from "../support/dovecot.ts";
import { judged } from "./figures.ts";
import { growFolders } from "./growth-folders.ts";
import { LIMITS } from "./limits.ts";
import type { BenchOptions, BenchResult } from "./main.ts";
import { formatTable, megabytes, milliseconds, percentile, processUsage, runScript } from "./measure.ts";
import { addMailbox, answered, OWNER, postroom, postroomCommand, type Server, serve, until } from "./postroom.ts";

const MESSAGES = { full: 100_000, short: 2_000 };
const SEED = 1;
const RATES = { full: [200, 400, 600, 800, 1_000, 1_250, 1_500, 2_000], short: [200, 400] };
const RATE_S = { full: 8, short: 3 };
/** A rate counts as served while 99 of 100 answers take no longer. */
const SERVED_P99_MS = 50;
const ACCOUNTS = { full: [10, 50, 200], short: [5, 10] };
const MAILS_EACH = 20;
const IDLE_S = { full: 20, short: 5 };
const ARRIVALS = 20;
const PASSWORD = "capacity-pw";

/** Answers at a rate of requests. */
interface Rate {
  per_second: number;
  p50_ms: number;
  p99_ms: number;
  failed: number;
}

/** A server with connected mailboxes. */
interface Connected {
  accounts: number;
  rss_bytes: number | null;
  /** Share of one processor without new mail, percent. */
  idle_percent: number;
  /** From the delivery to the server until the API has the message, ms. */
  arrival_ms: number[];
}

/** What one server carries: requests a second over a large mailbox, and mailboxes that are connected at the same time. */
export async function benchCapacity(options: BenchOptions): Promise<BenchResult> {
  const command = postroomCommand(options.executable);
  const messages = options.messages ?? MESSAGES[formOf(options)];
  const folder = mkdtempSync(join(tmpdir(), "postroom-bench-capacity-"));
  try {
    const rates = await requestRates(command, folder, messages, options);
    const connected = DOVECOT ? await connections(command, folder, options) : [];
    return report(messages, rates, connected);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const formOf = ({ short }: BenchOptions) => (short ? "short" : "full");

/** Raises the rate of requests until the server no longer keeps up. */
async function requestRates(
  command: string[],
  folder: string,
  mailbox: number,
  options: BenchOptions,
): Promise<Rate[]> {
  const [filled] = await growFolders(command, folder, [mailbox], SEED, options.say);
  const { data, key } = filled!;
  const [port] = await freePorts(1);
  const server = serve(command, data, port!, LIMITS);
  const rates: Rate[] = [];
  try {
    await until(server, () => answered(server, key, "/threads?limit=1"), 20);
    for (const per_second of RATES[formOf(options)]) {
      const args = [server.url, key, String(per_second), String(RATE_S[formOf(options)])];
      const { list, messages, failed } = await runScript<{ list: number[]; messages: number[]; failed: number }>(
        "load.ts",
        args,
      );
      const all = [...list, ...messages];
      const rate = { per_second, p50_ms: percentile(all, 0.5), p99_ms: percentile(all, 0.99), failed };
      rates.push(rate);
      options.say(`  ${per_second} requests a second: p99 ${milliseconds(rate.p99_ms)}`);
      if (failed > 0 || rate.p99_ms > SERVED_P99_MS) break;
    }
    return rates;
  } finally {
    await server.stop();
  }
}

/** Connects more and more mailboxes to one server. */
async function connections(command: string[], folder: string, options: BenchOptions): Promise<Connected[]> {
  const sizes = ACCOUNTS[formOf(options)];
  const dovecot = await startDovecot();
  const users = Array.from({ length: Math.max(...sizes) }, (_, n) => `${addressOf(n)}:{PLAIN}${PASSWORD}::::::\n`);
  appendFileSync(join(dovecot.base, "users"), users.join(""));
  const data = join(folder, "accounts");
  const [port] = await freePorts(1);
  let server: Server | null = null;
  try {
    await postroom(command, data, ["user", "add", OWNER]);
    const key = await newKey(command, data);
    server = serve(command, data, port!, LIMITS);
    const running = server;
    await until(running, () => answered(running, key, "/accounts"), 20);
    const connected: Connected[] = [];
    for (const accounts of sizes) {
      const before = connected.at(-1)?.accounts ?? 0;
      for (let n = before; n < accounts; n++) await connect(command, data, dovecot, n);
      await until(running, () => allLive(running, key, accounts), 500);
      options.say(`  ${accounts} mailboxes connected`);
      connected.push(await measure(running, dovecot, key, accounts, IDLE_S[formOf(options)]));
    }
    return connected;
  } finally {
    await server?.stop();
    await dovecot.stop();
  }
}

const newKey = async (command: string[], data: string): Promise<string> =>
  (await postroom(command, data, ["key", "create", "--user", OWNER, "--name", "bench", "--scopes", "all"])).trim();

/** Gives a user of the mail server some mail, and connects their mailbox. */
async function connect(command: string[], data: string, dovecot: Dovecot, n: number): Promise<void> {
  const username = addressOf(n);
  const mails = Array.from({ length: MAILS_EACH }, (_, i) => ({ raw: mail(n, `Report ${i}`) }));
  dovecot.loadMaildir(`user${n}` as TestUser, "INBOX", mails);
  await addMailbox(command, data, dovecot.imapPort, { username, password: PASSWORD });
}

async function measure(
  server: Server,
  dovecot: Dovecot,
  key: string,
  accounts: number,
  idleS: number,
): Promise<Connected> {
  await Bun.sleep(idleS * 1_000);
  const began = processUsage(server.pid);
  await Bun.sleep(idleS * 1_000);
  const ended = processUsage(server.pid);
  const idle_percent = ((ended?.cpu_ms ?? 0) - (began?.cpu_ms ?? 0)) / (idleS * 10);
  const transport = createTransport({
    host: "127.0.0.1",
    port: dovecot.lmtpPort,
    lmtp: true,
    ignoreTLS: true,
  } as object);
  const arrival_ms: number[] = [];
  for (let i = 0; i < ARRIVALS; i++) {
    const n = Math.floor((i * accounts) / ARRIVALS);
    const subject = `Arrival ${accounts}-${i}`;
    await transport.sendMail({ envelope: { from: "sender@example.net", to: [addressOf(n)] }, raw: mail(n, subject) });
    const delivered = performance.now();
    await until(
      server,
      async () => {
        const page = await answered<{ data: { subject: string }[] }>(server, key, "/threads?limit=5");
        return page?.data.some((thread) => thread.subject === subject) ? true : null;
      },
      10,
    );
    arrival_ms.push(performance.now() - delivered);
  }
  return { accounts, rss_bytes: ended?.rss_bytes ?? null, idle_percent, arrival_ms };
}

async function allLive(server: Server, key: string, accounts: number): Promise<true | null> {
  const page = await answered<{ data: { sync: { phase: string } }[] }>(server, key, "/accounts?limit=200");
  return page && page.data.filter(({ sync }) => sync.phase === "live").length >= accounts ? true : null;
}

const addressOf = (n: number) => `user${n}@mail.test`;

function mail(n: number, subject: string): string {
  const head = [`From: Sender ${n} <sender${n}@example.net>`, `To: ${addressOf(n)}`, `Subject: ${subject}`];
  return [...head, `Message-ID: <${crypto.randomUUID()}@example.net>`, "", `${subject} is ready.`, ""].join("\r\n");
}

function report(messages: number, rates: Rate[], connected: Connected[]): BenchResult {
  const served = rates.filter(({ p99_ms, failed }) => failed === 0 && p99_ms <= SERVED_P99_MS);
  const requests = formatTable(
    ["requests a second", "p50", "p99", "failed"],
    rates.map(({ per_second, p50_ms, p99_ms, failed }) => [
      String(per_second),
      milliseconds(p50_ms),
      milliseconds(p99_ms),
      String(failed),
    ]),
  );
  const mailboxes = formatTable(
    ["mailboxes", "memory", "processor at rest", "new mail in the API, p50", "slowest"],
    connected.map(({ accounts, rss_bytes, idle_percent, arrival_ms }) => [
      String(accounts),
      megabytes(rss_bytes),
      `${idle_percent.toFixed(1)}%`,
      milliseconds(percentile(arrival_ms, 0.5)),
      milliseconds(percentile(arrival_ms, 1)),
    ]),
  );
  const facts = [
    `${messages} synthetic messages; half of the requests list 25 threads, half read the messages of a thread`,
    `served with p99 ≤ ${SERVED_P99_MS} ms: ${served.at(-1)?.per_second ?? 0} requests a second`,
    connected.length === 0
      ? "mailboxes: skipped, Dovecot is not installed"
      : `mailboxes of ${MAILS_EACH} messages each`,
  ];
  const last = connected.at(-1);
  const of = `${last?.accounts}`;
  const figures = judged("capacity", [
    { key: "requests", value: served.at(-1)?.per_second ?? 0 },
    ...(last
      ? [
          { key: "memory" as const, of, value: (last.rss_bytes ?? Number.NaN) / 1e6 },
          { key: "idle" as const, of, value: last.idle_percent },
          { key: "arrival" as const, of, value: percentile(last.arrival_ms, 1) },
        ]
      : []),
  ]);
  const text = `${requests}\n\n${mailboxes}\n\n${facts.join("\n")}`;
  return { name: "capacity", text, data: { messages, rates, connected }, figures };
}
