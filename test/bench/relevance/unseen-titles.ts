import { dice, pick } from "../../faults/campaign.ts";
import { hamMessages, headerOf } from "../known-items/known-items.ts";
import type { GeneratedSet, GradedQuery } from "./generated-set.ts";
import { plainMessage } from "./plain-message.ts";
import { shuffled } from "./unseen-ham.ts";

const SEED = 20_022;
const LONGEST_TITLE_WORDS = 12;
const EACH = 40;
/** Sender of messages whose original sender has no plain name. */
const UNKNOWN = "Unknown";

interface Title {
  name: string;
  sender: string;
  words: string[];
}

/**
 * The shortest documents of all: a subject of at most 12 words and a sender, no text. A query is two to four words of a
 * title, changed in one way; every title with all of these words is an answer.
 */
export function titles(): GeneratedSet {
  const known = new Set<string>();
  const all: (Title & { raw: Uint8Array; at: number })[] = [];
  for (const { name, raw, at } of hamMessages()) {
    const subject = bare(headerOf(raw, "Subject"));
    const sender = /^"?([A-Za-z][A-Za-z .'-]+)"? </.exec(headerOf(raw, "From"))?.[1]?.trim() ?? UNKNOWN;
    const words = subject.split(" ").slice(0, LONGEST_TITLE_WORDS);
    if (known.has(subject.toLowerCase()) || words.length < 3 || !/^[\x20-\x7e]+$/.test(subject)) continue;
    known.add(subject.toLowerCase());
    const from = `${sender} <${sender.toLowerCase().replace(/[^a-z]+/g, ".")}@titles.example>`;
    const id = `${name.replace("/", ".")}@titles.example`;
    all.push({ name, sender, words, at, raw: plainMessage({ id, subject: words.join(" "), text: "", from }) });
  }
  const random = dice(SEED);
  const queries: GradedQuery[] = [];
  const order = shuffled(all, random);
  let next = 0;
  for (const [kind, change] of Object.entries(CHANGES)) {
    for (let made = 0; made < EACH && next < order.length; ) {
      const title = order[next++]!;
      const chosen = distinctive(title.words).slice(0, 2 + Math.floor(random() * 3));
      const text = chosen.length < 2 ? null : change(chosen, title, random);
      if (text === null) continue;
      made++;
      const grades = new Map(all.filter((other) => has(other, chosen)).map(({ name }) => [name, 1] as const));
      queries.push({ text, kind, grades });
    }
  }
  return { messages: all.map(({ name, raw, at }) => ({ name, raw, at })), queries };
}

type Change = (words: string[], title: Title, random: () => number) => string | null;

const CHANGES: Record<string, Change> = {
  dropped: (words) => words.join(" "),
  reordered: (words) => [...words].reverse().join(" "),
  inflected: (words, _, random) => {
    const at = Math.floor(random() * words.length);
    const other = inflected(words[at]!);
    return other === null ? null : words.with(at, other).join(" ");
  },
  mistyped: (words, _, random) => {
    const long = words.filter((word) => /^[a-z]{5,}$/.test(word));
    if (long.length === 0) return null;
    const word = pick(random, long);
    return words.with(words.indexOf(word), mistyped(word, random)).join(" ");
  },
  "with the sender": (words, { sender }) =>
    sender === UNKNOWN ? null : `${sender.split(" ").at(-1)!.toLowerCase()} ${words[0]}`,
};

/** Returns the same word in another form, by the rules of most English words; null where they would not give a word. */
function inflected(word: string): string | null {
  if (!/^[a-z]{4,}$/.test(word)) return null;
  if (/[^s]s$/.test(word) && !/(us|is|as)$/.test(word)) return word.slice(0, -1);
  if (/[^aeiou]ing$/.test(word) && word.length > 6) return `${word.slice(0, -3)}s`;
  if (/(s|x|ch|sh)$/.test(word)) return `${word}es`;
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  return `${word}s`;
}

/**
 * Returns a word with one letter missing, doubled, replaced or swapped with its neighbor. The first letter stays, as in
 * most typing errors.
 */
function mistyped(word: string, random: () => number): string {
  const at = 1 + Math.floor(random() * (word.length - 2));
  const before = word.slice(0, at);
  const after = word.slice(at + 1);
  const way = Math.floor(random() * 4);
  if (way === 0) return before + after;
  if (way === 1) return before + word[at]! + word[at]! + after;
  if (way === 2) return before + (word[at] === "e" ? "r" : "e") + after;
  return before + word[at + 1]! + word[at]! + word.slice(at + 2);
}

const FUNCTION_WORDS = new Set(
  "a an and are as at be by for from how i in is it my no not of on or re so the to up was what when who will with you your".split(
    " ",
  ),
);

const distinctive = (words: readonly string[]) => [
  ...new Set(words.map(lettersOf).filter((word) => word.length > 2 && !FUNCTION_WORDS.has(word))),
];
const lettersOf = (word: string) => word.toLowerCase().replace(/^[^a-z0-9]+|[^a-z0-9]+$/g, "");
const has = ({ words }: Title, chosen: readonly string[]) =>
  chosen.every((word) => words.map(lettersOf).includes(word));
const bare = (subject: string) =>
  subject
    .replace(/^(\s*((re|fwd?)\s*:|\[[^\]]*\]))+/i, "")
    .replace(/\s+/g, " ")
    .trim();
