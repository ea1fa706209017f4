/** Words of the mailbox, by frequency. */
export interface Vocabulary {
  frequent: readonly string[];
  middling: readonly string[];
  rare: readonly string[];
}

const LETTERS = [..."abcdefghijklmnopqrstuvwxyz"];
const OPERATORS = "from to cc bcc subject filename list deliveredto label in is has before after larger category".split(
  " ",
);
const VALUES = [
  "me",
  "ada",
  "word*",
  "inbox",
  "unread",
  "pdf",
  "10M",
  "7d",
  "2026-01-05",
  "Friday",
  "東京会議",
  "don't",
  "👍",
];
const FILTERS = "in:inbox is:unread has:link before:2010-01-01 after:2005-01-01 larger:1k is:read in:archived".split(
  " ",
);
const AMOUNTS = ["£575", "8.200,00 €", "1,2,3,4", "$-5", "1e400", "½", "٣٤٥", "1'000'000 CHF", "USD", "9".repeat(40)];
const DATES = ["12 march", "31 february", "0000-00-00", "12/13/14", "12. März", "may may may", "2026-13-45", "令和6年"];
const CODE = [
  "(a+)+$",
  ".*",
  "[a-z]{1,1000}",
  "' OR 1=1 --",
  '"; DROP TABLE messages;',
  "NEAR(a b)",
  "a\0b",
  "rowid:1",
];
const PARTS = "rechnung strom kranken versicherung beitrag donau dampf schiff fahrt haus schlussel ministerium".split(
  " ",
);
const LONGEST_QUERY = 1_000;
const EACH = 35;

type Make = (choose: Chooser) => string;

/** Returns 1,225 junk queries: 35 of each of 35 kinds. The same seed gives the same queries. */
export function junkQueries(vocabulary: Vocabulary, seed: number): { kind: string; text: string }[] {
  const choose = new Chooser(vocabulary, seed);
  return Object.entries(KINDS).flatMap(([kind, make]) =>
    Array.from({ length: EACH }, () => ({ kind, text: make(choose).slice(0, LONGEST_QUERY) || "x" })),
  );
}

class Chooser {
  #state: number;

  constructor(
    readonly words: Vocabulary,
    seed: number,
  ) {
    this.#state = seed;
  }

  below(most: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return (this.#state >>> 8) % most;
  }

  of<T>(all: readonly T[]): T {
    return all[this.below(all.length)]!;
  }

  /** Returns at most this many of something. */
  some(most: number, make: () => string, between = " "): string {
    return this.many(1 + this.below(most), make, between);
  }

  many(count: number, make: () => string, between = " "): string {
    return Array.from({ length: count }, make).join(between);
  }

  letters(count: number): string {
    return this.many(count, () => this.of(LETTERS), "");
  }

  frequent = (): string => this.of(this.words.frequent);
  middling = (): string => this.of(this.words.middling);

  /** Returns a word with a typing error. */
  mistyped(): string {
    const word = this.middling();
    const at = this.below(word.length);
    return this.of([
      word.slice(0, at) + this.of(LETTERS) + word.slice(at),
      word.slice(0, at) + word.slice(at + 1),
      word.slice(0, at) + this.of(LETTERS) + word.slice(at + 1),
    ]);
  }
}

const KINDS: Record<string, Make> = {
  letters: (c) => c.letters(1 + c.below(30)),
  "a thousand letters": (c) => c.letters(1_000),
  digits: (c) => c.some(20, () => String(c.below(1_000_000))),
  "letters and digits": (c) => c.many(1_000, () => c.of([..."abc123"]), ""),
  operators: (c) => c.some(12, () => `${c.of(OPERATORS)}:${c.of(VALUES)}`),
  "operators without values": (c) => c.some(60, () => `${c.of(OPERATORS)}:${c.of(["", "()", '""', "{}"])}`),
  emoji: (c) => c.some(200, () => c.of([..."👍😀🇩🇪💩✅"])),
  "right to left": (c) => c.some(80, () => c.of(["שלום", "مرحبا", "\u202E", "\u200F", "כנסת"])),
  Chinese: (c) => c.some(900, () => String.fromCodePoint(0x4e00 + c.below(8_000)), ""),
  Thai: (c) => c.some(900, () => String.fromCodePoint(0x0e01 + c.below(0x39)), ""),
  "nothing that shows": (c) => c.some(400, () => c.of(["\u200B", "\u200D", "\u2060", "\uFEFF", "a"]), ""),
  "halves of letters": (c) => c.some(300, () => c.of(["\ud800", "\udc00", "a", " "]), ""),
  "hundreds of words": (c) => c.many(400, c.middling),
  "hundreds of frequent words": (c) => c.many(400, c.frequent),
  "hundreds of rare words": (c) => c.many(400, () => c.of(c.words.rare)),
  "beginnings of one letter": (c) => c.many(330, () => `${c.of(LETTERS)}*`),
  "beginnings of two letters": (c) => c.some(3, () => `${c.of(LETTERS)}${c.of([..."aeiou"])}*`),
  "beginnings in fields": (c) => c.many(3, () => `${c.of(["subject", "from", "to"])}:${c.letters(2)}*`),
  parentheses: (c) => "(".repeat(c.below(300)) + c.many(5, c.middling, " OR ") + ")".repeat(c.below(300)),
  braces: (c) => c.some(10, () => `{${c.some(8, c.frequent)}}`),
  "chains of OR": (c) => c.many(200, c.frequent, " OR "),
  "chains of OR with unknown words": (c) => c.many(200, () => c.letters(6), " OR "),
  "chains of OR with filters": (c) => c.many(40, () => c.of([c.of(FILTERS), c.frequent()]), " OR "),
  negations: (c) => c.some(26, () => `-${c.frequent()}`),
  "an open quote": (c) => `"${c.some(20, c.frequent)}`,
  phrases: (c) => c.some(3, () => `"${c.some(8, c.frequent)}"`),
  "one phrase of the most frequent words": (c) => `"${c.many(16, () => c.of(c.words.frequent.slice(0, 4)))}"`,
  "phrases in a chain of OR": (c) => c.many(12, () => `"${c.frequent()} ${c.frequent()}"`, " OR "),
  "typing errors": (c) => c.some(60, () => c.mistyped()),
  "long unknown words": (c) => c.many(60, () => c.letters(9 + c.below(7))),
  "words in one": (c) => c.many(60, () => c.frequent() + c.middling() + c.frequent()),
  compounds: (c) => c.some(30, () => c.some(4, () => c.of(PARTS) + c.of(["s", "", "en"]), "")),
  amounts: (c) => c.some(60, () => c.of(AMOUNTS)),
  dates: (c) => c.some(60, () => c.of(DATES)),
  code: (c) => c.many(40, () => c.of(CODE)),
};
