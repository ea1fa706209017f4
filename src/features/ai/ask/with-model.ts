import { Type } from "@sinclair/typebox";
import type { ConversationMessage } from "../../../mailbox/queries/conversations.ts";
import type { FileText } from "../../../mailbox/store/file-text.ts";
import type { LanguageModel } from "../../../ml/language-model/client.ts";
import { ModelFault } from "../../../ml/language-model/faults.ts";
import { tokensOf } from "../../../ml/language-model/tokens.ts";
import { type Citation, citeFile, locate, rangeOf } from "../evidence.ts";
import { judge } from "../firewall.ts";
import { chat, fence, oneLine } from "../prompt.ts";

const ANSWER_TOKENS = 600;
const FRAME_TOKENS = 500;
const MAX_CITATIONS = 5;
/** Citations that are checked at most, in case a model does not stop. */
const MAX_QUOTED = 20;
/** Generous: the prompt asks for two sentences. */
const LONGEST_ANSWER_CHARS = 4_000;

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

/** A question and the messages that a model reads, the most relevant first. */
export interface ModelQuestion {
  user_id: string;
  question: string;
  messages: readonly ConversationMessage[];
  /** Returns what the files of a message say about the question. */
  filesOf: (message: ConversationMessage) => FilePassage[];
  signal?: AbortSignal | undefined;
}

/** A passage of an attachment or invitation. */
export interface FilePassage {
  file: FileText;
  start: number;
  end: number;
}

/** An answer of a model whose quotes are in the mail. */
export interface ModelAnswer {
  answered: true;
  answer: string;
  confidence: null;
  citations: Citation[];
  possible: [];
  replaced: [];
}

/**
 * Answers with a model; null if it finds no answer. @throws ModelFault also if the answer is not supported by what it
 * cites
 */
export async function answerWithModel(
  model: LanguageModel,
  { user_id, question, messages, filesOf, signal }: ModelQuestion,
): Promise<ModelAnswer | null> {
  const task =
    "Answer the user's question from the mails. Copy the words that support it, exactly, with the number of their mail. Where the mails do not answer it, say so with answered = false. Answer as JSON with the fields answered, answer and citations.";
  const budget = model.promptBudget(ANSWER_TOKENS) - tokensOf(task) - tokensOf(question) - FRAME_TOKENS;
  // The most relevant message is last, because the fence keeps the last ones when space is short.
  const fenced = fence(messages.toReversed(), Math.max(0, budget), (message) => withFiles(message, filesOf(message)));
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
  if (!reply.answered) return null;
  const citations = reply.citations
    .slice(0, MAX_QUOTED)
    .map(({ mail, quote }) => {
      const message = fenced.messages[mail - 1];
      return message ? (locate(message, quote) ?? locateInFiles(message, filesOf(message), quote)) : null;
    })
    .filter((citation) => citation !== null)
    .slice(0, MAX_CITATIONS);
  if (citations.length === 0) throw new ModelFault("unsupported", "The quotes of the model do not occur in your mail.");
  const cited = new Set(citations.map(({ message_id }) => message_id));
  const answer = supported(
    reply.answer,
    question,
    fenced.messages.filter(({ id }) => cited.has(id)),
    filesOf,
  );
  return { answered: true, answer, confidence: null, citations, possible: [], replaced: [] };
}

/** Returns the text of a message, with the passages of its files below it. */
function withFiles(message: ConversationMessage, passages: readonly FilePassage[]): string {
  const names = [...new Set(passages.map(({ file }) => file))];
  const files = names.map((file) => {
    const lines = passages.filter((one) => one.file === file).map(({ start, end }) => file.text.slice(start, end));
    return `Attachment ${oneLine(file.name)}:\n${lines.join("\n")}`;
  });
  return [message.text().body_text, ...files].join("\n\n");
}

function locateInFiles(message: ConversationMessage, passages: readonly FilePassage[], quote: string): Citation | null {
  for (const file of new Set(passages.map((one) => one.file))) {
    const found = rangeOf(file.text, quote);
    if (found) return citeFile(message, file, found.start, found.end);
  }
  return null;
}

/**
 * Returns the answer if every link, address, sum and number in it occurs in the question or the cited messages.
 * @throws ModelFault
 */
export function supported(
  answer: string,
  question: string,
  cited: readonly ConversationMessage[],
  filesOf: ModelQuestion["filesOf"] = () => [],
): string {
  if (answer.length > LONGEST_ANSWER_CHARS) throw new ModelFault("not_as_asked", "The model's answer is too long.");
  const thread = cited.map((message) => `${message.head.subject}\n${withFiles(message, filesOf(message))}`).join("\n");
  const people = cited.flatMap(({ head }) => [head.from, ...head.to, ...head.cc].map(({ email }) => email));
  const { body, reasons } = judge(answer, { thread, instructions: question, variables: {}, privateTexts: [], people });
  if (reasons.length > 0 || body === "")
    throw new ModelFault(
      "unsupported",
      "The model's answer contains statements that the quoted mail does not support.",
    );
  return body;
}
