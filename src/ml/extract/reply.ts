import { fullName, isOrganization } from "./address.ts";
import type { Finding } from "./findings.ts";
import { cased, type Gap, instructedSentences } from "./instructions/instructions.ts";
import { PHRASES, type Phrases } from "./phrases.ts";
import { TITLE, type WritingStyle } from "./writing-style.ts";

/** The source of a sentence in a draft. */
export type DraftSource =
  /** The user's writing style: greeting and closing. */
  | { from: "voice" }
  | { from: "instructions"; quote: string }
  /** A passage of the conversation. */
  | { from: "message"; message_id: string; quote: string; start: number; end: number }
  /** A sentence of the user's own earlier mail. */
  | { from: "sent"; message_id: string; quote: string; start: number; end: number }
  /** A fixed phrase of this program. */
  | { from: "phrase" }
  /** Text from the language model. */
  | { from: "model" };

export interface DraftSentence {
  text: string;
  source: DraftSource;
}

/** A question or request that the reply answers, and its message. */
type Asked = Finding & {
  message_id: string;
  /** The text of the question as the draft quotes it. */
  shown: string;
};

export interface ReplyParts {
  /** First name of the recipient; null if unknown. */
  name: string | null;
  /** The recipients' names as the headers have them. */
  names: readonly string[];
  style: WritingStyle | null;
  /** Whether the style was measured from mail to the recipient. Its greeting is then used as it is. */
  forOne: boolean;
  /** Whether the recipient is addressed formally. */
  formal: boolean;
  /** Whether the user says "tu" in Portuguese. */
  tu: boolean;
  /** The user's name as the headers have it, for users whose mail shows none; null if unknown. */
  ownName: string | null;
  language: string | null;
  /** The content of the reply, as the user describes it; "" if unspecified. */
  instructions: string;
  asked: readonly Asked[];
  /** An opening that the user has used in similar replies. */
  opening: DraftSentence | null;
}

/** A reply in paragraphs of sentences, in order. */
export interface Reply {
  paragraphs: DraftSentence[][];
  /** What only the user can write: the instruction, and why. */
  gaps: { text: string; gap: Gap }[];
}

/** Limits the questions that a draft quotes. */
const MAX_ASKED = 5;

/**
 * Composes a reply without a language model: the user's greeting, then the instructed sentences, then the user's
 * closing. Without instructions, each open question is quoted with a blank for its answer.
 */
export function composeReply(parts: ReplyParts): Reply {
  const { style, names, instructions, asked, opening, formal, tu } = parts;
  const foreign = style?.language && parts.language && style.language !== parts.language;
  const own = foreign ? null : style;
  const wanted = parts.language ?? own?.language ?? "en";
  const language = PHRASES[wanted] ? wanted : "en";
  const phrases = PHRASES[language]![formal ? "formal" : "informal"];
  const greeting = greetingOf(own, phrases, parts);
  const paragraphs: DraftSentence[][] = [[greeting]];
  const instructed = instructedSentences(instructions, {
    language: wanted,
    formal,
    several: names.length > 1,
    names: names.flatMap((name) => name.toLowerCase().split(/[^\p{L}'’-]+/u)).filter(Boolean),
    tu,
  });
  const first = (text: string) => cased(text, language, true, greeting.text);
  if (instructed.length > 0) {
    paragraphs.push(
      instructed.map(({ text, from }, i) => ({
        text: i === 0 ? first(text) : cased(text, language, false, greeting.text),
        source: { from: "instructions", quote: from },
      })),
    );
  } else {
    paragraphs.push([opening ?? { text: first(phrases.thanks), source: { from: "phrase" } }]);
    for (const { text, shown, message_id, start, end } of asked.slice(0, MAX_ASKED)) {
      const quote = shown.replace(/\s+/g, " ").trim();
      paragraphs.push([
        { text: `${phrases.asked} “${quote}”`, source: { from: "message", message_id, quote: text, start, end } },
        { text: phrases.blank, source: { from: "phrase" } },
      ]);
    }
    if (asked.length === 0) paragraphs.push([{ text: phrases.blank, source: { from: "phrase" } }]);
  }
  paragraphs.push(closingOf(own, phrases, parts));
  return { paragraphs, gaps: instructed.flatMap(({ from, gap }) => (gap ? [{ text: from, gap }] : [])) };
}

function greetingOf(style: WritingStyle | null, phrases: Phrases, parts: ReplyParts): DraftSentence {
  const { name, names, forOne, formal } = parts;
  const pattern = style?.greeting ?? null;
  if (pattern !== null && forOne) return { text: pattern, source: { from: "voice" } };
  const full = names.length === 1 ? fullName(names[0]!) : null;
  if (name === null || names.some(isOrganization)) return { text: phrases.plainGreeting, source: { from: "phrase" } };
  if (pattern !== null && !formal && !TITLE.test(pattern))
    return { text: pattern.replaceAll("{name}", name), source: { from: "voice" } };
  const known = phrases.greeting.includes("{full}") ? full : name;
  const text =
    known === null ? phrases.plainGreeting : phrases.greeting.replaceAll("{full}", known).replaceAll("{name}", known);
  return { text, source: { from: "phrase" } };
}

function closingOf(
  style: WritingStyle | null,
  phrases: Phrases,
  { style: measured, ownName, formal }: ReplyParts,
): DraftSentence[] {
  const closing: DraftSentence[] = [
    { text: style?.sign_off ?? phrases.sign_off, source: { from: style?.sign_off ? "voice" : "phrase" } },
  ];
  const name = measured?.name ?? (formal ? ownName : (ownName?.split(/\s+/)[0] ?? null));
  if (name) closing.push({ text: name, source: { from: "voice" } });
  return closing;
}

/** Returns the text of a draft. The closing, and a question with its blank, are on separate lines. */
export function draftText(paragraphs: readonly (readonly DraftSentence[])[]): string {
  return paragraphs
    .map((paragraph, i) => {
      const lines = i === paragraphs.length - 1 || paragraph.some(({ source }) => source.from === "message");
      return paragraph.map(({ text }) => text).join(lines ? "\n" : " ");
    })
    .join("\n\n");
}

const GENERIC_WORDS = 16;

/**
 * Returns true for a sentence that is not specific to its occasion and can be used in an answer to someone else: no
 * number, address, name or quoted text.
 */
export function isGeneric(sentence: string): boolean {
  const words = sentence.trim().split(/\s+/);
  if (words.length < 3 || words.length > GENERIC_WORDS) return false;
  if (/[\d@#“”"«»/\\$€£%&]|https?:|www\./u.test(sentence)) return false;
  return !words.slice(1).some((word) => /^\p{Lu}/u.test(word) && !/^I(?:['’]\p{L}+)?$/u.test(word));
}
