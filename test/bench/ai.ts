import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AiRoom, createAi } from "../../src/app-ai.ts";
import { createPeople } from "../../src/app-people.ts";
import { draftRoutes } from "../../src/features/drafts/routes.ts";
import { threadRoutes } from "../../src/features/threads/routes.ts";
import { createEdge } from "../../src/http/edge.ts";
import { startServer } from "../../src/http/server.ts";
import { readHere } from "../../src/inbound/contents.ts";
import { SCOPES } from "../../src/kernel/scopes.ts";
import { createMailbox, type Mailbox } from "../../src/mailbox/mailbox.ts";
import { createOutbound } from "../../src/outbound/outbound.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { loadConfig } from "../../src/platform/config/load.ts";
import { createLog } from "../../src/platform/log.ts";
import { openPlatform, type Platform } from "../../src/platform/platform.ts";
import { spamAssassin } from "../corpus.ts";
import { seedMailbox } from "../seed-mail.ts";
import { LIMITS } from "./limits.ts";
import type { BenchOptions, BenchResult } from "./main.ts";
import { formatTable, median, milliseconds, percentile, runScript, seconds } from "./measure.ts";

const MESSAGES = 10_000;
const DRAFTS = 20;
const PER_SECOND = 200;
const LOAD_S = 5;
const MOST_BRIEF_MS = 3_000;
const MOST_DRAFT_MS = 300;
const ADA = { name: "Ada Lovelace", email: "ada@example.org" };
const WINDOW_MS = 29 * 86_400_000;

interface Latencies {
  list: number[];
  messages: number[];
  failed: number;
}

/**
 * The built-in engine over a mailbox in which all mail is of the last month and from people, which is the most that a brief
 * has to read; and what the API's clients feel of it.
 */
export async function benchAi(options: BenchOptions): Promise<BenchResult> {
  const messages = options.messages ?? MESSAGES;
  const data_dir = mkdtempSync(join(tmpdir(), "postroom-bench-ai-"));
  const env = { ...LIMITS, POSTROOM_LOG_LEVEL: "error" };
  const log = createLog({ level: "error", format: "text", clock: systemClock, write: () => {} });
  const platform = openPlatform({ config: loadConfig({ data_dir, env }), clock: systemClock, log });
  const person = platform.users.add({
    email: "owner@example.org",
    plan: "autopilot",
    role: "owner",
    timezone: "Europe/Lisbon",
  });
  const mailbox = createMailbox(platform);
  const threads = await fill(platform, mailbox, person.id, messages);
  options.say(`  ${messages} messages in ${threads.length} threads`);
  const key = platform.keys.create({ name: "bench", user_id: person.id, scopes: [...SCOPES], test: false }).secret;
  const { edge, ai } = serve(platform, mailbox);
  const server = startServer({ edge, host: "127.0.0.1", port: 0, log });
  ai.prune();
  const post = async (path: string, body: object): Promise<number> => {
    const began = performance.now();
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const response = await fetch(`${server.url}/v1${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    await response.arrayBuffer();
    return performance.now() - began;
  };
  try {
    const briefs: number[] = [];
    const cpu: number[] = [];
    for (let turn = 0; turn < options.repeat; turn++) {
      const before = process.cpuUsage();
      briefs.push(await post("/brief/generate", {}));
      const { user, system } = process.cpuUsage(before);
      cpu.push((user + system) / 1_000);
    }
    const drafts: number[] = [];
    for (let i = 0; i < DRAFTS; i++) {
      const reply_to_thread_id = threads[(i * 37) % threads.length]!;
      const instructions = i % 2 === 0 ? "say that Tuesday works, ask for the agenda" : "";
      drafts.push(await post("/drafts", { use_ai: true, reply_to_thread_id, instructions }));
    }
    const load = () => runScript<Latencies>("load.ts", [server.url, key, String(PER_SECOND), String(LOAD_S)]);
    const quiet = await load();
    let over = false;
    const busy = load().finally(() => {
      over = true;
    });
    let made = 0;
    while (!over) {
      await post("/brief/generate", {});
      made++;
    }
    return report({ messages, briefs, cpu, drafts, quiet, busy: await busy, made });
  } finally {
    await server.stop(0);
    edge.close();
    platform.close();
    rmSync(data_dir, { recursive: true, force: true });
  }
}

function serve(platform: Platform, mailbox: Mailbox) {
  const outbound = createOutbound(platform, mailbox);
  const ai: AiRoom = createAi({ platform, mailbox, outbound, people: createPeople(platform, mailbox) });
  const { drafts, draft_files: files } = outbound;
  const routes = [
    ...threadRoutes(mailbox),
    ...draftRoutes({ accounts: mailbox.accounts, drafts, files, ai: ai.drafting }),
    ...ai.routes,
  ];
  return { edge: createEdge({ platform, routes, version: "0.0.0-bench" }), ai };
}

/** Conversations of three messages with the texts of the corpus; every third message is the user's. @returns their ids */
async function fill(platform: Platform, mailbox: Mailbox, user_id: string, messages: number): Promise<string[]> {
  const ham = spamAssassin().filter(({ name }) => name.startsWith("easy-ham"));
  const texts = (await readHere(ham.map(({ raw }) => ({ source: raw })))).map(({ contents }) => contents);
  const seeded = seedMailbox(platform, user_id, { mailbox, email: ADA.email });
  const threads: string[] = [];
  const step_ms = WINDOW_MS / messages;
  const first_at = systemClock.now() - WINDOW_MS;
  for (let n = 0; n < messages; n += 3) {
    const other = { name: `Bob ${n % 200}`, email: `bob${n % 200}@acme.example` };
    const turn = (i: number, outgoing: boolean) => {
      const { text, bodyText: body_text, newText: new_text } = texts[(n + i) % texts.length]!;
      const [from, to] = outgoing ? [ADA, [other]] : [other, [ADA]];
      const at = first_at + (n + i) * step_ms;
      return {
        from,
        to,
        text,
        body_text,
        new_text,
        at,
        role: outgoing ? ("sent" as const) : ("inbox" as const),
        subject: `Subject ${n}`,
      };
    };
    const { thread_id } = seeded.converse(turn(0, false), turn(1, true), turn(2, false));
    threads.push(thread_id);
  }
  return threads;
}

interface Measured {
  messages: number;
  briefs: number[];
  /** Processor time of a brief, ms: the same on a machine that others use, too. */
  cpu: number[];
  drafts: number[];
  quiet: Latencies;
  busy: Latencies;
  made: number;
}

function report({ messages, briefs, cpu, drafts, quiet, busy, made }: Measured): BenchResult {
  const all = ({ list, messages: pages }: Latencies) => [...list, ...pages];
  const of = (values: number[]) => [
    milliseconds(percentile(values, 0.5)),
    milliseconds(percentile(values, 0.99)),
    milliseconds(Math.max(...values)),
  ];
  const rows = [
    ["API at rest", ...of(all(quiet))],
    [`API while ${made} briefs are made`, ...of(all(busy))],
    ["extractive draft", ...of(drafts)],
  ];
  const brief = median(briefs);
  const draft = percentile(drafts, 0.99);
  const met = (is: boolean) => (is ? "" : ": NOT MET");
  const verdicts = [
    `brief over ${messages} messages: ${seconds(brief)} (processor ${seconds(median(cpu))}), at most ${seconds(MOST_BRIEF_MS)}${met(brief <= MOST_BRIEF_MS)}`,
    `extractive draft, p99: ${milliseconds(draft)}, at most ${milliseconds(MOST_DRAFT_MS)}${met(draft <= MOST_DRAFT_MS)}`,
    `requests that failed: ${quiet.failed + busy.failed}`,
  ];
  return {
    name: "ai",
    text: `${formatTable(["", "p50", "p99", "worst"], rows)}\n\n${verdicts.join("\n")}`,
    data: { messages, briefs, cpu, drafts, quiet, busy, made },
  };
}
