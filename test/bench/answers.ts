import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePorts } from "../support/dovecot.ts";
import { briefItems, type Entry, tally } from "./answers/briefs.ts";
import type { Filled } from "./answers/fill.ts";
import { judge, type Reply } from "./answers/judge.ts";
import { type Question, questions, SPLITS, type Split, TODAY } from "./answers/questions.ts";
import { type Judged, type JudgedBrief, reportAnswers } from "./answers/report.ts";
import { LIMITS } from "./limits.ts";
import type { BenchOptions, BenchResult } from "./main.ts";
import { runCommand } from "./measure.ts";
import { type Server, serve, until } from "./postroom.ts";

const HOUR_MS = 3_600_000;
const POLL_MS = 500;
const GIVE_UP_MS = 600_000;
const FOLDER = join(import.meta.dir, "answers");

/**
 * Answers and briefs of the built-in engine on a set with known results (test/bench/answers). Every answer is given by
 * POST /v1/ai/ask after a restart. The program always runs from source, because its clock starts at a fixed day.
 */
export async function benchAnswers(options: BenchOptions): Promise<BenchResult> {
  const work = mkdtempSync(join(tmpdir(), "postroom-bench-answers-"));
  const data = join(work, "data");
  let server: Server | null = null;
  try {
    const filled = await fillAll(data, work);
    server = await started(data, 0);
    for (const { key } of Object.values(filled)) await embedded(server, key);
    await server.stop();
    options.say("  mail embedded");
    server = await started(data, HOUR_MS);
    for (const { key } of Object.values(filled)) await embedded(server, key);
    const judged: Judged[] = [];
    for (const question of questions()) judged.push(await asked(server, question, filled[question.mailbox]!));
    options.say(`  ${judged.length} questions asked`);
    const briefs: JudgedBrief[] = [];
    for (const split of SPLITS) briefs.push(...(await briefed(server, split, filled[`briefs-${split}`]!)));
    return { name: "answers", ...reportAnswers(judged, briefs) };
  } finally {
    await server?.stop();
    rmSync(work, { recursive: true, force: true });
  }
}

/** Fills a data folder with the mailboxes of the set. */
export async function fillAll(data: string, work: string): Promise<Record<string, Filled>> {
  const file = join(work, "filled.json");
  await runCommand([process.execPath, join(FOLDER, "fill.ts"), data, file]);
  return JSON.parse(readFileSync(file, "utf8")) as Record<string, Filled>;
}

/** Starts the program some time after TODAY, ms, and waits until it answers. */
export async function started(data: string, afterMs: number, env: Record<string, string> = {}): Promise<Server> {
  const [port] = await freePorts(1);
  const start = new Date(TODAY.getTime() + afterMs).toISOString();
  const server = serve([process.execPath, join(FOLDER, "serve-at.ts"), start], data, port!, { ...LIMITS, ...env });
  await until(server, async () => ((await fetch(`${server.url}/readyz`).catch(() => null))?.ok ? true : null));
  return server;
}

/** Makes a request under /v1 that must succeed. */
export async function call<T>(server: Server, key: string, method: string, path: string, body?: object): Promise<T> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const response = await fetch(`${server.url}/v1${path}`, { method, headers, body: body && JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

/** Waits until all mail of a person has its vectors and the model is loaded. */
export async function embedded(server: Server, key: string): Promise<void> {
  const isDone = async () => {
    const { data } = await call<{ data: { search: { done: number; total: number } }[] }>(
      server,
      key,
      "GET",
      "/accounts",
    );
    return data.every(({ search: { done, total } }) => total > 0 && done === total) ? true : null;
  };
  await until(server, isDone, POLL_MS, GIVE_UP_MS);
  const isWhole = async () => {
    const body = { query: "ready", mode: "hybrid", limit: 1 };
    return (await call<{ partial: boolean }>(server, key, "POST", "/search", body)).partial ? null : true;
  };
  await until(server, isWhole, POLL_MS, GIVE_UP_MS);
}

async function asked(server: Server, question: Question, { key, ids }: Filled): Promise<Judged> {
  const reply = await call<Reply>(server, key, "POST", "/ai/ask", { question: question.text });
  const supporting = new Set(question.mails.map((name) => ids[name]!));
  return { question, verdict: judge(question, reply, supporting), answer: reply.answer };
}

interface Brief {
  needs_reply: Omit<Entry, "kind">[];
  commitments: Omit<Entry, "kind">[];
  undated: Omit<Entry, "kind">[];
}

async function briefed(server: Server, split: Split, { key, ids }: Filled): Promise<JudgedBrief[]> {
  await call(server, key, "POST", "/brief/generate", {});
  const { needs_reply, commitments, undated } = await call<Brief>(server, key, "GET", "/brief/latest");
  const entries: Entry[] = [
    ...needs_reply.map((entry) => ({ ...entry, kind: "ask" as const })),
    ...[...commitments, ...undated].map((entry) => ({ ...entry, kind: "promise" as const })),
  ];
  return [...briefItems(split)].flatMap(([name, { language, items }]) => {
    const about = entries.filter(({ message_id }) => message_id === ids[name]);
    const counts = tally(items, about);
    return (["ask", "promise"] as const).map((kind) => ({
      split,
      language,
      kind,
      tally: counts[kind],
      mail: name,
      expected: items.filter((item) => item.kind === kind).map(({ quote, due }) => ({ quote, due })),
      listed: about.filter((entry) => entry.kind === kind).map(({ quote, due }) => ({ quote, due })),
    }));
  });
}
