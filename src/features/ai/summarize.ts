import { Type } from "@sinclair/typebox";
import type { ConversationMessage, Conversations } from "../../mailbox/queries/conversations.ts";
import type { MailScope } from "../../mailbox/queries/scope.ts";
import type { ThreadQueries } from "../../mailbox/queries/threads.ts";
import { findingsOf, ownSentences } from "../../ml/extract/findings.ts";
import { type Candidate, type Embed, topSentences } from "../../ml/extract/rank.ts";
import type { LanguageModel } from "../../ml/language-model/client.ts";
import { ModelFault } from "../../ml/language-model/faults.ts";
import { tokensOf } from "../../ml/language-model/tokens.ts";
import { errorFields, type Log } from "../../platform/log.ts";
import { supported } from "./ask/with-model.ts";
import { type EngineName, type Engines, engineOf } from "./engines.ts";
import { type Citation, cite, locate } from "./evidence.ts";
import { chat, fence, oneLine } from "./prompt.ts";

export interface Summary {
  thread_id: string;
  summary: string;
  /** The statements of the summary, each with its supporting words in a message. */
  points: { text: string; citation: Citation }[];
  engine: EngineName;
  /** Why the configured language model did not summarize; null if it did, or if none is configured. */
  fallback: string | null;
}

export interface SummarizeParts {
  threads: ThreadQueries;
  conversations: Conversations;
  engines: Engines;
  log: Log;
  /** Computes sentence vectors. Present if an embedding model is loaded. */
  embed?: Embed;
}

const MAX_MESSAGES = 60;
const MAX_POINTS = 5;
const ANSWER_TOKENS = 700;
const FRAME_TOKENS = 500;

const Reply = Type.Object(
  {
    points: Type.Array(
      Type.Object(
        {
          text: Type.String({ description: "One sentence of the summary." }),
          mail: Type.Integer({ description: "Number of the mail that says so." }),
          quote: Type.String({ description: "The words that say so, copied exactly." }),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);

/** Summarizes threads with the configured model, or with the built-in engine if there is none or it fails. */
export class Summarizer {
  constructor(private readonly parts: SummarizeParts) {}

  /** @throws ApiError not_found */
  async summarize(scope: MailScope, thread_id: string, signal?: AbortSignal): Promise<Summary> {
    const { threads, conversations, engines, log, embed } = this.parts;
    const { id } = threads.owned(scope, thread_id, "thread_id");
    const messages = conversations.of(scope).messages(id, MAX_MESSAGES);
    const model = engines.model();
    let fallback: string | null = null;
    if (model && messages.length > 0) {
      try {
        const points = await summarizeWithModel(model, scope.user_id, messages, signal);
        const summary = points.map(({ text }) => text).join(" ");
        return { thread_id: id, summary, points, engine: engineOf(model), fallback };
      } catch (error) {
        if (!(error instanceof ModelFault)) throw error;
        log.warn("the language model gave no summary", { kind: error.kind });
        fallback = error.message;
      }
    }
    const points = await extractive(messages, embed).catch((error: unknown) => {
      log.warn("a summary was made without the embedding model", errorFields(error));
      return extractive(messages, undefined);
    });
    return {
      thread_id: id,
      summary: points.map(({ text }) => text).join("\n"),
      points,
      engine: "extractive",
      fallback,
    };
  }
}

/** Summarizes with a model, and keeps only the points whose quote is in the mail. @throws ModelFault if none is left */
async function summarizeWithModel(
  model: LanguageModel,
  user_id: string,
  messages: readonly ConversationMessage[],
  signal: AbortSignal | undefined,
): Promise<Summary["points"]> {
  const task = `Summarize the conversation for the user in at most ${MAX_POINTS} points: what it is about, what was decided, what is open. For each point copy the words that say so, exactly, with the number of their mail. Answer as JSON with the field points.`;
  const fenced = fence(messages, Math.max(0, model.promptBudget(ANSWER_TOKENS) - tokensOf(task) - FRAME_TOKENS));
  const { points } = await model.completeJson(
    {
      user_id,
      purpose: "summarize",
      messages: chat(task, [["Conversation", fenced.text]]),
      message_ids: fenced.messages.map(({ id }) => id),
      max_tokens: ANSWER_TOKENS,
      temperature: 0,
      ...(signal ? { signal } : {}),
    },
    "summary",
    Reply,
  );
  const supportedPoints = points.slice(0, MAX_POINTS).flatMap(({ text, mail, quote }) => {
    const message = fenced.messages[mail - 1];
    const citation = message ? locate(message, quote) : null;
    if (!message || !citation) return [];
    try {
      return [{ text: supported(text, "", [message]), citation }];
    } catch {
      return []; // the point claims something that its message does not say
    }
  });
  if (supportedPoints.length === 0)
    throw new ModelFault("unsupported", "The model's summary quotes nothing that occurs in the thread.");
  return supportedPoints;
}

/** Returns the most informative sentences, with their authors. */
async function extractive(
  messages: readonly ConversationMessage[],
  embed: Embed | undefined,
): Promise<Summary["points"]> {
  const byId = new Map(messages.map((message) => [message.id, message]));
  const candidates = messages.flatMap((message, i): Candidate[] => {
    const text = message.text();
    const findings = new Set(
      findingsOf({ ...text, at: message.at, offsetMin: 0, language: () => message.language() }).map(
        ({ start }) => start,
      ),
    );
    return ownSentences(text).map((sentence) => ({
      ...sentence,
      message_id: message.id,
      recency: messages.length === 1 ? 1 : i / (messages.length - 1),
      matters: findings.has(sentence.start),
    }));
  });
  const top = await topSentences(candidates, Math.min(MAX_POINTS, 2 + messages.length), embed);
  return top.map(({ message_id, text, start, end }) => {
    const message = byId.get(message_id)!;
    const who = message.outgoing ? "You" : oneLine(message.head.from.name || message.head.from.email);
    return { text: `${who}: ${text.replace(/\s+/g, " ")}`, citation: cite(message, start, end) };
  });
}
