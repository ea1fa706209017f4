import { Type } from "@sinclair/typebox";
import { requireUnbound } from "../../http/guard/caller.ts";
import { cutPage, listOf, pageQuery } from "../../http/paging.ts";
import { act, type Route, read } from "../../http/route.ts";
import { isoTime } from "../../kernel/clock.ts";
import { findLocalServers } from "../../ml/language-model/detect.ts";
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

export function aiRoutes({ service, engines, calls }: AiRouteParts): Route[] {
  return [
    act({
      method: "POST",
      path: "/ai/ask",
      scope: "ai:invoke",
      operation_id: "askInbox",
      tag: "AI",
      summary: "Ask your mail",
      description:
        "Every answer cites the words that support it, and spends 1 credit. Where nothing in the mail supports an answer, " +
        "`answered` is false and no credit is spent.",
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
      operation_id: "summarizeThread",
      tag: "AI",
      summary: "Summarise a thread",
      description:
        "Every point cites the words that it is made from. Spends 1 credit; a thread without anything to summarise spends none.",
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
      operation_id: "extractFromThread",
      tag: "AI",
      summary: "Find commitments, dates, questions, decisions and amounts in a thread",
      description:
        "By rules on this machine; everything found is given with its place. Spends 1 credit; finding nothing spends none.",
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
      operation_id: "getAiEngine",
      tag: "AI",
      summary: "Which engine answers, and where mail text goes",
      response: EngineStatus,
      examples: { response: EXAMPLE_STATUS },
      handle: async () => ({ ...engines.status(), found: await findLocalServers() }),
    }),
    read({
      method: "GET",
      path: "/ai/calls",
      scope: "audit:read",
      operation_id: "listModelCalls",
      tag: "AI",
      summary: "What was sent to language models",
      description:
        "Every call, also one that failed, newest first. With no model configured the list stays empty. Not for a key that is " +
        "bound to one mailbox.",
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

function viewCall({ id: _, started_at, ended_at: __, ...row }: ModelCallRow): ModelCall {
  return { at: isoTime(started_at), ...row };
}
