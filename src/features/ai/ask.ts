import { Type } from "@sinclair/typebox";
import type { ConversationMessage, Conversations } from "../../mailbox/queries/conversations.ts";
import type { MailScope } from "../../mailbox/queries/scope.ts";
import { amountsOf } from "../../ml/extract/amounts.ts";
import { contentWords } from "../../ml/extract/rank.ts";
import { LONGEST_SENTENCE_CHARS, sentencesOf } from "../../ml/extract/sentences.ts";
import type { LanguageModel } from "../../ml/language-model/client.ts";
import { ModelFault } from "../../ml/language-model/faults.ts";
import { tokensOf } from "../../ml/language-model/tokens.ts";
import type { Log } from "../../platform/log.ts";
import { type EngineName, type Engines, engineOf } from "./engines.ts";
import { type Citation, cite, locate } from "./evidence.ts";
import { judge } from "./firewall.ts";
import { chat, fence, oneLine } from "./prompt.ts";
import { type Retrieve, stem } from "./retrieve.ts";

export interface Answer {
  /** False if nothing in the mail supports an answer. `answer` then says so, and `citations` is empty. */
  answered: boolean;
  answer: string;
  citations: Citation[];
  engine: EngineName;
}

export interface AskParts {
  conversations: Conversations;
  engines: Engines;
  retrieve: Retrieve;
  log: Log;
}

const READ_MESSAGES = 12;
const ANSWER_TOKENS = 600;
const MAX_CITATIONS = 5;
/** Citations that are checked at most, in case a model does not stop. */
const MAX_QUOTED = 20;
/** Generous: the prompt asks for two sentences. */
const LONGEST_ANSWER_CHARS = 4_000;
const NOTHING: Omit<Answer, "engine"> = {
  answered: false,
  answer: "Nothing in your mail answers this question.",
  citations: [],
};

const Reply = Type.Object(
  {
    answered: Type.Boolean({ description: "Whether the material answers the question." }),
    answer: Type.String({ description: "The answer in one or two sentences; empty where there is none." }),
    citations: Type.Array(
      Type.Object(
        {
          mail: Type.Integer({ description: "Number of the mail." }),
          quote: Type.String({ description: "The words that say so, copied exactly." }),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);

/** Answers questions from the user's mail, word for word, or reports that the mail does not answer them. */
export class Asker {
  constructor(private readonly parts: AskParts) {}

  async ask(scope: MailScope, question: string, signal?: AbortSignal): Promise<Answer> {
    const { conversations, retrieve, engines, log } = this.parts;
    const reader = conversations.of(scope);
    const ids = await retrieve(scope, question, READ_MESSAGES);
    const messages = ids.map((id) => reader.message(id)).filter((message) => message !== null);
    const model = engines.model();
    if (messages.length === 0) return { ...NOTHING, engine: "extractive" };
    if (model) {
      try {
        return await answerWithModel(model, scope.user_id, question, messages, signal);
      } catch (error) {
        if (!(error instanceof ModelFault)) throw error;
        log.warn("the language model gave no answer", { kind: error.kind });
      }
    }
    return extractive(question, messages);
  }
}

/** Answers with a model. @throws ModelFault also if the answer is not supported by what it cites */
async function answerWithModel(
  model: LanguageModel,
  user_id: string,
  question: string,
  messages: readonly ConversationMessage[],
  signal: AbortSignal | undefined,
): Promise<Answer> {
  const task =
    "Answer the user's question from the mails. Copy the words that support it, exactly, with the number of their mail. Where the mails do not answer it, say so with answered = false. Answer as JSON with the fields answered, answer and citations.";
  const budget = model.promptBudget(ANSWER_TOKENS) - tokensOf(task) - tokensOf(question) - FRAME_TOKENS;
  // The most relevant message is last, because the fence keeps the last ones when space is short.
  const fenced = fence(messages.toReversed(), Math.max(0, budget));
  const reply = await model.completeJson(
    {
      user_id,
      purpose: "ask",
      messages: chat(task, [
        ["Question of the user", question],
        ["Mails", fenced.text],
      ]),
      message_ids: fenced.messages.map(({ id }) => id),
      max_tokens: ANSWER_TOKENS,
      temperature: 0,
      ...(signal ? { signal } : {}),
    },
    "answer",
    Reply,
  );
  if (!reply.answered) return { ...NOTHING, engine: engineOf(model) };
  const citations = reply.citations
    .slice(0, MAX_QUOTED)
    .map(({ mail, quote }) => {
      const message = fenced.messages[mail - 1];
      return message ? locate(message, quote) : null;
    })
    .filter((citation) => citation !== null)
    .slice(0, MAX_CITATIONS);
  if (citations.length === 0) throw new ModelFault("not_as_asked", "The model cited nothing that occurs in the mail.");
  const cited = new Set(citations.map(({ message_id }) => message_id));
  const answer = supported(
    reply.answer,
    question,
    fenced.messages.filter(({ id }) => cited.has(id)),
  );
  return { answered: true, answer, citations, engine: engineOf(model) };
}

const FRAME_TOKENS = 500;

/**
 * Returns the answer if every link, address, sum and number in it occurs in the question or the cited messages.
 * @throws ModelFault
 */
export function supported(answer: string, question: string, cited: readonly ConversationMessage[]): string {
  if (answer.length > LONGEST_ANSWER_CHARS) throw new ModelFault("not_as_asked", "The model's answer is too long.");
  const thread = cited.map(({ head, text }) => `${head.subject}\n${text().body_text}`).join("\n");
  const people = cited.flatMap(({ head }) => [head.from, ...head.to, ...head.cc].map(({ email }) => email));
  const { body, reasons } = judge(answer, { thread, instructions: question, variables: {}, privateTexts: [], people });
  if (reasons.length > 0 || body === "")
    throw new ModelFault("not_as_asked", "The model's answer contains statements that its sources do not support.");
  return body;
}

/** Question words that ask for a kind of thing, and a test for sentences that contain such a thing. */
const WANTED: readonly [RegExp, (sentence: string) => boolean][] = [
  [
    /\b(?:when|what (?:time|day|date)|wann|quand|cuándo|quando|wanneer)\b/i,
    (text) =>
      /\d|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day|\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\b|tomorrow|\p{L}+tag\b/iu.test(
        text,
      ),
  ],
  [
    /\b(?:how much|what (?:price|cost|amount)|price|cost|combien|wie ?viel|cuánto|quanto|hoeveel)\b/i,
    (text) => amountsOf(text).length > 0,
  ],
  [
    /\b(?:how many|number of)\b/i,
    (text) => /\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|twelve)\b/i.test(text),
  ],
  [
    /\b(?:where|address|wo|où|dónde|dove|waar)\b/i,
    (text) => /\b(?:at|in|on|street|road|room|floor|straße|rue|calle|via)\b/i.test(text),
  ],
  [/\b(?:phone|telephone|number|call)\b/i, (text) => /\+?\d(?:[ ().-]?\d){5,}/.test(text)],
];
/** Share of the question's words, by weight, that a sentence must cover together with its subject and sender. */
const SUPPORT = 0.6;
const MAX_QUOTES = 3;

/** Answers with the sentences that match the question, word for word, with their author and date. */
function extractive(question: string, messages: readonly ConversationMessage[]): Answer {
  const asked = [
    ...new Set(
      contentWords(question)
        .filter((word) => !ASKING.has(word))
        .map(stem),
    ),
  ];
  if (asked.length === 0) return { ...NOTHING, engine: "extractive" };
  const kinds = WANTED.filter(([pattern]) => pattern.test(question)).map(([, fits]) => fits);
  const candidates = messages.flatMap((message) => {
    const { subject, from } = message.head;
    const around = new Set(contentWords(`${subject} ${from.name} ${from.email}`).map(stem));
    const sentences = sentencesOf(message.text().body_text).filter(({ text }) => text.length <= LONGEST_SENTENCE_CHARS);
    return sentences.map(({ text, start, end }, i) => {
      // The topic of a sentence may be named only in the sentence before it.
      const before = new Set(contentWords(sentences[i - 1]?.text ?? "").map(stem));
      const own = new Set(contentWords(text).map(stem));
      return { message, text, start, end, own, before, around };
    });
  });
  const spread = new Map(asked.map((word) => [word, candidates.filter(({ own }) => own.has(word)).length]));
  const weight = (word: string) => Math.log(1 + (candidates.length + 1) / (spread.get(word)! + 0.5));
  const total = asked.reduce((sum, word) => sum + weight(word), 0);
  const ranked = candidates
    .map((candidate) => {
      let covered = 0;
      let here = 0;
      for (const word of asked) {
        if (candidate.own.has(word)) {
          covered += weight(word);
          here++;
        } else if (candidate.around.has(word)) covered += weight(word) * 0.8;
        else if (candidate.before.has(word)) covered += weight(word) * 0.6;
      }
      const fits = kinds.length === 0 || kinds.some((kind) => kind(candidate.text));
      const isQuestion = /[?？]\s*$/.test(candidate.text);
      return {
        ...candidate,
        share: covered / total,
        here,
        fits,
        score: covered / total + (fits ? 0.3 : 0) - (isQuestion ? 0.4 : 0),
      };
    })
    .filter(({ share, here, fits, text }) => share >= SUPPORT && here > 0 && fits && !/[?？]\s*$/.test(text))
    .sort((a, b) => b.score - a.score || b.message.at - a.message.at);
  const [best] = ranked;
  if (!best) return { ...NOTHING, engine: "extractive" };
  const quotes = distinct(ranked.filter(({ score }) => score >= best.score - 0.1)).slice(0, MAX_QUOTES);
  const lines = quotes.map(({ message, text }) => `${whoAndWhen(message)}: “${text.replace(/\s+/g, " ")}”`);
  return {
    answered: true,
    answer: lines.join("\n"),
    citations: quotes.map(({ message, start, end }) => cite(message, start, end)),
    engine: "extractive",
  };
}

/** Words that people use to ask, as opposed to what they ask about. */
const ASKING = new Set(
  "what when where who whom whose which why how much many does did say said tell told about wann wer wie was quand qui quoi comment combien cuándo quién qué cómo quando chi cosa come wanneer wie wat hoe mail email message write wrote written send sent find show give know date time day price cost amount number".split(
    " ",
  ),
);

function distinct<T extends { text: string }>(items: readonly T[]): T[] {
  const seen = new Set<string>();
  return items.filter(({ text }) => {
    const key = text.replace(/\s+/g, " ").toLowerCase();
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

function whoAndWhen({ outgoing, head, at }: ConversationMessage): string {
  const date = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
  return `${outgoing ? "You" : oneLine(head.from.name || head.from.email)} on ${date.format(at)}`;
}
