import type { IncomingContents } from "../../src/mailbox/store/incoming.ts";

/** The most frequent words give a language its structure; they stay, and with them the language. */
const STAYING_WORDS = 200;
/** Words swap with words of the same length and similar frequency. */
const WINDOW = 16;
/** A person in this many messages of the original mail is the same in every copy; others are a new person in each. */
const KNOWN_FROM_MESSAGES = 8;

const WORD = /[A-Za-z]{3,}/g;

type Person = IncomingContents["from"];

/**
 * Generates any number of messages from real ones. Each copy of the originals has the same threads, sizes, attachments,
 * senders' habits and frequencies of words, with different words and names: a word swaps with another one of its length
 * and frequency, and a word that occurs in one message only becomes a new word in each copy, as the vocabulary of a
 * real mailbox grows. The same seed makes the same mail.
 */
export class SyntheticMail {
  /** For each word its window of interchangeable ones and its position there; absent: the word stays. */
  readonly #windows = new Map<string, { words: string[]; place: number; number: number }>();
  readonly #rare = new Set<string>();
  readonly #known = new Set<string>();
  readonly #names: string[];
  readonly #words = new Map<string, string>();
  #copy = -1;

  constructor(
    private readonly originals: readonly IncomingContents[],
    private readonly seed: number,
  ) {
    const counts = documentFrequencies(originals);
    const ranked = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).slice(STAYING_WORDS);
    for (const [word, count] of ranked) if (count === 1) this.#rare.add(word);
    const byLength = Map.groupBy(
      ranked.filter(([, count]) => count > 1),
      ([word]) => word.length,
    );
    let number = 0;
    for (const list of byLength.values()) {
      for (let i = 0; i < list.length; i += WINDOW, number++) {
        const words = list.slice(i, i + WINDOW).map(([word]) => word);
        for (const [place, word] of words.entries()) this.#windows.set(word, { words, place, number });
      }
    }
    const people = new Map<string, number>();
    for (const { from } of originals) people.set(from.email, (people.get(from.email) ?? 0) + 1);
    for (const [email, messages] of people) if (messages >= KNOWN_FROM_MESSAGES) this.#known.add(email);
    const names = originals.flatMap(({ from }) => from.name.match(/[A-Z][a-z]{2,}/g) ?? []);
    this.#names = [...new Set(names)].sort();
  }

  /** Returns the n-th message, 0, 1, 2 ...; `date` is when it was written, ms. Fastest when called in order. */
  message(n: number, date: number): IncomingContents {
    const copy = Math.floor(n / this.originals.length);
    if (copy !== this.#copy) this.#words.clear();
    this.#copy = copy;
    const original = this.originals[n % this.originals.length]!;
    const id = (text: string) => text.replace("<", `<${this.seed}.${copy}.`);
    const { text, bodyText, newText } = original;
    const changed = this.#text(text);
    const body = bodyText === text ? changed : this.#text(bodyText);
    return {
      ...original,
      messageId: original.messageId === null ? null : id(original.messageId),
      inReplyTo: original.inReplyTo.map(id),
      references: original.references.map(id),
      subject: this.#text(original.subject),
      from: this.#person(original.from),
      to: original.to.map((person) => this.#person(person)),
      cc: original.cc.map((person) => this.#person(person)),
      date,
      text: changed,
      bodyText: body,
      newText: newText === bodyText ? body : this.#text(newText),
    };
  }

  #text(text: string): string {
    return text.replace(WORD, (word) => this.#word(word));
  }

  #word(word: string): string {
    const known = this.#words.get(word);
    if (known !== undefined) return known;
    const lower = word.toLowerCase();
    const changed = inCaseOf(word, this.#other(lower));
    this.#words.set(word, changed);
    return changed;
  }

  #other(word: string): string {
    const window = this.#windows.get(word);
    if (window) {
      const { words, place, number } = window;
      return words[(place + hash(this.seed, this.#copy, number)) % words.length]!;
    }
    if (!this.#rare.has(word)) return word;
    let state = hash(this.seed, this.#copy, textHash(word));
    return word.replace(/[a-z]/g, () => {
      state = hash(state, 1, 2);
      return String.fromCharCode(97 + (state % 26));
    });
  }

  #person(person: Person): Person {
    const { name, email } = person;
    if (email === "" || this.#known.has(email)) return person;
    const first = hash(this.seed, this.#copy, textHash(email));
    const names = [first, hash(first, 3, 4)].map((number) => this.#names[number % this.#names.length] ?? "Ada");
    const [local, domain] = [
      `${names.join(".")}.${(first % 46_656).toString(36)}`,
      email.split("@")[1] ?? "example.net",
    ];
    return { name: name === "" ? "" : names.join(" "), email: `${local.toLowerCase()}@${domain}` };
  }
}

/** In how many messages each word occurs. */
function documentFrequencies(originals: readonly IncomingContents[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { subject, text } of originals) {
    const words = new Set(`${subject} ${text}`.match(WORD)?.map((word) => word.toLowerCase()));
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}

function inCaseOf(model: string, word: string): string {
  if (model === model.toLowerCase()) return word;
  if (model === model.toUpperCase()) return word.toUpperCase();
  return model[0] === model[0]!.toUpperCase() ? word[0]!.toUpperCase() + word.slice(1) : word;
}

/** Mixes three numbers into one, 0 <= n < 2^32 (the finalizer of MurmurHash3). */
function hash(a: number, b: number, c: number): number {
  let h = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca77) ^ Math.imul(c, 0xc2b2ae3d);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** FNV-1a. */
function textHash(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return h >>> 0;
}
