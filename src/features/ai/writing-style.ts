import type { ConversationMessage, ConversationReader } from "../../mailbox/queries/conversations.ts";
import { registerOf, saysTu } from "../../ml/extract/address.ts";
import { ownSentences } from "../../ml/extract/findings.ts";
import { guessByWords } from "../../ml/extract/instructions/grammars.ts";
import { contentWords } from "../../ml/extract/rank.ts";
import { type DraftSentence, isGeneric } from "../../ml/extract/reply.ts";
import type { Sentence } from "../../ml/extract/sentences.ts";
import {
  type MessageStyle,
  measureForOne,
  measureWritingStyle,
  messageStyle,
  type WritingStyle,
} from "../../ml/extract/writing-style.ts";
import type { Platform } from "../../platform/platform.ts";
import { yieldInSlices } from "../../platform/process/yielding.ts";
import type { AiVoiceRow } from "./tables.ts";

const MAX_THREADS = 150;
const MAX_MESSAGES = 300;
const LEARN_EVERY_MS = 86_400_000;

/** A message that the user sent, and the message it answered. */
export interface SentReply {
  sent: ConversationMessage;
  answered: ConversationMessage | null;
  manner: MessageStyle;
}

/** Returns the newest mail that the user sent, newest first. */
export async function sentMail(reader: ConversationReader): Promise<SentReply[]> {
  const found: Omit<SentReply, "manner">[] = [];
  const yieldIfDue = yieldInSlices();
  for (const { id } of reader.threadsWithSent(MAX_THREADS)) {
    await yieldIfDue();
    const messages = reader.messages(id, 30);
    for (const [i, sent] of messages.entries()) {
      if (!sent.outgoing) continue;
      const answered = messages.slice(0, i).findLast((earlier) => !earlier.outgoing) ?? null;
      found.push({ sent, answered });
    }
    if (found.length >= MAX_MESSAGES) break;
  }
  const replies: SentReply[] = [];
  for (const reply of found.sort((a, b) => b.sent.at - a.sent.at).slice(0, MAX_MESSAGES)) {
    await yieldIfDue();
    replies.push({ ...reply, manner: mannerIn(reply.sent) });
  }
  return replies;
}

const mannerIn = (sent: ConversationMessage): MessageStyle =>
  messageStyle({
    text: sent.text().body_text,
    language: sent.language(),
    recipients: [...sent.head.to, ...sent.head.cc].map(({ name, email }) => firstName(name, email) ?? ""),
  });
const manners = (sent: readonly SentReply[]): MessageStyle[] => sent.map(({ manner }) => manner);

/** How the user writes to someone. */
export interface StyleFor {
  style: WritingStyle | null;
  /** Whether it was measured from mail to that person. */
  forOne: boolean;
  /** Above 0: the user addresses the person formally; below 0: informally; 0: unknown. */
  register: number;
  /** Whether the user says "tu" in Portuguese. */
  tu: boolean;
}

/** Returns the language of a message, also of a short one; null if nothing shows it. */
export const languageOf = (message: ConversationMessage): string | null =>
  guessByWords(message.text().new_text) ?? message.language();

/**
 * Returns how the user writes to an address in a language; where they have not written to it, how they write in that
 * language, or in general.
 */
export function writingStyleFor(sent: readonly SentReply[], email: string | null, language: string | null): StyleFor {
  const inLanguage = sent.filter((reply) => language === null || languageOf(reply.sent) === language);
  const general = measureWritingStyle(manners(inLanguage.length > 0 ? inLanguage : sent));
  const none: StyleFor = { style: general, forOne: false, register: 0, tu: false };
  if (email === null || general === null) return none;
  const wanted = email.toLowerCase();
  const all = sent.filter(({ sent: { head } }) => head.to.some((address) => address.email.toLowerCase() === wanted));
  const sameLanguage = all.filter((reply) => [language, null].includes(languageOf(reply.sent)));
  const alone = sameLanguage.filter(({ sent: { head } }) => head.to.length + head.cc.length === 1);
  const toThem = alone.length > 0 ? alone : sameLanguage;
  if (toThem.length === 0) return none;
  const own = measureForOne(manners(toThem))!;
  const texts = toThem.map((reply) => reply.sent.text().new_text);
  return {
    style: {
      ...own,
      greeting: own.greeting ?? null,
      sign_off: own.sign_off ?? general.sign_off,
      name: own.name ?? general.name,
      language: own.language ?? language,
    },
    forOne: true,
    register: texts.reduce((sum, text) => sum + registerOf(text, language ?? "en"), 0),
    tu: texts.some(saysTu),
  };
}

/** Returns "Maria" for "Maria Silva", "Silva, Maria" and maria.silva@…; null if the first name cannot be determined. */
export function firstName(name: string, email: string): string | null {
  const bare = name.includes(",") ? (name.split(",")[1] ?? "").trim() : name.trim();
  const word = (bare || email.slice(0, Math.max(0, email.indexOf("@"))).split(/[._-]/)[0] || "").split(/\s+/)[0] ?? "";
  if (!/^\p{L}[\p{L}'’-]+$/u.test(word)) return null;
  if (
    bare === "" &&
    /^(?:info|team|office|support|sales|contact|hello|mail|admin|service|noreply|billing|news)$/i.test(word)
  )
    return null;
  return bare === "" ? word.charAt(0).toUpperCase() + word.slice(1) : word;
}

const LIKE_ENOUGH = 0.2;

/** A sentence used with at least this many people is a habit and reveals nothing about any of them. */
const MIN_RECIPIENTS = 2;

/**
 * Returns the opening of the user's own answer to the mail most similar to this one, if the user has written it to
 * several people in the same words; otherwise null.
 */
export async function openingLike(
  sent: readonly SentReply[],
  incoming: ConversationMessage,
): Promise<DraftSentence | null> {
  const yieldIfDue = yieldInSlices();
  const wanted = new Set(contentWords(`${incoming.head.subject} ${incoming.text().new_text}`.slice(0, 4_000)));
  const language = incoming.language();
  const ranked: { reply: SentReply; likeness: number }[] = [];
  for (const reply of sent) {
    const { answered, manner } = reply;
    if (!answered || answered.thread_id === incoming.thread_id || !sameLanguage(manner.language, language)) continue;
    await yieldIfDue();
    const likeness = overlap(wanted, answered);
    if (likeness >= LIKE_ENOUGH) ranked.push({ reply, likeness });
  }
  if (ranked.length === 0) return null;
  ranked.sort((a, b) => b.likeness - a.likeness);
  const recipientsByOpening = new Map<string, Set<string>>();
  for (const reply of sent) {
    await yieldIfDue();
    const opening = openingOf(reply);
    if (!opening) continue;
    const to = recipientsByOpening.get(inForm(opening.text)) ?? new Set();
    for (const { email } of reply.sent.head.to) to.add(email.toLowerCase());
    recipientsByOpening.set(inForm(opening.text), to);
  }
  for (const { reply } of ranked.slice(0, 5)) {
    const opening = openingOf(reply);
    if (!opening || recipientsByOpening.get(inForm(opening.text))!.size < MIN_RECIPIENTS) continue;
    const { text, start, end } = opening;
    return { text, source: { from: "sent", message_id: reply.sent.id, quote: text, start, end } };
  }
  return null;
}

/** Returns the first sentence after the greeting if it is generic, otherwise null. */
function openingOf({ sent, manner }: SentReply): Sentence | null {
  const [first, second] = ownSentences(sent.text());
  const opening = manner.greeting === null ? first : second;
  return opening && isGeneric(opening.text) && /[.!]$/.test(opening.text) ? opening : null;
}

const inForm = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}]+/gu, " ")
    .trim();

/** Whether two texts may share a language. A text that is too short to identify may be in any. */
const sameLanguage = (a: string | null, b: string | null): boolean => a === null || b === null || a === b;

/** Returns the share of common words, relative to the smaller set. */
function overlap(wanted: ReadonlySet<string>, message: ConversationMessage): number {
  const words = new Set(contentWords(`${message.head.subject} ${message.text().new_text}`.slice(0, 4_000)));
  let both = 0;
  for (const word of words) if (wanted.has(word)) both++;
  return both / Math.max(1, Math.min(words.size, wanted.size));
}

/** Reads and writes a user's variables. Composed in the server's wiring. */
export interface WritingStyleVariables {
  read(user_id: string): Record<string, string>;
  set(user_id: string, key: string, value: string): void;
}

const PREFIX = "voice.";

/**
 * Stores the user's writing style where they can see it: in the variables `voice.greeting`, `voice.sign_off`,
 * `voice.name`, `voice.formality`, `voice.language` and `voice.words`. The style is measured again once a day; the
 * user's own changes are kept. The only owner of the `ai_voice` table.
 */
export class WritingStyles {
  constructor(
    private readonly platform: Platform,
    private readonly variables: WritingStyleVariables,
  ) {}

  /** Measures the style again after a day, and updates the variables that the user has not changed. */
  learn(user_id: string, sent: () => readonly SentReply[]): void {
    const { db, keyring, clock } = this.platform;
    const context = `ai_voice.learned:${user_id}`;
    const row = db.sql
      .query<Pick<AiVoiceRow, "learned" | "learned_at">, [string]>(
        "SELECT learned, learned_at FROM ai_voice WHERE user_id = ?",
      )
      .get(user_id);
    if (row && clock.now() - row.learned_at < LEARN_EVERY_MS) return;
    const sealer = keyring.forUser(user_id);
    const before = row ? sealer.openJson(context, row.learned) : {};
    const style = measureWritingStyle(manners(sent()));
    if (!style) return;
    const learned = asVariables(style);
    db.write(() => {
      const now = this.variables.read(user_id);
      for (const [key, value] of Object.entries(learned)) {
        const untouched = now[key] === undefined ? before[key] === undefined : now[key] === before[key];
        if (untouched && now[key] !== value) this.variables.set(user_id, key, value);
      }
      db.sql
        .query("INSERT OR REPLACE INTO ai_voice (user_id, learned, learned_at) VALUES (?, ?, ?)")
        .run(user_id, sealer.sealJson(context, learned), clock.now());
    });
  }
}

function asVariables({ greeting, sign_off, name, formality, language, words }: WritingStyle): Record<string, string> {
  const all = { greeting, sign_off, name, formality, language, words: String(words) };
  return Object.fromEntries(
    Object.entries(all)
      .filter((entry): entry is [string, string] => entry[1] !== null)
      .map(([key, value]) => [PREFIX + key, value]),
  );
}

/**
 * Combines a measured style with the user's own variables. What was measured for one person takes precedence over
 * general variables.
 */
export function withVariables(
  style: WritingStyle | null,
  variables: Record<string, string>,
  learnedForOne: boolean,
): WritingStyle | null {
  const own = (key: string) => variables[PREFIX + key];
  const greeting = own("greeting");
  const sign_off = own("sign_off");
  const name = own("name");
  if (!style && !greeting && !sign_off && !name) return null;
  const base: WritingStyle = style ?? {
    greeting: null,
    sign_off: null,
    name: null,
    formality: "neutral",
    language: null,
    words: 0,
    samples: 0,
  };
  const formality = own("formality");
  return {
    ...base,
    greeting: (learnedForOne ? base.greeting : null) ?? greeting ?? base.greeting,
    sign_off: (learnedForOne ? base.sign_off : null) ?? sign_off ?? base.sign_off,
    name: name ?? base.name,
    language: base.language ?? own("language") ?? null,
    formality:
      formality === "formal" || formality === "informal" || formality === "neutral" ? formality : base.formality,
  };
}
