import { Type } from "@sinclair/typebox";
import type { MailScope } from "../../mailbox/queries.ts";
import type { ConversationMessage, Conversations } from "../../mailbox/queries-conversations.ts";
import { openAsks } from "../../ml/extract/conversation.ts";
import { composeReply, type DraftSentence, draftText } from "../../ml/extract/reply.ts";
import { sentencesOf } from "../../ml/extract/sentences.ts";
import type { Voice } from "../../ml/extract/voice.ts";
import type { LanguageModel } from "../../ml/language-model/client.ts";
import { ModelFault } from "../../ml/language-model/faults.ts";
import { fitting, tokensOf } from "../../ml/language-model/tokens.ts";
import type { Log } from "../../platform/log.ts";
import { replyRecipients } from "../../wire/smtp/reply.ts";
import type { Breaker } from "./breaker.ts";
import { type EngineName, type Engines, engineOf } from "./engines.ts";
import { judge, type Verdict, withoutTags } from "./firewall.ts";
import { chat, fence, oneLine, visible } from "./prompt.ts";
import { provenanceOf } from "./provenance.ts";
import {
  firstName,
  openingLike,
  type SentReply,
  sentMail,
  type VoiceProfiles,
  voiceFor,
  withVariables,
} from "./voices.ts";
import { wantedVariables } from "./wanted-variables.ts";

/** What the user keeps about a conversation. */
export interface DraftContext {
  /** Global variables, overridden by those of the profile of whom it goes to. */
  variables: Readonly<Record<string, string>>;
  /** Notes, summary and files that belong to the profile. */
  private_texts: readonly { name: string; text: string }[];
}

/** What is to be written. */
export interface DraftRequest {
  scope: MailScope;
  /** The conversation that is answered; null: new mail. */
  thread_id: string | null;
  /** What it is to say, in the user's own words; "": nothing was said. */
  instructions: string;
  /** Whom it goes to, as given; of an answer empty: whom the newest message of the conversation asks to answer. */
  to: readonly string[];
  /** True for the agent: nobody asked for this draft, so it draws on the conversation and the voice alone. */
  unasked: boolean;
  /** Of the run of drafts that this one belongs to. */
  breaker?: Breaker;
  signal?: AbortSignal;
}

/** A draft, and all that there is to know of how it came about. */
export interface WrittenDraft {
  body: string;
  engine: EngineName;
  model: string | null;
  /** Why the language model did not write it although there is one; null: it did, or there is none. */
  fallback: string | null;
  held_for_review: boolean;
  review_reasons: string[];
  provenance: DraftSentence[];
}

export interface DraftWriterParts {
  conversations: Conversations;
  engines: Engines;
  voices: VoiceProfiles;
  log: Log;
  /** What the user keeps about the people with these addresses: those that the draft goes to, and nobody else. */
  context(user_id: string, emails: readonly string[]): DraftContext;
}

const ANSWER_TOKENS = 900;
const MOST_PRIVATE_TOKENS = 1_500;
/** Many times what was asked for: a model that does not end. */
const LONGEST_BODY_CHARS = 20_000;
/** Of a long conversation the newest text; what a draft names was said there. */
const MOST_SOURCE_CHARS = 300_000;
const Answer = Type.Object(
  { body: Type.String({ description: "The text of the mail, plain, with greeting and closing." }) },
  { additionalProperties: false },
);
const NO_CONTEXT: DraftContext = { variables: {}, private_texts: [] };

interface Person {
  name: string;
  email: string;
}

/** What the writer knows when it begins. */
interface Material {
  thread: ConversationMessage[];
  incoming: ConversationMessage | null;
  /** Whom the draft goes to. */
  recipients: Person[];
  voice: Voice | null;
  language: string | null;
  context: DraftContext;
  sent: SentReply[];
  own_names: string[];
}

/** Writes the text of drafts. It stores nothing and spends nothing. */
export class DraftWriter {
  constructor(private readonly parts: DraftWriterParts) {}

  /** @throws nothing but programming errors: a model that fails is replaced by the extractive engine, which says so */
  async write(request: DraftRequest): Promise<WrittenDraft> {
    const material = await this.#gather(request);
    const model = this.parts.engines.model();
    // The built-in engine writes what it was told; without instructions a model knows no more than it does.
    if (model === null) return this.#extractive(request, material, null);
    const { breaker } = request;
    if (breaker?.reason) return this.#extractive(request, material, breaker.reason);
    try {
      return await this.#modelled(model, request, material);
    } catch (error) {
      if (!(error instanceof ModelFault)) throw error;
      breaker?.note(error);
      this.parts.log.warn("the language model wrote no draft", { kind: error.kind });
      return this.#extractive(request, material, error.message);
    }
  }

  async #gather({ scope, thread_id, to, unasked }: DraftRequest): Promise<Material> {
    const reader = this.parts.conversations.of(scope);
    const thread = thread_id === null ? [] : reader.messages(thread_id, 50);
    const incoming = thread.findLast(({ outgoing }) => !outgoing) ?? null;
    const recipients = to.length > 0 ? addressesOf(to) : answersTo(thread.at(-1), reader.own);
    const sent = await sentMail(reader);
    this.parts.voices.learn(scope.user_id, () => sent);
    // Not those of others in the conversation: whoever writes chooses its Cc, and would choose whose notes are opened.
    const emails = recipients.map(({ email }) => email).filter((email) => !reader.own.has(email.toLowerCase()));
    const context = this.parts.context(scope.user_id, emails);
    const measured = voiceFor(sent, recipients[0]?.email ?? null);
    const general = measured === null ? 0 : sent.length;
    const for_one = measured !== null && measured.samples < general;
    return {
      thread,
      incoming,
      recipients,
      voice: withVariables(measured, context.variables, for_one),
      language: incoming?.language() ?? null,
      context: unasked ? NO_CONTEXT : context,
      sent,
      own_names: [...reader.own, ...thread.flatMap(({ my_names }) => my_names)],
    };
  }

  async #extractive(
    { instructions }: DraftRequest,
    material: Material,
    fallback: string | null,
  ): Promise<WrittenDraft> {
    const { thread, incoming, recipients, voice, language, sent } = material;
    const paragraphs = composeReply({
      name: recipients[0] ? firstName(recipients[0].name, recipients[0].email) : null,
      voice,
      language,
      instructions,
      asked: openAsks(thread, () => 0)
        .filter(({ message_id }) => isFrom(recipients, thread, message_id))
        .map((ask) => ({ ...ask, shown: withoutTags(visible(ask.text)) })),
      opening: incoming && instructions.trim() === "" ? await openingLike(sent, incoming) : null,
    });
    // Its sentences are the user's own, or quotes of the conversation: there is nothing to hold them for.
    return {
      body: draftText(paragraphs),
      engine: "extractive",
      model: null,
      fallback,
      held_for_review: false,
      review_reasons: [],
      provenance: paragraphs.flat(),
    };
  }

  async #modelled(model: LanguageModel, request: DraftRequest, material: Material): Promise<WrittenDraft> {
    const { scope, instructions, signal } = request;
    const { thread, voice } = material;
    const task =
      thread.length > 0
        ? "Write the user's answer to the newest mail of the conversation. Say what the instructions say; where there are none, answer what is asked as far as the material allows and leave [blanks] for what only the user knows."
        : "Write the mail that the instructions describe.";
    const parts: [string, string][] = [
      ["Instructions of the user", instructions],
      ["How the user writes", voiceInWords(voice)],
      ["What the user keeps about whom it goes to", contextInWords(contextFor(request, material))],
      ["Whom it goes to", material.recipients.map(({ name, email }) => oneLine(`${name} <${email}>`)).join("\n")],
    ];
    const used =
      tokensOf(task) + parts.reduce((sum, [title, text]) => sum + tokensOf(title) + tokensOf(text), FRAME_TOKENS);
    const fenced = fence(thread, Math.max(0, model.room(ANSWER_TOKENS) - used));
    const answer = await model.completeJson(
      {
        user_id: scope.user_id,
        purpose: "draft",
        messages: chat(`${task} Answer in the language of the conversation, as JSON with the field body.`, [
          ...parts,
          ["Conversation", fenced.text],
        ]),
        message_ids: fenced.messages.map(({ id }) => id),
        max_tokens: ANSWER_TOKENS,
        temperature: 0.4,
        ...(signal ? { signal } : {}),
      },
      "draft",
      Answer,
    );
    if (answer.body.length > LONGEST_BODY_CHARS)
      throw new ModelFault("not_as_asked", "The model's draft is incomplete.");
    const { body, reasons } = this.#judge(answer.body, request, material);
    if (body === "") throw new ModelFault("not_as_asked", "The model wrote an empty draft.");
    return {
      body,
      engine: engineOf(model),
      model: model.name,
      fallback: null,
      held_for_review: reasons.length > 0,
      review_reasons: reasons,
      provenance: provenanceOf(body, instructions, thread, voice),
    };
  }

  #judge(text: string, { instructions, to }: DraftRequest, { thread, context, own_names, voice }: Material): Verdict {
    return judge(text, {
      thread: thread
        .map(({ head, text: read }) => `${head.subject}\n${read().body_text}`)
        .join("\n")
        .slice(-MOST_SOURCE_CHARS),
      instructions,
      variables: context.variables,
      private_texts: context.private_texts,
      people: [...thread.flatMap(everyone), ...to, ...own_names, voice?.name ?? "", voice?.sign_off ?? ""],
    });
  }
}

const FRAME_TOKENS = 500;
const QUESTION_MARK = /[?？؟]\s*$/u;

/** The user's context without the variables that neither the instructions nor the conversation ask for. */
function contextFor({ instructions }: DraftRequest, { thread, context }: Material): DraftContext {
  const since = thread.slice(thread.findLastIndex(({ outgoing }) => outgoing) + 1);
  const sentences = since.flatMap(({ head, text }) => [
    head.subject,
    ...sentencesOf(text().new_text).map((one) => one.text),
  ]);
  const questions = [
    ...openAsks(thread, () => 0).map(({ text }) => text),
    ...sentences.filter((text) => QUESTION_MARK.test(text)),
  ];
  const said = thread.map(({ text }) => text().body_text).join("\n");
  return { ...context, variables: wantedVariables(context.variables, { instructions, questions, said }) };
}

const everyone = ({ head }: ConversationMessage): string[] =>
  [head.from, ...head.reply_to, ...head.to, ...head.cc].map(({ email }) => email).filter((email) => email !== "");

/** Whom an answer to a message goes to, with the best name that it gives them. */
function answersTo(newest: ConversationMessage | undefined, own: ReadonlySet<string>): Person[] {
  if (!newest) return [];
  const { from, reply_to, to } = newest.head;
  return replyRecipients({ from, replyTo: reply_to, to }, [...own]).map(({ name, email }) => ({
    name: name || (email === from.email ? from.name : ""),
    email,
  }));
}

/** Whether one of the recipients wrote a message: what others asked is not theirs to be answered. */
function isFrom(recipients: readonly Person[], thread: readonly ConversationMessage[], message_id: string): boolean {
  const head = thread.find(({ id }) => id === message_id)?.head;
  const writers = head ? [head.from, ...head.reply_to].map(({ email }) => email.toLowerCase()) : [];
  return recipients.some(({ email }) => writers.includes(email.toLowerCase()));
}

/** Recipients as a client gives them: "a@b" or "Name <a@b>". */
function addressesOf(to: readonly string[]): Person[] {
  return to.flatMap((text) => {
    const match = /^\s*"?([^"<]*?)"?\s*<([^<>\s]+@[^<>\s]+)>\s*$/.exec(text);
    if (match) return [{ name: match[1]!, email: match[2]! }];
    return /^[^\s@]+@[^\s@]+$/.test(text.trim()) ? [{ name: "", email: text.trim() }] : [];
  });
}

function voiceInWords(voice: Voice | null): string {
  if (!voice) return "";
  const { greeting, sign_off, name, formality, words } = voice;
  const lines = [`Tone: ${formality}.`, words > 0 ? `Usual length: about ${words} words.` : ""];
  if (greeting) lines.push(`Greeting: ${greeting}`);
  if (sign_off) lines.push(`Closing: ${sign_off}`);
  if (name) lines.push(`Name: ${name}`);
  return lines.filter(Boolean).join("\n");
}

function contextInWords({ variables, private_texts }: DraftContext): string {
  const lines = Object.entries(variables)
    .filter(([key]) => !key.startsWith("voice."))
    .map(([key, value]) => `${key}: ${value}`);
  const texts = private_texts.map(({ name, text }) => `${name} (to know, not to copy):\n${text}`);
  return fitting([...lines, ...texts].join("\n"), MOST_PRIVATE_TOKENS);
}
