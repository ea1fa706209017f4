import type { ConversationMessage, ConversationReader, Conversations } from "../../mailbox/queries/conversations.ts";
import type { MailScope } from "../../mailbox/queries/scope.ts";
import type { Embed } from "../../ml/extract/rank.ts";
import { ModelFault } from "../../ml/language-model/faults.ts";
import type { Log } from "../../platform/log.ts";
import type { Candidate } from "./ask/candidates.ts";
import { decide } from "./ask/decide.ts";
import { type Found, findCandidates } from "./ask/extractive.ts";
import { type Question, readQuestion } from "./ask/question.ts";
import { searchWords } from "./ask/search-words.ts";
import { answerWithModel, type FilePassage } from "./ask/with-model.ts";
import { answerText, NOTHING_FOUND, unsureText } from "./ask/wording.ts";
import { type EngineName, type Engines, engineOf } from "./engines.ts";
import { type Citation, cite, citeFile } from "./evidence.ts";
import type { Retrieve } from "./retrieve.ts";

export interface Answer {
  /** False if nothing in the mail surely answers. `answer` then says so, and `citations` is empty. */
  answered: boolean;
  answer: string;
  /** How likely the answer is right, 0 to 1, by the built-in engine; null without an answer, and from a language model. */
  confidence: number | null;
  citations: Citation[];
  /** Where it is not answered: passages that may say it, the most likely first. */
  possible: Citation[];
  /** Earlier statements that the answer replaces. */
  replaced: Citation[];
  engine: EngineName;
  /** Why the configured language model did not answer; null if it did, or if none is configured. */
  fallback: string | null;
}

export interface AskParts {
  conversations: Conversations;
  engines: Engines;
  retrieve: Retrieve;
  /** If absent, meaning is compared by words alone. */
  embed?: Embed;
  log: Log;
  now(): number;
}

/** Messages that are retrieved, and messages of their conversations that are read. */
const RETRIEVED = 24;
const MAX_THREAD_MESSAGES = 30;
const MAX_READ = 150;
/** Messages that a language model reads. */
const MODEL_MESSAGES = 12;
const UNANSWERED = { answered: false, confidence: null, citations: [], possible: [], replaced: [] };
const NO_FALLBACK = { fallback: null };

/** Answers questions from the user's mail, word for word, or reports that the mail does not answer them. */
export class Asker {
  constructor(private readonly parts: AskParts) {}

  async ask(scope: MailScope, text: string, signal?: AbortSignal): Promise<Answer> {
    const { conversations, retrieve, engines, embed, log, now } = this.parts;
    const question = readQuestion(text, now());
    const nothing: Answer = { ...UNANSWERED, ...NO_FALLBACK, answer: NOTHING_FOUND, engine: "extractive" };
    if (question.terms.length === 0 && question.dates.length === 0) return nothing;
    const words = searchWords(question);
    const reader = conversations.of(scope);
    const ids = await retrieve(scope, { text, words }, RETRIEVED);
    const messages = conversationsOf(reader, ids);
    if (messages.length === 0) return nothing;
    const found = await findCandidates(question, messages, embed);
    const model = engines.model();
    let fallback: string | null = null;
    if (model) {
      try {
        const chosen = mostRelevant(found, messages, ids);
        const request = { user_id: scope.user_id, question: text, messages: chosen, filesOf: filesIn(found), signal };
        const answer = await answerWithModel(model, request);
        return { ...(answer ?? refusal(question, found)), ...NO_FALLBACK, engine: engineOf(model) };
      } catch (error) {
        if (!(error instanceof ModelFault)) throw error;
        log.warn("the language model gave no answer", { kind: error.kind });
        fallback = error.message;
      }
    }
    return { ...extractive(question, found), fallback };
  }
}

/** Returns the messages with these ids and the other messages of their conversations, in the order of the ids. */
function conversationsOf(reader: ConversationReader, ids: readonly string[]): ConversationMessage[] {
  const messages: ConversationMessage[] = [];
  const seen = new Set<string>();
  for (const id of ids) {
    if (messages.length >= MAX_READ) break;
    const found = reader.message(id);
    if (!found || seen.has(found.thread_id)) continue;
    seen.add(found.thread_id);
    messages.push(...reader.messages(found.thread_id, MAX_THREAD_MESSAGES));
  }
  return messages.slice(0, MAX_READ);
}

/** Returns the messages for a model, the most relevant first: those with candidates, then those that were retrieved. */
function mostRelevant(
  { candidates }: Found,
  messages: readonly ConversationMessage[],
  ids: readonly string[],
): ConversationMessage[] {
  const byId = new Map(messages.map((message) => [message.id, message]));
  const order = new Set([...candidates.map(({ read }) => read.message.id), ...ids]);
  return [...order].flatMap((id) => byId.get(id) ?? []).slice(0, MODEL_MESSAGES);
}

/** Passages of the files of one message that a model reads. */
const MAX_FILE_PASSAGES = 12;

/** Returns what the files of a message say about the question, in their order. */
function filesIn({ candidates }: Found): (message: ConversationMessage) => FilePassage[] {
  return ({ id }) => {
    const passages = candidates
      .filter(({ read, passage }) => read.message.id === id && passage.file !== null)
      .map(({ passage }) => passage);
    const best = [...new Set(passages)].slice(0, MAX_FILE_PASSAGES).sort((a, b) => a.i - b.i);
    return best.map(({ file, start, end }) => ({ file: file!, start, end }));
  };
}

/** Returns that nothing answers, with the passages that may, where a model found no answer. */
function refusal(question: Question, found: Found): Omit<Answer, "fallback" | "engine"> {
  const decision = decide(question, found);
  return { ...UNANSWERED, answer: unsureText(decision), possible: decision.possible.map(cited) };
}

/** Answers with the sentence that says it, or with the passages that may. */
function extractive(question: Question, found: Found): Omit<Answer, "fallback"> {
  const decision = decide(question, found);
  const { best, also, replaced, possible, confidence } = decision;
  if (!best)
    return { ...UNANSWERED, answer: unsureText(decision), possible: possible.map(cited), engine: "extractive" };
  return {
    answered: true,
    answer: answerText(question, best, decision),
    confidence: Math.round(confidence * 100) / 100,
    citations: [best, ...also].map(cited),
    possible: [],
    replaced: replaced ? [cited(replaced)] : [],
    engine: "extractive",
  };
}

function cited({ read: { message }, passage: { file, start, end } }: Candidate): Citation {
  return file ? citeFile(message, file, start, end) : cite(message, start, end);
}
