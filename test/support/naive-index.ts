import fc from "fast-check";
import { type Indexable, LONGEST_TEXT_CHARS } from "../../src/mailbox/search/documents.ts";
import { FIELDS, type Field } from "../../src/mailbox/search/fields.ts";
import { LONGEST_TOKEN, tokenize } from "../../src/mailbox/search/tokens.ts";
import type { DocumentContent } from "./index-content.ts";

/** The parts of a message that are indexed. */
export interface NaiveMessage {
  message: Indexable;
  fileText: string;
  extra: { term: string; field: Field }[];
}

const MAX_TERMS = 60_000;

/** The terms of a message as in an index without an encoding. */
export function naiveContent({ message, fileText, extra }: NaiveMessage): DocumentContent {
  const content: DocumentContent = new Map();
  const add = (term: string, field: number, place: number) => {
    if (!content.has(term) && content.size >= MAX_TERMS) return;
    const fields = content.get(term) ?? new Map<number, number[]>();
    content.set(term, fields);
    fields.set(
      field,
      [...(fields.get(field) ?? []), place].sort((a, b) => a - b),
    );
  };
  const person = ({ name, email }: { name: string; email: string }) => `${name} ${email}`;
  const texts: Record<Field, string> = {
    subject: message.subject,
    sender: person(message.from),
    recipients: message.to.map(person).join("\n"),
    cc: message.cc.map(person).join("\n"),
    body: message.text,
    files: message.attachments.map(({ name }) => name).join("\n"),
    file_text: fileText,
    bcc: message.bcc.map(person).join("\n"),
    list: message.listId ?? "",
    delivered_to: (message.deliveredTo ?? []).join("\n"),
    date: "",
  };
  for (const [number, field] of FIELDS.entries()) {
    for (const [place, term] of tokenize(texts[field].slice(0, LONGEST_TEXT_CHARS)).entries()) add(term, number, place);
  }
  for (const { term, field } of extra) add(term, FIELDS.indexOf(field), 0);
  return content;
}

/** How many words of a message count toward its length. */
export function naiveLength({ message, fileText }: NaiveMessage): number {
  const files = message.attachments.map(({ name }) => name).join("\n");
  return [message.subject, message.text, files, fileText].reduce((sum, text) => sum + tokenize(text).length, 0);
}

/** Counts where these words follow each other within one field; with `prefix` the last word is a prefix. */
export function naivePhrase(content: DocumentContent, words: readonly string[], prefix = false): boolean {
  const positionsOf = (word: string, isLast: boolean, field: number): Set<number> => {
    if (!isLast || !prefix) return new Set(content.get(word)?.get(field));
    return new Set([...content].flatMap(([term, fields]) => (term.startsWith(word) ? (fields.get(field) ?? []) : [])));
  };
  return FIELDS.some((_, field) => {
    const places = words.map((word, i) => positionsOf(word, i === words.length - 1, field));
    return [...places[0]!].some((start) => places.every((set, i) => set.has(start + i)));
  });
}

/** Few words of different kinds, so that messages share them and phrases match. */
export const WORDS = [
  "invoice",
  "invoices",
  "inv",
  "Straßenbahn",
  "straßenbahnen",
  "東京で会議",
  "การประชุม",
  "a",
  "rechnungsnummer",
  "𝒜bc",
];
const astral = "𐐀".repeat(LONGEST_TOKEN);

const word = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...WORDS) },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme", maxLength: 12 }) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 12 }) },
  { weight: 1, arbitrary: fc.stringMatching(/^[a-z]{60,70}$/) },
  { weight: 1, arbitrary: fc.nat(LONGEST_TOKEN).map((at) => `${"x".repeat(at)}${astral}`) },
  { weight: 1, arbitrary: fc.nat(9_999).map((number) => `n${number}`) },
);
const text = fc.array(word, { maxLength: 12 }).map((words) => words.join(" "));
const person = fc.record({ name: text, email: fc.constantFrom("ada@example.org", "") });

/** Generates messages of all kinds, most of them short. */
export const naiveMessages: fc.Arbitrary<NaiveMessage> = fc.record({
  message: fc.record({
    subject: text,
    from: person,
    to: fc.array(person, { maxLength: 2 }),
    cc: fc.array(person, { maxLength: 1 }),
    bcc: fc.array(person, { maxLength: 1 }),
    text: fc.array(word, { maxLength: 30 }).map((words) => words.join(" ")),
    attachments: fc.array(
      text.map((name) => ({ name })),
      { maxLength: 2 },
    ),
    listId: text,
    deliveredTo: fc.array(text, { maxLength: 1 }),
  }),
  fileText: text,
  extra: fc.array(
    fc.record({
      term: fc.constantFrom("#pdf", "#link", "$eur:575"),
      field: fc.constantFrom("subject", "body", "file_text"),
    }),
    { maxLength: 4 },
  ),
});

const NO_ONE = { name: "", email: "" };

/** Builds a message of this text alone. */
export function onlyText(text: string, fileText = ""): NaiveMessage {
  const message = { subject: "", from: NO_ONE, to: [], cc: [], bcc: [], text, attachments: [] };
  return { message, fileText, extra: [] };
}

/** Builds a message with this many different words, none of which is long enough to be cut. */
export function manyWords(count: number, first = 0): string {
  const letters = (number: number) =>
    Array.from({ length: 4 }, (_, i) => String.fromCharCode(97 + (Math.floor(number / 26 ** i) % 26))).join("");
  return Array.from({ length: count }, (_, i) => letters(first + i)).join(" ");
}
