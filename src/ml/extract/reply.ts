import type { Finding } from "./findings.ts";
import { instructedSentences } from "./instructions.ts";
import type { WritingStyle } from "./writing-style.ts";

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
  style: WritingStyle | null;
  language: string | null;
  /** The content of the reply, as the user describes it; "" if unspecified. */
  instructions: string;
  asked: readonly Asked[];
  /** An opening that the user has used in similar replies. */
  opening: DraftSentence | null;
}

interface Phrases {
  greeting: string;
  plainGreeting: string;
  thanks: string;
  asked: string;
  blank: string;
  sign_off: string;
}

const PHRASES: Record<string, Phrases> = {
  en: {
    greeting: "Hi {name},",
    plainGreeting: "Hello,",
    thanks: "Thank you for your message.",
    asked: "You asked:",
    blank: "[your answer]",
    sign_off: "Best regards,",
  },
  de: {
    greeting: "Hallo {name},",
    plainGreeting: "Guten Tag,",
    thanks: "vielen Dank für Ihre Nachricht.",
    asked: "Zu Ihrer Frage:",
    blank: "[Ihre Antwort]",
    sign_off: "Viele Grüße",
  },
  fr: {
    greeting: "Bonjour {name},",
    plainGreeting: "Bonjour,",
    thanks: "Merci pour votre message.",
    asked: "Vous demandiez :",
    blank: "[votre réponse]",
    sign_off: "Cordialement,",
  },
  es: {
    greeting: "Hola {name}:",
    plainGreeting: "Buenos días:",
    thanks: "Gracias por su mensaje.",
    asked: "Preguntaba:",
    blank: "[su respuesta]",
    sign_off: "Un saludo,",
  },
  it: {
    greeting: "Ciao {name},",
    plainGreeting: "Buongiorno,",
    thanks: "grazie per il messaggio.",
    asked: "Lei chiedeva:",
    blank: "[la risposta]",
    sign_off: "Un saluto,",
  },
  nl: {
    greeting: "Hallo {name},",
    plainGreeting: "Goedendag,",
    thanks: "Bedankt voor uw bericht.",
    asked: "U vroeg:",
    blank: "[uw antwoord]",
    sign_off: "Met vriendelijke groet,",
  },
  pt: {
    greeting: "Olá {name},",
    plainGreeting: "Bom dia,",
    thanks: "Obrigado pela sua mensagem.",
    asked: "Perguntou:",
    blank: "[a sua resposta]",
    sign_off: "Cumprimentos,",
  },
};

/** Limits the questions that a draft quotes. */
const MAX_ASKED = 5;

/**
 * Composes a reply without a language model: the user's greeting, then the instructed sentences, then the user's
 * closing. Without instructions, each open question is quoted with a blank for its answer. Returns paragraphs of
 * sentences, in order.
 */
export function composeReply(parts: ReplyParts): DraftSentence[][] {
  const { style, name, instructions, asked, opening } = parts;
  const foreign = style?.language && parts.language && style.language !== parts.language;
  const own = foreign ? null : style;
  const phrases = PHRASES[parts.language ?? own?.language ?? "en"] ?? PHRASES.en!;
  const paragraphs: DraftSentence[][] = [[greetingOf(own, phrases, name)]];
  if (instructions.trim() !== "") {
    paragraphs.push(
      instructedSentences(instructions).map(({ text, from }) => ({
        text,
        source: { from: "instructions", quote: from },
      })),
    );
  } else {
    paragraphs.push([opening ?? { text: phrases.thanks, source: { from: "phrase" } }]);
    for (const { text, shown, message_id, start, end } of asked.slice(0, MAX_ASKED)) {
      const quote = shown.replace(/\s+/g, " ").trim();
      paragraphs.push([
        { text: `${phrases.asked} “${quote}”`, source: { from: "message", message_id, quote: text, start, end } },
        { text: phrases.blank, source: { from: "phrase" } },
      ]);
    }
    if (asked.length === 0) paragraphs.push([{ text: phrases.blank, source: { from: "phrase" } }]);
  }
  paragraphs.push(closingOf(own, phrases, style));
  return paragraphs;
}

function greetingOf(style: WritingStyle | null, phrases: Phrases, name: string | null): DraftSentence {
  const pattern = style?.greeting ?? null;
  const wanted = name === null ? phrases.plainGreeting : (pattern ?? phrases.greeting);
  return { text: wanted.replaceAll("{name}", name ?? ""), source: { from: pattern && name ? "voice" : "phrase" } };
}

function closingOf(style: WritingStyle | null, phrases: Phrases, measured: WritingStyle | null): DraftSentence[] {
  const closing: DraftSentence[] = [
    { text: style?.sign_off ?? phrases.sign_off, source: { from: style?.sign_off ? "voice" : "phrase" } },
  ];
  if (measured?.name) closing.push({ text: measured.name, source: { from: "voice" } });
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
