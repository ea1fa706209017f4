import { dice, pick } from "../../faults/campaign.ts";
import type { GeneratedSet, GradedQuery } from "./generated-set.ts";
import { plainMessage } from "./plain-message.ts";
import { FRENCH, GERMAN, type Language, type Noun } from "./template-words.ts";

const SEED = 20_023;
const DOCUMENTS = 400;
const EACH = 30;
const MINUTE_MS = 60_000;
const FIRST_AT = Date.parse("2026-01-05T08:00:00Z");

interface Slots {
  noun: Noun;
  other: Noun;
  person: string;
  place: string;
  month: number;
  day: number;
  /** In cents. */
  amount: number;
}

/**
 * Short mails made of a few sentences of our own, filled with names, places, sums and dates. A query names some of
 * these in another form than the mail does; the mails that have all of them are the answers.
 */
export function templates(language: "german" | "french"): GeneratedSet {
  const words = language === "german" ? GERMAN : FRENCH;
  const random = dice(language === "german" ? SEED : SEED + 1);
  const documents = Array.from({ length: DOCUMENTS }, (_, i) => {
    const slots: Slots = {
      noun: pick(random, words.nouns),
      other: pick(random, words.nouns),
      person: pick(random, words.persons),
      place: pick(random, words.places),
      month: Math.floor(random() * 12),
      day: 1 + Math.floor(random() * 28),
      amount: 1_500 + Math.floor(random() * 900_000),
    };
    const { subject, text } = words.mail(slots, words.months[slots.month]!, pick(random, words.closings));
    const from = `${slots.person} <kontakt${i}@${language}.example>`;
    const message = plainMessage({ id: `${i}@${language}.example`, subject, text, from: header(from) });
    return { name: String(i), slots, message: { name: String(i), at: FIRST_AT + i * MINUTE_MS, raw: utf8(message) } };
  });
  const queries: GradedQuery[] = Object.entries(askings(words)).flatMap(([kind, ask]) =>
    Array.from({ length: EACH }, () => {
      const { text, holds } = ask(pick(random, documents).slots, random);
      const answers = documents.filter(({ slots }) => holds(slots));
      return { text, kind, grades: new Map(answers.map(({ name }) => [name, 1] as const)) };
    }),
  );
  return { messages: documents.map(({ message }) => message), queries };
}

type Ask = (slots: Slots, random: () => number) => { text: string; holds: (other: Slots) => boolean };

function askings({ months, amount }: Language): Record<string, Ask> {
  const about = (slots: Slots, noun: Noun) => slots.noun === noun || slots.other === noun;
  const head = (slots: Slots, noun: Noun) => slots.noun.part === noun.part || slots.other.part === noun.part;
  return {
    "other form": ({ noun, person }) => ({
      text: `${noun.plural} ${person.split(" ").at(-1)}`,
      holds: (other) => about(other, noun) && other.person === person,
    }),
    "part of a word": ({ noun, place }) => ({
      text: `${noun.part} ${place}`,
      holds: (other) => head(other, noun) && other.place === place,
    }),
    "amount in another form": ({ noun, amount: cents }, random) => ({
      text: `${noun.part} ${pick(random, amount)(cents)}`,
      holds: (other) => other.amount === cents,
    }),
    month: ({ noun, person, month }) => ({
      text: `${noun.part} ${person.split(" ")[0]} ${months[month]}`,
      holds: (other) => head(other, noun) && other.person === person && other.month === month,
    }),
    mistyped: ({ noun, place, person }, random) => ({
      text: `${swapped(noun.singular, random)} ${place} ${person.split(" ").at(-1)}`,
      holds: (other) => about(other, noun) && other.place === place && other.person === person,
    }),
  };
}

/** Swaps two letters in the middle. */
function swapped(word: string, random: () => number): string {
  const at = 1 + Math.floor(random() * (word.length - 3));
  return word.slice(0, at) + word[at + 1]! + word[at]! + word.slice(at + 2);
}

const utf8 = (message: Buffer) => new Uint8Array(message);
const header = (from: string) =>
  from.replace(/^(.*) </, (_, name: string) => `=?utf-8?B?${Buffer.from(name).toString("base64")}?= <`);
