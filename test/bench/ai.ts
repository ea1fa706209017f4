import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readOnThisThread } from "../../src/inbound/message/parsed-message.ts";
import { SCOPES } from "../../src/kernel/scopes.ts";
import { createMailbox } from "../../src/mailbox/mailbox.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { loadConfig } from "../../src/platform/config/load.ts";
import { createLog } from "../../src/platform/log.ts";
import { openPlatform } from "../../src/platform/platform.ts";
import { spamAssassin } from "../support/corpus.ts";
import { freePorts } from "../support/dovecot.ts";
import { seedMailbox } from "../support/seed-mail.ts";
import { judged } from "./figures.ts";
import { LIMITS } from "./limits.ts";
import type { BenchOptions, BenchResult } from "./main.ts";
import { formatTable, median, milliseconds, percentile, processUsage, runScript, seconds } from "./measure.ts";
import { OWNER, postroomCommand, type Server, serve, until } from "./postroom.ts";

const MESSAGES = 10_000;
const DRAFTS = 20;
const PER_SECOND = 200;
const LOAD_S = 5;
/** Someone who requests one draft after the other. */
const BETWEEN_DRAFTS_MS = 200;
/** A first start also fills the sandbox. */
const SETTLES_MS = 5_000;
const ADA = { name: "Ada Lovelace", email: "ada@example.org" };
const WINDOW_MS = 29 * 86_400_000;

interface Latencies {
  list: number[];
  messages: number[];
  failed: number;
}

/**
 * The built-in engine over a mailbox in which all mail is from the last month and from people, which is the most that a
 * brief has to read; and its effect on API clients.
 */
export async function benchAi(options: BenchOptions): Promise<BenchResult> {
  const messages = options.messages ?? MESSAGES;
  const data_dir = mkdtempSync(join(tmpdir(), "postroom-bench-ai-"));
  const command = postroomCommand(options.executable);
  let server: Server | null = null;
  try {
    const { threads, key } = await fill(data_dir, messages);
    options.say(`  ${messages} messages in ${threads.length} threads`);
    const [port] = await freePorts(1);
    server = serve(command, data_dir, port!, LIMITS);
    const { url, pid } = server;
    await until(server, async () => ((await fetch(`${url}/readyz`).catch(() => null))?.ok ? true : null));
    await Bun.sleep(SETTLES_MS);
    const post = (path: string, body: object) => timedPost(`${url}/v1${path}`, key, body);
    const briefs: number[] = [];
    const cpu: number[] = [];
    for (let turn = 0; turn < options.repeat; turn++) {
      const before = processUsage(pid)?.cpu_ms ?? Number.NaN;
      briefs.push(await post("/brief/generate", {}));
      cpu.push((processUsage(pid)?.cpu_ms ?? Number.NaN) - before);
    }
    const draft = (i: number) => {
      const reply_to_thread_id = threads[(i * 37) % threads.length]!;
      const instructions = i % 2 === 0 ? "say that Tuesday works, ask for the agenda" : "";
      return post("/drafts", { use_ai: true, reply_to_thread_id, instructions });
    };
    const drafts: number[] = [];
    for (let i = 0; i < DRAFTS; i++) drafts.push(await draft(i));
    const load = () => runScript<Latencies>("load.ts", [url, key, String(PER_SECOND), String(LOAD_S)]);
    /** The effect on other clients while this runs over and over. */
    const during = async (work: (i: number) => Promise<unknown>) => {
      let over = false;
      const latencies = load().finally(() => {
        over = true;
      });
      let done = 0;
      while (!over) await work(done++);
      return { latencies: await latencies, done };
    };
    // The first load of a process also waits for the compiler.
    await load();
    const quiet = await load();
    const with_briefs = await during(() => Promise.all([post("/brief/generate", {}), post("/brief/generate", {})]));
    const with_drafts = await during(async (i) => {
      await draft(i);
      await Bun.sleep(BETWEEN_DRAFTS_MS);
    });
    return report({ messages, briefs, cpu, drafts, quiet, with_briefs, with_drafts });
  } finally {
    await server?.stop();
    rmSync(data_dir, { recursive: true, force: true });
  }
}

/** @returns ms until the answer arrived. @throws when it is no success */
async function timedPost(url: string, key: string, body: object): Promise<number> {
  const began = performance.now();
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url}: ${response.status} ${text}`);
  return performance.now() - began;
}

/**
 * Creates a data folder with conversations of three messages with the texts of the corpus; every third message is the
 * user's.
 * @returns the ids of the conversations, and a key with all scopes
 */
async function fill(data_dir: string, messages: number): Promise<{ threads: string[]; key: string }> {
  const log = createLog({ level: "error", format: "text", clock: systemClock, write: () => {} });
  const platform = openPlatform({ config: loadConfig({ data_dir, env: {} }), clock: systemClock, log });
  const person = platform.users.add({ email: OWNER, plan: "autopilot", role: "owner", timezone: "Europe/Lisbon" });
  const mailbox = createMailbox(platform);
  const ham = spamAssassin().filter(({ name }) => name.startsWith("easy-ham"));
  const texts = (await readOnThisThread(ham.map(({ raw }) => ({ source: raw })))).map(({ contents }) => contents);
  const seeded = seedMailbox(platform, person.id, { mailbox, email: ADA.email });
  mailbox.accounts.setStatus(seeded.account.id, "paused", null);
  const threads: string[] = [];
  const stepMs = WINDOW_MS / messages;
  const firstAt = systemClock.now() - WINDOW_MS;
  for (let n = 0; n < messages; n += 3) {
    const other = { name: `Bob ${n % 200}`, email: `bob${n % 200}@acme.example` };
    const turn = (i: number, outgoing: boolean) => {
      const { text, bodyText, newText } = texts[(n + i) % texts.length]!;
      const [from, to] = outgoing ? [ADA, [other]] : [other, [ADA]];
      const at = firstAt + (n + i) * stepMs;
      const role = outgoing ? ("sent" as const) : ("inbox" as const);
      return { from, to, text, bodyText, newText, at, role, subject: `Subject ${n}` };
    };
    threads.push(seeded.converse(turn(0, false), turn(1, true), turn(2, false)).thread_id);
  }
  const key = platform.keys.create({ name: "bench", user_id: person.id, scopes: [...SCOPES], test: false }).secret;
  platform.close();
  return { threads, key };
}

interface Measured {
  messages: number;
  briefs: number[];
  /** Measures the processor time of a brief, ms, which other work on the machine does not change. */
  cpu: number[];
  drafts: number[];
  quiet: Latencies;
  /** Requests two briefs at once, over and over. */
  with_briefs: { latencies: Latencies; done: number };
  with_drafts: { latencies: Latencies; done: number };
}

function report({ messages, briefs, cpu, drafts, quiet, with_briefs, with_drafts }: Measured): BenchResult {
  const all = ({ list, messages: pages }: Latencies) => [...list, ...pages];
  const of = (values: number[]) => [
    milliseconds(percentile(values, 0.5)),
    milliseconds(percentile(values, 0.99)),
    milliseconds(Math.max(...values)),
  ];
  const rows = [
    ["API at rest", ...of(all(quiet))],
    [`API while ${with_briefs.done * 2} briefs are asked for`, ...of(all(with_briefs.latencies))],
    [`API while ${with_drafts.done} drafts are written`, ...of(all(with_drafts.latencies))],
    ["extractive draft", ...of(drafts)],
  ];
  const brief = median(briefs);
  const draft = percentile(drafts, 0.99);
  const p99 = (latencies: Latencies) => percentile(all(latencies), 0.99);
  const verdicts = [
    `brief over ${messages} messages: ${seconds(brief)} (processor ${seconds(median(cpu))})`,
    `extractive draft, p99: ${milliseconds(draft)}`,
    `requests that failed: ${quiet.failed + with_briefs.latencies.failed + with_drafts.latencies.failed}`,
  ];
  return {
    name: "ai",
    text: `${formatTable(["", "p50", "p99", "worst"], rows)}\n\n${verdicts.join("\n")}`,
    data: { messages, briefs, cpu, drafts, quiet, with_briefs, with_drafts },
    figures: judged("ai", [
      { key: "brief", value: brief },
      { key: "draft", value: draft },
      { key: "beside_briefs", value: p99(with_briefs.latencies) / p99(quiet), peer: milliseconds(p99(quiet)) },
      { key: "beside_drafts", value: p99(with_drafts.latencies) / p99(quiet), peer: milliseconds(p99(quiet)) },
    ]),
  };
}
