import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Filled } from "./answers/fill.ts";
import { judge, type Reply } from "./answers/judge.ts";
import { type Missing, type Oracle, startOracle } from "./answers/oracle.ts";
import { type Question, questions } from "./answers/questions.ts";
import { countsOf, type Judged } from "./answers/report.ts";
import { call, embedded, fillAll, started } from "./answers.ts";
import type { Figure } from "./figures.ts";
import type { BenchOptions, BenchResult } from "./main.ts";
import { formatTable, median } from "./measure.ts";
import type { Server } from "./postroom.ts";

const HOUR_MS = 3_600_000;

interface Outcome extends Judged {
  missing: Missing | null;
  /** Why the answer of the model was dropped; null if it was not. */
  dropped: string | null;
}

/**
 * What a language model could answer at best: a scripted model on this machine knows the expected answer of every
 * question of the set (test/bench/answers), and gives it only if the mail in its prompt has it. What it cannot answer,
 * retrieval has missed; what is dropped, the verification of quotes refused by mistake. --short leaves out the
 * held-out questions.
 */
export async function benchAnswersModel(options: BenchOptions): Promise<BenchResult> {
  const work = mkdtempSync(join(tmpdir(), "postroom-bench-answers-model-"));
  const data = join(work, "data");
  const oracle = startOracle();
  const env = { POSTROOM_AI_BASE_URL: oracle.server.base_url, POSTROOM_AI_MODEL: "oracle" };
  let server: Server | null = null;
  try {
    const filled = await fillAll(data, work);
    server = await started(data, 0, env);
    for (const { key } of Object.values(filled)) await embedded(server, key);
    await server.stop();
    options.say("  mail embedded");
    server = await started(data, HOUR_MS, env);
    for (const { key } of Object.values(filled)) await embedded(server, key);
    const outcomes: Outcome[] = [];
    for (const question of questions()) {
      if (options.short && question.split === "held-out") continue;
      outcomes.push(await asked(server, oracle, question, filled[question.mailbox]!));
    }
    return { name: "answers-model", ...report(outcomes, oracle.prompts) };
  } finally {
    await server?.stop();
    await oracle.server.close();
    rmSync(work, { recursive: true, force: true });
  }
}

async function asked(server: Server, oracle: Oracle, question: Question, { key, ids }: Filled): Promise<Outcome> {
  const supporting = new Set(question.mails.map((name) => ids[name]!));
  const given = async () => {
    const { data } = await call<{ data: { message_ids: string[] }[] }>(server, key, "GET", "/ai/calls?limit=1");
    return data[0]!.message_ids;
  };
  oracle.known = { question, supporting, given };
  // Where the search finds nothing, the model is not asked.
  oracle.missing = "mail not given";
  const path = "/ai/ask";
  const reply = await call<Reply & { fallback: string | null }>(server, key, "POST", path, { question: question.text });
  const verdict = judge(question, reply, supporting);
  return { question, verdict, answer: reply.answer, missing: oracle.missing, dropped: reply.fallback };
}

function report(outcomes: readonly Outcome[], prompts: number[]): { text: string; data: object; figures: Figure[] } {
  const splits = [...new Set(outcomes.map(({ question }) => question.split))];
  const groups = splits.map((split) => {
    const of = outcomes.filter(({ question }) => question.split === split);
    const open = of.filter(({ question: { expected }, verdict }) => expected !== null && verdict !== "right");
    const missed = (reason: Missing) => open.filter(({ missing }) => missing === reason).length;
    return {
      split,
      ...countsOf(of),
      notGiven: missed("mail not given"),
      cutOff: missed("passage cut off"),
      attached: missed("in an attachment"),
      dropped: of.filter(({ dropped }) => dropped !== null).length,
    };
  });
  const rows = groups.map(({ split, asked: all, right, wrong, refused, notGiven, cutOff, attached, dropped }) => [
    split,
    String(all),
    `${right} (${Math.round((100 * right) / all)}%)`,
    String(wrong),
    String(refused),
    String(notGiven),
    String(cutOff),
    String(attached),
    String(dropped),
  ]);
  const heads = ["", "with answer", "right", "wrong", "refused", "mail not given", "cut off", "attachment", "dropped"];
  const failed = outcomes
    .filter(
      ({ question, verdict }) => question.split !== "held-out" && question.expected !== null && verdict !== "right",
    )
    .map(({ question: { mailbox, text, mails }, verdict, missing, dropped, answer }) => ({
      mailbox,
      question: text,
      mails,
      verdict,
      missing,
      dropped,
      answer,
    }));
  const promptBytes = { median: median(prompts), most: Math.max(...prompts) };
  const drops = outcomes
    .filter(({ question, dropped }) => question.split !== "held-out" && dropped !== null)
    .map(({ question: { mailbox, text }, dropped, verdict }) => ({ mailbox, question: text, dropped, verdict }));
  const text = `Questions, with a model that knows the answers and needs the mail\n${formatTable(heads, rows)}\n\nbytes of a prompt: ${promptBytes.median} (median), ${promptBytes.most} at most`;
  return { text, data: { questions: groups, promptBytes, failed, drops }, figures: [] };
}
