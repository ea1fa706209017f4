import { Type } from "@sinclair/typebox";
import type { ConversationMessage, ConversationReader, Conversations } from "../../mailbox/queries/conversations.ts";
import type { MailScope } from "../../mailbox/queries/scope.ts";
import { fullName, isRole, registerOf, saysTu } from "../../ml/extract/address.ts";
import { openAsks } from "../../ml/extract/conversation.ts";
import { languageOfInstructions } from "../../ml/extract/instructions/grammars.ts";
import { composeReply, draftText } from "../../ml/extract/reply.ts";
import { sentencesOf } from "../../ml/extract/sentences.ts";
import type { WritingStyle } from "../../ml/extract/writing-style.ts";
import type { LanguageModel } from "../../ml/language-model/client.ts";
import { ModelFault } from "../../ml/language-model/faults.ts";
import { fitting, tokensOf } from "../../ml/language-model/tokens.ts";
import type { Log } from "../../platform/log.ts";
import { normalizeEmail } from "../../wire/smtp/addresses.ts";
import { replyRecipients } from "../../wire/smtp/reply.ts";
import type { CircuitBreaker } from "./circuit-breaker.ts";
import { type EngineName, type Engines, engineOf } from "./engines.ts";
import { everyone } from "./everyone.ts";
import { judge, type Verdict, withoutTags } from "./firewall.ts";
import { chat, fence, oneLine, visible } from "./prompt.ts";
import { provenanceOf } from "./provenance.ts";
import type { WritingNotes } from "./tables.ts";
import { wantedVariables } from "./wanted-variables.ts";
import {
  firstName,
  languageOf,
  openingLike,
  type SentReply,
  type StyleFor,
  sentMail,
  type WritingStyles,
  withVariables,
  writingStyleFor,
} from "./writing-style.ts";

/** The context that the user has stored about a conversation. */
export interface DraftContext {
  /** Global variables, overridden by those of the recipient's profile. */
  variables: Readonly<Record<string, string>>;
  /** Notes, summary and files of the profile. */
  privateTexts: readonly { name: string; text: string }[];
}

/** The draft to write. */
export interface DraftRequest {
  scope: MailScope;
  /** The conversation to answer; null for new mail. */
  thread_id: string | null;
  /** The instructions for the draft, in the user's own words; "" if the user gave no instructions. */
  instructions: string;
  /** The recipients as given. Empty for a reply: the newest message of the conversation then determines them. */
  to: readonly string[];
  /** True for the agent: without a request, a draft uses only the conversation and the writing style. */
  unasked: boolean;
  /** The circuit breaker of the run that this draft belongs to. */
  breaker?: CircuitBreaker;
  signal?: AbortSignal;
}

/** A draft, and how it was written. */
export interface WrittenDraft extends WritingNotes {
  body: string;
  engine: EngineName;
  /** The other people of the conversation, who receive a copy of a reply whose recipients no one has chosen. */
  cc: string[];
}

export interface DraftWriterParts {
  conversations: Conversations;
  engines: Engines;
  writingStyles: WritingStyles;
  log: Log;
  /** Returns what the user has stored about the people with these addresses: the recipients of the draft, and no others. */
  context(user_id: string, emails: readonly string[]): DraftContext;
}

const ANSWER_TOKENS = 900;
const MAX_PRIVATE_TOKENS = 1_500;
/** Far beyond a normal draft: the model did not stop. */
const LONGEST_BODY_CHARS = 20_000;
/** Only the newest text of a long conversation counts as a source. */
const MAX_SOURCE_CHARS = 300_000;
const Answer = Type.Object(
  { body: Type.String({ description: "The text of the mail, plain, with greeting and closing." }) },
  { additionalProperties: false },
);
const NO_CONTEXT: DraftContext = { variables: {}, privateTexts: [] };

interface Person {
  name: string;
  email: string;
}

/** Everything that the writer gathers before it starts. */
interface Material {
  thread: ConversationMessage[];
  incoming: ConversationMessage | null;
  /** The recipients of the draft. */
  recipients: Person[];
  manner: StyleFor;
  style: WritingStyle | null;
  language: string | null;
  context: DraftContext;
  sent: SentReply[];
  ownNames: string[];
  cc: string[];
}

/** Writes the text of drafts. Stores nothing and spends nothing. */
export class DraftWriter {
  constructor(private readonly parts: DraftWriterParts) {}

  /** Writes a draft. If the model fails, the extractive engine writes it, and the draft says so. */
  async write(request: DraftRequest): Promise<WrittenDraft> {
    const material = await this.#gather(request);
    const model = this.parts.engines.model();
    // Without a model, the built-in engine writes the draft from the instructions and the conversation.
    if (model === null) return this.#extractive(request, material, null);
    const { breaker } = request;
    if (breaker?.reason) return this.#extractive(request, material, breaker.reason);
    try {
      return await this.#writeWithModel(model, request, material);
    } catch (error) {
      if (!(error instanceof ModelFault)) throw error;
      breaker?.note(error);
      this.parts.log.warn("the language model wrote no draft", { kind: error.kind });
      return this.#extractive(request, material, error.message);
    }
  }

  async #gather({ scope, thread_id, to, unasked, instructions }: DraftRequest): Promise<Material> {
    const reader = this.parts.conversations.of(scope);
    const thread = thread_id === null ? [] : reader.messages(thread_id, 50);
    const incoming = thread.findLast(({ outgoing }) => !outgoing) ?? null;
    const recipients = to.length > 0 ? addressesOf(to) : answersTo(thread.at(-1), reader.own);
    const sent = await sentMail(reader);
    this.parts.writingStyles.learn(scope.user_id, () => sent);
    // Not the addresses of others in the conversation: a sender chooses the Cc, and could choose whose notes are used.
    const emails = recipients.map(({ email }) => email).filter((email) => !reader.own.has(email.toLowerCase()));
    const context = this.parts.context(scope.user_id, emails);
    const language = (incoming && languageOf(incoming)) ?? languageBetween(sent, recipients[0]?.email, instructions);
    const manner = writingStyleFor(sent, recipients[0]?.email ?? null, language);
    return {
      thread,
      incoming,
      recipients,
      manner,
      style: withVariables(manner.style, context.variables, manner.forOne),
      language,
      context: unasked ? NO_CONTEXT : context,
      sent,
      ownNames: [...reader.own, ...thread.flatMap(({ myNames }) => myNames)],
      cc: to.length > 0 || unasked ? [] : othersOf(thread, recipients, reader, sent),
    };
  }

  async #extractive(
    { instructions }: DraftRequest,
    material: Material,
    fallback: string | null,
  ): Promise<WrittenDraft> {
    const { thread, incoming, recipients, style, language, sent, manner, cc } = material;
    const written = incoming?.text().new_text ?? "";
    const { paragraphs, gaps } = composeReply({
      name: recipients[0] ? firstName(recipients[0].name, recipients[0].email) : null,
      names: recipients.map(({ name, email }) => (isRole(email) ? "" : name)),
      style,
      forOne: manner.forOne && style?.greeting === manner.style?.greeting,
      formal: isFormal(material, written),
      tu: manner.tu || saysTu(written),
      ownName: thread.flatMap(({ myNames }) => myNames).find((name) => fullName(name) !== null) ?? null,
      language,
      instructions,
      asked: openAsks(thread, () => 0)
        .filter(({ message_id }) => isFrom(recipients, thread, message_id))
        .map((ask) => ({ ...ask, shown: withoutTags(visible(ask.text)) })),
      opening: incoming && instructions.trim() === "" ? await openingLike(sent, incoming) : null,
    });
    // All sentences are the user's own or quotes of the conversation, so there is no reason to hold the draft.
    return {
      body: draftText(paragraphs),
      engine: "extractive",
      cc,
      model: null,
      fallback,
      held_for_review: false,
      review_reasons: [],
      gaps: gaps.map(({ text, gap }) => `${GAP_REASONS[gap]} “${oneLine(text)}”`),
      provenance: paragraphs.flat(),
    };
  }

  async #writeWithModel(model: LanguageModel, request: DraftRequest, material: Material): Promise<WrittenDraft> {
    const { scope, instructions, signal } = request;
    const { thread, style } = material;
    const task =
      thread.length > 0
        ? "Write the user's answer to the newest mail of the conversation. Say what the instructions say; where there are none, answer what is asked as far as the material allows and leave [blanks] for what only the user knows."
        : "Write the mail that the instructions describe.";
    const parts: [string, string][] = [
      ["Instructions of the user", instructions],
      ["How the user writes", describeWritingStyle(style)],
      ["What the user keeps about whom it goes to", contextInWords(contextFor(request, material))],
      ["Whom it goes to", material.recipients.map(({ name, email }) => oneLine(`${name} <${email}>`)).join("\n")],
    ];
    const used =
      tokensOf(task) + parts.reduce((sum, [title, text]) => sum + tokensOf(title) + tokensOf(text), FRAME_TOKENS);
    const fenced = fence(thread, Math.max(0, model.promptBudget(ANSWER_TOKENS) - used));
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
      cc: material.cc,
      model: model.name,
      fallback: null,
      held_for_review: reasons.length > 0,
      review_reasons: reasons,
      gaps: [],
      provenance: provenanceOf(body, instructions, thread, style),
    };
  }

  #judge(text: string, { instructions, to }: DraftRequest, { thread, context, ownNames, style }: Material): Verdict {
    return judge(text, {
      thread: thread
        .map(({ head, text: read }) => `${head.subject}\n${read().body_text}`)
        .join("\n")
        .slice(-MAX_SOURCE_CHARS),
      instructions,
      variables: context.variables,
      privateTexts: context.privateTexts,
      people: [...thread.flatMap(everyone), ...to, ...ownNames, style?.name ?? "", style?.sign_off ?? ""],
    });
  }
}

/** Returns the language of the user's mail to an address, or of the instructions, for mail that does not show its own. */
function languageBetween(sent: readonly SentReply[], email: string | undefined, instructions: string): string | null {
  const toThem = sent.filter(({ sent: { head } }) =>
    head.to.some((one) => one.email.toLowerCase() === email?.toLowerCase()),
  );
  const found = toThem.map((reply) => languageOf(reply.sent)).find((language) => language !== null);
  return found ?? (instructions.trim() === "" ? null : languageOfInstructions(instructions, "en"));
}

const GAP_REASONS = {
  vague: "The instruction does not say enough for a whole sentence. Write it yourself:",
  language: "The built-in engine cannot translate this instruction. Write it yourself:",
};

/** Whether the user addresses the recipient formally: as in mail to them, else as they address the user. */
function isFormal({ manner, language, style }: Material, written: string): boolean {
  const register = manner.register || registerOf(written, language ?? "en");
  if (register !== 0) return register > 0;
  if (manner.forOne) return style?.formality === "formal";
  return language !== null && language !== "en" ? style?.formality !== "informal" : style?.formality === "formal";
}

const FRAME_TOKENS = 500;
const QUESTION_MARK = /[?？؟]\s*$/u;

/** Returns the user's context without the variables that neither the instructions nor the conversation ask for. */
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

/** Returns the recipients of a reply to a message, with the best names that the message has for them. */
function answersTo(newest: ConversationMessage | undefined, own: ReadonlySet<string>): Person[] {
  if (!newest) return [];
  const { from, reply_to, to } = newest.head;
  return replyRecipients({ from, replyTo: reply_to, to }, [...own]).map(({ name, email }) => ({
    name: name || (email === from.email ? from.name : ""),
    email,
  }));
}

const MAX_COPIES = 50;
const NOT_A_PERSON = /^(?:no-?reply|do-?not-?reply|mailer-daemon|postmaster|bounces?)(?:[+._-]|@)/iu;

/**
 * Returns the other people of the newest message, who receive a copy of the reply. A stranger must not be able to choose
 * them: they count only if the user knows who wrote the message, or knows them.
 */
function othersOf(
  thread: readonly ConversationMessage[],
  recipients: readonly Person[],
  reader: ConversationReader,
  sent: readonly SentReply[],
): string[] {
  const newest = thread.at(-1);
  if (!newest) return [];
  const wrote = new Set(
    sent.flatMap(({ sent: { head } }) => [...head.to, ...head.cc]).map(({ email }) => email.toLowerCase()),
  );
  const knows = (email: string) => wrote.has(email.toLowerCase()) || reader.wroteTo(newest.account_id, email);
  const { from, to, cc } = newest.head;
  const trusted = newest.outgoing || knows(from.email);
  const taken = new Set(recipients.map(({ email }) => email.toLowerCase()));
  const others = [...to, ...cc].filter(({ email }) => {
    const key = email.toLowerCase();
    if (normalizeEmail(email) === null || reader.own.has(key) || taken.has(key) || NOT_A_PERSON.test(email))
      return false;
    taken.add(key);
    return trusted || knows(email);
  });
  return others.slice(0, MAX_COPIES).map(({ email }) => email);
}

/** Whether one of the recipients wrote a message. Questions of others are not answered in a reply to the recipients. */
function isFrom(recipients: readonly Person[], thread: readonly ConversationMessage[], message_id: string): boolean {
  const head = thread.find(({ id }) => id === message_id)?.head;
  const writers = head ? [head.from, ...head.reply_to].map(({ email }) => email.toLowerCase()) : [];
  return recipients.some(({ email }) => writers.includes(email.toLowerCase()));
}

/** Parses recipients as a client gives them: "a@b" or "Name <a@b>". */
function addressesOf(to: readonly string[]): Person[] {
  return to.flatMap((text) => {
    const match = /^\s*"?([^"<]*?)"?\s*<([^<>\s]+@[^<>\s]+)>\s*$/.exec(text);
    if (match) return [{ name: match[1]!, email: match[2]! }];
    return /^[^\s@]+@[^\s@]+$/.test(text.trim()) ? [{ name: "", email: text.trim() }] : [];
  });
}

function describeWritingStyle(style: WritingStyle | null): string {
  if (!style) return "";
  const { greeting, sign_off, name, formality, words } = style;
  const lines = [`Tone: ${formality}.`, words > 0 ? `Usual length: about ${words} words.` : ""];
  if (greeting) lines.push(`Greeting: ${greeting}`);
  if (sign_off) lines.push(`Closing: ${sign_off}`);
  if (name) lines.push(`Name: ${name}`);
  return lines.filter(Boolean).join("\n");
}

function contextInWords({ variables, privateTexts }: DraftContext): string {
  const lines = Object.entries(variables)
    .filter(([key]) => !key.startsWith("voice."))
    .map(([key, value]) => `${key}: ${value}`);
  const texts = privateTexts.map(({ name, text }) => `${name} (to know, not to copy):\n${text}`);
  return fitting([...lines, ...texts].join("\n"), MAX_PRIVATE_TOKENS);
}
