import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spamAssassin } from "../support/corpus.ts";
import { DOVECOT, freePorts, startDovecot } from "../support/dovecot.ts";
import { type ScriptedSmtp, startScriptedSmtp } from "../support/smtp-server.ts";
import { judged } from "./figures.ts";
import { LIMITS } from "./limits.ts";
import type { BenchOptions, BenchResult } from "./main.ts";
import { formatTable, median, megabytes, milliseconds, percentile, processUsage, seconds } from "./measure.ts";
import { answered, OWNER, postroom, postroomCommand, type Server, serve, until } from "./postroom.ts";
import { makeQueries } from "./queries.ts";
import { type SmallMachine, smallMachine } from "./small-machine.ts";

/** Half of a Raspberry Pi 4 with 2 GB. The system and other programs need the rest. */
const LIMIT_BYTES = 1_000_000_000;
const SHORT_MESSAGES = 600;
const QUERIES = { full: 140, short: 30 };
/** Mail of the corpus is of 2002; a filter must leave some. */
const AFTER = "2002-08-01";
const SENDS = 10;
const POLL_MS = 50;
const GIVE_UP_MS = 3_600_000;
/**
 * After this time without a request, the process's memory counts as memory at rest: the semantic worker ends after two
 * minutes.
 */
const IDLE_S = 150;

interface Measured {
  messages: number;
  sync_ms: number;
  embedded_ms: number;
  started_ms: number;
  rest_bytes: number | null;
  first_semantic_ms: number;
  keyword_ms: number[];
  semantic_ms: number[];
  send_ms: number[];
  brief_ms: number;
  ask_ms: number;
  peak_bytes: number;
  exceeded: number | null;
}

/**
 * Measures the program on one core with 1 GB: first sync of the corpus, search, answers, sending, a brief. The mail
 * servers and the benchmark itself are outside the limits.
 */
export async function benchSmall(options: BenchOptions): Promise<BenchResult> {
  if (!DOVECOT) return { name: "small", skipped: "Dovecot is not installed" };
  const data = mkdtempSync(join(tmpdir(), "postroom-bench-small-"));
  const small = smallMachine(LIMIT_BYTES, options.cgroup);
  options.say(`  ${small.enforcedBy}`);
  const smtp = await startScriptedSmtp();
  const dovecot = await startDovecot();
  try {
    const corpus = spamAssassin(options.messages ?? (options.short ? SHORT_MESSAGES : undefined));
    dovecot.loadMaildir("alice", "INBOX", corpus);
    const command = postroomCommand(options.executable);
    const key = await connect(command, data, dovecot.imapPort, smtp);
    return report(small, await new Small(small, command, data, key, smtp, options).measure(corpus.length));
  } finally {
    await dovecot.stop();
    await smtp.stop();
    small.remove();
    rmSync(data, { recursive: true, force: true });
  }
}

class Small {
  #server: Server | null = null;
  #unwatch: () => void = () => {};

  constructor(
    private readonly small: SmallMachine,
    private readonly command: string[],
    private readonly data: string,
    private readonly key: string,
    private readonly smtp: ScriptedSmtp,
    private readonly options: BenchOptions,
  ) {}

  async measure(messages: number): Promise<Measured> {
    const { say } = this.options;
    try {
      const began = performance.now();
      await this.#start();
      await this.#reached(({ sync }) => sync.phase === "live");
      const sync_ms = performance.now() - began;
      say(`  ${messages} messages synced: ${seconds(sync_ms)}`);
      await this.#reached(({ search: { done, total } }) => total >= messages && done === total);
      const embedded_ms = performance.now() - began;
      say(`  and embedded: ${seconds(embedded_ms)}`);
      const started_ms = await this.#restart("keyword");
      await Bun.sleep(IDLE_S * 1_000);
      const rest_bytes = processUsage(this.#server!.pid)?.rss_bytes ?? null;
      // The first start with vectors reads them one by one, and writes the snapshot that the next one reads.
      await this.#restart("semantic");
      const first_semantic_ms = await this.#restart("semantic");
      const texts = makeQueries(this.options.short ? QUERIES.short : QUERIES.full, AFTER).map(({ text }) => text);
      const keyword_ms = await inTurn(texts, (query) => this.#search(query, "keyword"));
      const semantic_ms = await inTurn(texts, (query) => this.#search(query, "semantic"));
      say("  searches measured");
      const send_ms = await this.#sends();
      const brief_ms = await timed(() => this.#post("/brief/generate", {}));
      const ask_ms = await timed(() => this.#post("/ai/ask", { question: "When is the next meeting?" }));
      const requests = { keyword_ms, semantic_ms, send_ms, brief_ms, ask_ms };
      const times = { sync_ms, embedded_ms, started_ms, first_semantic_ms };
      await this.#stop();
      const limits = { peak_bytes: this.small.peak(), exceeded: this.small.exceeded() };
      return { messages, ...times, ...requests, rest_bytes, ...limits };
    } finally {
      await this.#stop();
    }
  }

  async #start(): Promise<void> {
    const [port] = await freePorts(1);
    this.#server = serve(this.small.within(this.command), this.data, port!, LIMITS);
    this.#unwatch = this.small.watch(this.#server.pid);
  }

  async #stop(): Promise<void> {
    this.#unwatch();
    this.#unwatch = () => {};
    await this.#server?.stop();
    this.#server = null;
  }

  /** @returns ms from the start of the process to the first answer to a search in this mode */
  async #restart(mode: string): Promise<number> {
    await this.#stop();
    const began = performance.now();
    await this.#start();
    const whole = () =>
      this.#search("meeting", mode).then(
        ({ partial }) => (partial ? null : true),
        () => null,
      );
    await until(this.#server!, whole, 2, GIVE_UP_MS);
    return performance.now() - began;
  }

  async #reached(is: (account: Account) => boolean): Promise<void> {
    const check = async () => {
      const page = await answered<{ data: Account[] }>(this.#server!, this.key, "/accounts");
      const [account] = page?.data ?? [];
      return account && is(account) ? true : null;
    };
    await until(this.#server!, check, POLL_MS, GIVE_UP_MS);
  }

  /** Times from the request until the mail server has accepted the message. */
  async #sends(): Promise<number[]> {
    const times: number[] = [];
    for (let n = 0; n < SENDS; n++) {
      const before = this.smtp.accepted.length;
      const began = performance.now();
      await this.#post("/messages/send", {
        to: ["somebody@one.example"],
        subject: `Small ${n}`,
        body: "Hello.",
        undo_window_s: 0,
      });
      await until(this.#server!, () => (this.smtp.accepted.length > before ? true : null), 2);
      times.push(performance.now() - began);
    }
    return times;
  }

  #search(query: string, mode: string): Promise<{ partial: boolean }> {
    return this.#post("/search", { query, mode, limit: 25 });
  }

  async #post<T>(path: string, body: object): Promise<T> {
    const headers = {
      authorization: `Bearer ${this.key}`,
      "content-type": "application/json",
      "idempotency-key": crypto.randomUUID(),
    };
    const request = { method: "POST", headers, body: JSON.stringify(body) };
    const response = await fetch(`${this.#server!.url}/v1${path}`, request);
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  }
}

interface Account {
  sync: { phase: string };
  search: { done: number; total: number };
}

/** Creates the owner with a mailbox that can send. @returns a key with all scopes */
async function connect(command: string[], data: string, imapPort: number, { login }: ScriptedSmtp): Promise<string> {
  await postroom(command, data, ["user", "add", OWNER]);
  const imap = ["--imap", `127.0.0.1:${imapPort}`, "--imap-security", "none"];
  const smtp = ["--smtp", `127.0.0.1:${login.port}`, "--smtp-security", login.security];
  const mailbox = ["--user", OWNER, "--email", login.username, "--username", login.username, "--password-stdin"];
  await postroom(command, data, ["account", "add", ...mailbox, ...imap, ...smtp], { input: `${login.password}\n` });
  return (
    await postroom(command, data, ["key", "create", "--user", OWNER, "--name", "bench", "--scopes", "all"])
  ).trim();
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

async function inTurn(texts: readonly string[], ask: (text: string) => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (const text of texts) times.push(await timed(() => ask(text)));
  return times;
}

function report(small: SmallMachine, measured: Measured): BenchResult {
  const { messages, sync_ms, embedded_ms, started_ms, first_semantic_ms, rest_bytes } = measured;
  const { keyword_ms, semantic_ms, send_ms, brief_ms, ask_ms, peak_bytes, exceeded } = measured;
  const both = (values: number[]) => [0.5, 0.99].map((share) => milliseconds(percentile(values, share))).join(" / ");
  const rows = [
    ["first sync", seconds(sync_ms)],
    ["until everything is embedded", seconds(embedded_ms)],
    ["start to first answer", milliseconds(started_ms)],
    ["start to first semantic answer", milliseconds(first_semantic_ms)],
    ["keyword search, p50 / p99", both(keyword_ms)],
    ["semantic search, p50 / p99", both(semantic_ms)],
    ["message handed to the server, median", milliseconds(median(send_ms))],
    ["brief", milliseconds(brief_ms)],
    ["answer to a question", milliseconds(ask_ms)],
    ["memory at rest, after a restart", megabytes(rest_bytes)],
    ["peak memory", megabytes(peak_bytes)],
  ];
  const facts = [
    `${messages} messages; limits: ${small.enforcedBy}`,
    `the limit of memory was reached ${exceeded ?? "an unknown number of"} times`,
  ];
  return {
    name: "small",
    text: `${facts.join("\n")}\n\n${formatTable(["one core, 1 GB", ""], rows)}`,
    data: { limits: small.enforcedBy, ...measured },
    figures: judged("small", [
      { key: "peak", value: peak_bytes / 1e6 },
      { key: "sync", value: sync_ms / 1_000 },
      { key: "embedded", value: embedded_ms / 1_000 },
      { key: "keyword", value: percentile(keyword_ms, 0.99) },
      { key: "first_semantic", value: first_semantic_ms },
      { key: "semantic", value: percentile(semantic_ms, 0.99) },
      { key: "send", value: median(send_ms) },
      { key: "brief", value: brief_ms },
      { key: "rest", value: (rest_bytes ?? Number.NaN) / 1e6 },
    ]),
  };
}
