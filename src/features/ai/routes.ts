import { Type } from "@sinclair/typebox";
import { requireUnbound } from "../../http/guard/caller.ts";
import { cutPage, listOf, pageQuery } from "../../http/paging.ts";
import { act, type Route, read } from "../../http/route.ts";
import { isoTime } from "../../kernel/clock.ts";
import { type FoundServer, findLocalServers } from "../../ml/language-model/detect.ts";
import type { ModelCallRow, ModelCalls } from "../../platform/ledger/model-calls.ts";
import type { Engines } from "./engines.ts";
import { EXAMPLE_ANSWER, EXAMPLE_CALL, EXAMPLE_EXTRACTION, EXAMPLE_STATUS, EXAMPLE_SUMMARY } from "./examples.ts";
import { Answer, EngineStatus, Extraction, ModelCall, Question, Summary, ThreadChoice } from "./model.ts";
import type { AiService } from "./service.ts";

export interface AiRouteParts {
  service: AiService;
  engines: Engines;
  calls: ModelCalls;
}

/** Returns the routes for questions, summaries, extraction and the ledger of model calls. */
export function aiRoutes({ service, engines, calls }: AiRouteParts): Route[] {
  return [
    act({
      method: "POST",
      path: "/ai/ask",
      scope: "ai:invoke",
      operationId: "askInbox",
      tag: "AI",
      summary: "Answer a question from your mail",
      description:
        "Answers a question and cites the exact words that support each statement. An answer spends 1 credit. If " +
        "nothing in the mail supports an answer, `answered` is false and no credit is spent.",
      body: Question,
      response: Answer,
      errors: ["insufficient_credits"],
      examples: { body: { question: "When does the contract with Acme end?" }, response: EXAMPLE_ANSWER },
      handle: ({ body, caller, commit }) => service.ask(caller, body.question, commit, (answer) => answer),
    }),
    act({
      method: "POST",
      path: "/ai/summarize",
      scope: "ai:invoke",
      operationId: "summarizeThread",
      tag: "AI",
      summary: "Summarize a thread",
      description:
        "Summarizes a thread as points, each with a citation of the words it is based on. Spends 1 credit. A thread " +
        "with nothing to summarize spends none.",
      body: ThreadChoice,
      response: Summary,
      errors: ["insufficient_credits", "not_found"],
      examples: { body: { thread_id: EXAMPLE_SUMMARY.thread_id }, response: EXAMPLE_SUMMARY },
      handle: ({ body, caller, commit }) => service.summarize(caller, body.thread_id, commit, (summary) => summary),
    }),
    act({
      method: "POST",
      path: "/ai/extract",
      scope: "ai:invoke",
      operationId: "extractFromThread",
      tag: "AI",
      summary: "Extract facts from a thread",
      description:
        "Finds commitments, dates, questions, decisions and sums of money with rules that run on this machine. No " +
        "language model is used. Each finding cites its position in the message. Spends 1 credit. If nothing is " +
        "found, no credit is spent.",
      body: ThreadChoice,
      response: Extraction,
      errors: ["insufficient_credits", "not_found"],
      examples: { body: { thread_id: EXAMPLE_EXTRACTION.thread_id }, response: EXAMPLE_EXTRACTION },
      handle: ({ body, caller, commit }) =>
        service.extract(caller, body.thread_id, commit, (found) => ({ ...found, engine: "extractive" as const })),
    }),
    read({
      method: "GET",
      path: "/ai/engine",
      scope: "ai:invoke",
      operationId: "getAiEngine",
      tag: "AI",
      summary: "Get the AI engine status",
      description:
        "Returns which engine answers, the host that mail text is sent to, and why a configured model is not in use.",
      response: EngineStatus,
      examples: { response: EXAMPLE_STATUS },
      handle: async () => ({ ...engines.status(), found: (await findLocalServers()).map(viewServer) }),
    }),
    read({
      method: "GET",
      path: "/ai/calls",
      scope: "audit:read",
      operationId: "listModelCalls",
      tag: "AI",
      summary: "List calls to language models",
      description:
        "Lists every call to a language model, and every request of `postroom model pull`, newest first, including " +
        "failed ones. Without a model and such requests, the list is empty. Not available to a key that is bound to one mailbox.",
      query: Type.Object({ ...pageQuery }),
      response: listOf(ModelCall, "ModelCallList"),
      examples: { response: { data: [EXAMPLE_CALL], has_more: false } },
      handle: ({ query: { limit, cursor }, caller, pager }) => {
        requireUnbound(caller);
        const after = pager.after("ai-calls", cursor);
        const rows = calls.list(caller.user_id, after === null ? null : Number(after[0]), limit + 1);
        return pager.reply(
          "ai-calls",
          cutPage(rows, limit, ({ id }) => [id]),
          viewCall,
        );
      },
    }),
  ];
}

function viewServer({ kind, base_url, models }: FoundServer) {
  return { kind, base_url, models: models.map(({ name }) => name) };
}

function viewCall({ id: _, started_at, ended_at: __, ...row }: ModelCallRow): ModelCall {
  return { at: isoTime(started_at), ...row };
}
