import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ImapFlow } from "imapflow";
import { createTransport } from "nodemailer";
import { createAuthority, OPENSSL } from "../support/certificates.ts";
import { DOVECOT, type Dovecot, freePorts, startDovecot, type TestUser } from "../support/dovecot.ts";
import { type HttpsReceiver, startReceiver } from "../support/https-receiver.ts";
import { judged } from "./figures.ts";
import { inotifyInstances } from "./inotify.ts";
import { LIMITS } from "./limits.ts";
import type { BenchOptions, BenchResult } from "./main.ts";
import { formatTable, milliseconds, percentile } from "./measure.ts";
import { addMailbox, answered, OWNER, postroom, postroomCommand, type Server, serve, until } from "./postroom.ts";
import { rawCopies } from "./raw-copies.ts";

const ACCOUNTS = 5;
/** The account with the backfill. */
const FILLING = ACCOUNTS - 1;
const MAILS_EACH = 20;
/** Long enough for all rounds. */
const BACKFILL = { full: 60_000, short: 12_000 };
const LOADED_AT_ONCE = 2_000;
/** In each, every account gets a message. */
const ROUNDS = { full: 40, short: 5 };
const POLL_MS = 10;
/** Rounds begin at different times within the server's own intervals. */
const PAUSE_MS = 130;
const GIVE_UP_MS = 60_000;
const PASSWORD = "live-pw";

/** The times of one message, ms since this process started; null: it did not happen in time. */
interface Arrival {
  account: number;
  subject: string;
  /** Whether the backfill was still running when the message had arrived. */
  filling: boolean;
  delivered: number;
  announced: number | null;
  inApi: number | null;
  hooked: number | null;
}

/**
 * Measures new mail in five mailboxes of one server during the first sync of one of them: the time from the server's
 * announcement, on a separate connection, until the API lists the message, and from there to the webhook.
 */
export async function benchLive(options: BenchOptions): Promise<BenchResult> {
  if (!DOVECOT || !OPENSSL) return { name: "live", skipped: "Dovecot or openssl is not installed" };
  const messages = options.messages ?? (options.short ? BACKFILL.short : BACKFILL.full);
  const data = mkdtempSync(join(tmpdir(), "postroom-bench-live-"));
  const authority = createAuthority();
  const receiver = await startReceiver(authority.issue(["127.0.0.1"]));
  const dovecot = await startDovecot();
  let server: Server | null = null;
  const watchers: ImapFlow[] = [];
  try {
    fill(dovecot, messages);
    options.say(`  ${messages} messages wait for the backfill`);
    const command = postroomCommand(options.executable);
    await postroom(command, data, ["user", "add", OWNER]);
    const created = ["key", "create", "--user", OWNER, "--name", "bench", "--scopes", "all"];
    const key = (await postroom(command, data, created)).trim();
    const [port] = await freePorts(1);
    const hooks = { POSTROOM_WEBHOOKS_ALLOW: "127.0.0.1", POSTROOM_WEBHOOKS_CA_FILE: authority.ca_file };
    server = serve(command, data, port!, { ...LIMITS, ...hooks });
    const running = server;
    await until(running, () => answered(running, key, "/accounts"));
    await addWebhook(running, key, receiver);
    const live = new Live(running, key, dovecot, receiver);
    for (let n = 0; n < ACCOUNTS; n++) {
      if (n === FILLING) await until(running, () => live.settled(FILLING), 200);
      await addMailbox(command, data, dovecot.imapPort, { username: addressOf(n), password: PASSWORD });
    }
    for (let n = 0; n < ACCOUNTS; n++) watchers.push(await live.watch(n));
    await until(running, () => live.isFilling(), 100);
    options.say("  the backfill has begun");
    const inotify = inotifyInstances();
    const rounds = options.short ? ROUNDS.short : ROUNDS.full;
    for (let round = 0; round < rounds && (await live.isFilling()); round++) await live.round(round);
    return report(messages, rounds, live.arrivals, inotify);
  } finally {
    for (const watcher of watchers) watcher.close();
    await server?.stop();
    await dovecot.stop();
    await receiver.stop();
    authority.remove();
    rmSync(data, { recursive: true, force: true });
  }
}

class Live {
  readonly arrivals: Arrival[] = [];

  constructor(
    private readonly server: Server,
    private readonly key: string,
    private readonly dovecot: Dovecot,
    private readonly receiver: HttpsReceiver,
  ) {}

  /** Waits for announcements on a separate connection to a mailbox. */
  async watch(account: number): Promise<ImapFlow> {
    const client = new ImapFlow({
      host: "127.0.0.1",
      port: this.dovecot.imapPort,
      secure: false,
      doSTARTTLS: false,
      auth: { user: addressOf(account), pass: PASSWORD },
      logger: false,
      disableAutoIdle: true,
    });
    client.on("error", () => {});
    await client.connect();
    await client.mailboxOpen("INBOX", { readOnly: true });
    client.on("exists", ({ count, prevCount }: { count: number; prevCount: number }) => {
      const now = performance.now();
      const waiting = this.arrivals.filter((one) => one.account === account && one.announced === null);
      for (const one of waiting.slice(0, count - prevCount)) one.announced = now;
    });
    void client.idle().catch(() => {});
    return client;
  }

  /** Returns true once this many accounts are live. */
  async settled(accounts: number): Promise<true | null> {
    const phases = await this.#phases();
    return phases.filter((phase) => phase === "live").length >= accounts ? true : null;
  }

  async isFilling(): Promise<true | null> {
    return (await this.#phases()).includes("importing") || null;
  }

  async #phases(): Promise<string[]> {
    const page = await answered<{ data: { sync: { phase: string } }[] }>(this.server, this.key, "/accounts?limit=20");
    return page?.data.map(({ sync }) => sync.phase) ?? [];
  }

  /** Delivers a message to each account at once, and waits until every webhook has arrived. */
  async round(round: number): Promise<void> {
    const transport = createTransport({
      host: "127.0.0.1",
      port: this.dovecot.lmtpPort,
      lmtp: true,
      ignoreTLS: true,
    } as object);
    const began = performance.now();
    const mine: Arrival[] = [];
    for (let account = 0; account < ACCOUNTS; account++) {
      const subject = `Arrival ${round}-${account}`;
      const arrival = { account, subject, filling: true, delivered: performance.now() };
      const one: Arrival = { ...arrival, announced: null, inApi: null, hooked: null };
      mine.push(one);
      this.arrivals.push(one);
      const envelope = { from: "sender@example.net", to: [addressOf(account)] };
      await transport.sendMail({ envelope, raw: mail(account, subject) });
    }
    transport.close();
    while (performance.now() - began < GIVE_UP_MS && !mine.every(isComplete)) {
      await this.#look(mine);
      await Bun.sleep(POLL_MS);
    }
    const filling = (await this.isFilling()) === true;
    for (const one of mine) one.filling = filling;
    await Bun.sleep((PAUSE_MS * round) % 500);
  }

  async #look(mine: readonly Arrival[]): Promise<void> {
    if (mine.some(({ inApi }) => inApi === null)) {
      const page = await answered<{ data: { subject: string }[] }>(this.server, this.key, "/threads?limit=10");
      const now = performance.now();
      const listed = new Set(page?.data.map(({ subject }) => subject));
      for (const one of mine) if (listed.has(one.subject)) one.inApi ??= now;
    }
    for (const { body, atMs } of this.receiver.received.splice(0)) {
      const { subject } = (JSON.parse(body) as { data: { subject: string } }).data;
      const one = mine.find((arrival) => arrival.subject === subject);
      if (one) one.hooked ??= atMs;
    }
  }
}

const isComplete = ({ announced, inApi, hooked }: Arrival) => announced !== null && inApi !== null && hooked !== null;

/** Gives each account some mail, and the last one the messages of the backfill. */
function fill(dovecot: Dovecot, messages: number): void {
  const users = Array.from({ length: ACCOUNTS }, (_, n) => `${addressOf(n)}:{PLAIN}${PASSWORD}::::::\n`);
  appendFileSync(join(dovecot.base, "users"), users.join(""));
  const userOf = (n: number) => `user${n}` as TestUser;
  for (let n = 0; n < FILLING; n++) {
    const mails = Array.from({ length: MAILS_EACH }, (_, i) => ({ raw: mail(n, `Report ${i}`) }));
    dovecot.loadMaildir(userOf(n), "INBOX", mails);
  }
  const some: { raw: Buffer }[] = [];
  const load = () => dovecot.loadMaildir(userOf(FILLING), "INBOX", some.splice(0));
  for (const raw of rawCopies(messages)) {
    some.push({ raw });
    if (some.length === LOADED_AT_ONCE) load();
  }
  load();
}

async function addWebhook(server: Server, key: string, receiver: HttpsReceiver): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const body = JSON.stringify({ url: `${receiver.origin}/live`, events: ["message.received"] });
  const response = await fetch(`${server.url}/v1/webhooks`, { method: "POST", headers, body });
  if (!response.ok) throw new Error(`POST /webhooks: ${response.status} ${await response.text()}`);
}

const addressOf = (n: number) => `user${n}@mail.test`;

function mail(n: number, subject: string): string {
  const head = [`From: Sender ${n} <sender${n}@example.net>`, `To: ${addressOf(n)}`, `Subject: ${subject}`];
  const id = `Message-ID: <${crypto.randomUUID()}@example.net>`;
  return [...head, id, `Date: ${new Date().toUTCString()}`, "", `${subject} is ready.`, ""].join("\r\n");
}

/** Times between two events, ms. If the server told the program before the benchmark, the time is negative. */
const between = (arrivals: readonly Arrival[], from: keyof Arrival, to: keyof Arrival): number[] =>
  // A message that did not arrive in time counts as the slowest.
  arrivals.map((one) => (isComplete(one) ? (one[to] as number) - (one[from] as number) : GIVE_UP_MS));

function report(messages: number, rounds: number, all: Arrival[], inotify: string): BenchResult {
  const during = all.filter(({ filling }) => filling);
  const groups = [
    { of: `${FILLING} other mailboxes`, arrivals: during.filter(({ account }) => account !== FILLING) },
    { of: "the mailbox with the backfill", arrivals: during.filter(({ account }) => account === FILLING) },
  ];
  const steps = [
    { name: "delivered to announced", from: "delivered", to: "announced" },
    { name: "announced to API", from: "announced", to: "inApi" },
    { name: "API to webhook", from: "inApi", to: "hooked" },
    { name: "announced to webhook", from: "announced", to: "hooked" },
  ] as const;
  const rows = groups.flatMap(({ of, arrivals }) =>
    steps.map(({ name, from, to }) => {
      const times = between(arrivals, from, to);
      return [`${of}: ${name}`, ...[0.5, 0.99, 1].map((share) => milliseconds(percentile(times, share)))];
    }),
  );
  const facts = [
    `${ACCOUNTS} mailboxes, one of them with a first sync of ${messages} messages; ${during.length} of ${rounds * ACCOUNTS} messages arrived during it`,
    `${during.filter((one) => !isComplete(one)).length} of them not within ${GIVE_UP_MS / 1_000} s; the API is asked every ${POLL_MS} ms`,
    inotify,
  ];
  const figures = groups.flatMap(({ of, arrivals }) => {
    const api = between(arrivals, "announced", "inApi");
    const webhook = between(arrivals, "inApi", "hooked");
    return judged("live", [
      { key: "api_p50", of, value: percentile(api, 0.5) },
      { key: "api_p99", of, value: percentile(api, 0.99) },
      { key: "webhook_p50", of, value: percentile(webhook, 0.5) },
      { key: "webhook_p99", of, value: percentile(webhook, 0.99) },
    ]);
  });
  const table = formatTable(["new mail", "p50", "p99", "slowest"], rows);
  return { name: "live", text: `${table}\n\n${facts.join("\n")}`, data: { messages, arrivals: all, inotify }, figures };
}
