import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { spamAssassin } from "../../../../test/support/corpus.ts";
import { dictionaryOf, MemoryDictionary } from "../../../../test/support/memory-dictionary.ts";
import { tokenize } from "../tokens.ts";
import { formsOf } from "./forms.ts";
import { correctionOf, MAX_COUNTED, MAX_VISITED } from "./spelling.ts";

const MAIL = dictionaryOf(
  `invoice:40 invoices:30 meeting:80 appointment:20 insurance:25 from:900 form:50 house:60 hotel:30 flight:45
   reservation:12 confirmation:33 receive:70 definitely:9 separate:14 accommodation:8 rechnung:20 versicherung:11
   счет:30 договор:20 τιμολογιο:10 2024:90 order:90 mouse:20 would:900 wuld:2 kowalski:2 kowalsky:150`,
);

describe("corrections", () => {
  const corrected: [string, string][] = [
    ["invocie", "invoice"],
    ["invocies", "invoices"],
    ["invoide", "invoice"],
    ["nivoice", "invoice"],
    ["ibvoice", "invoice"],
    ["meating", "meeting"],
    ["meeing", "meeting"],
    ["apointmnet", "appointment"],
    ["inssurrance", "insurance"],
    ["flihgt", "flight"],
    ["recieve", "receive"],
    ["definately", "definitely"],
    ["seperate", "separate"],
    ["acomodation", "accommodation"],
    ["confrimation", "confirmation"],
    ["rechnugn", "rechnung"],
    ["verischerung", "versicherung"],
    ["fomr", "form"],
    ["ordre", "order"],
    ["договр", "договор"],
    ["τιμλογιο", "τιμολογιο"],
  ];
  for (const [typed, meant] of corrected) {
    test(`${typed} is corrected to ${meant}`, () => {
      expect(correctionOf(typed, MAIL)).toEqual({ term: meant, count: MAIL.count(meant), kind: "replace" });
    });
  }

  const kept: [string, string][] = [
    ["invoice", "the word has matches"],
    ["invoiced", "a form of the word has matches"],
    ["meetting", "its stem finds the intended word"],
    ["frm", "the word is too short"],
    ["grom", "a word of four letters keeps its first letter"],
    ["20244", "a number is never an error"],
    ["ordr2024", "a key is never an error"],
    ["発注書類", "words of unsupported scripts are kept"],
    ["ใบแจ้งหนี้", "Thai words are kept"],
    ["qwertyuiopzz", "no word is near"],
    ["asdfgh", "no word is near"],
    ["mmeetttinngg", "there are more than two errors"],
    ["kowalski", "a rare name is not replaced by one less than a hundred times as frequent"],
    ["a".repeat(64), "the word is too long"],
  ];
  for (const [typed, why] of kept) test(`${typed} is kept: ${why}`, () => expect(correctionOf(typed, MAIL)).toBeNull());

  test("a word of eight letters may lack one, even for a rare term", () => {
    expect(correctionOf("audtions", dictionaryOf("auditions:1"))?.term).toBe("auditions");
  });

  test("a word is not corrected to a function word", () => {
    expect(correctionOf("abaut", dictionaryOf("about:900"))).toBeNull();
  });

  test("for a rare word with matches, a term is added instead of replacing it", () => {
    expect(correctionOf("wuld", MAIL)).toEqual({ term: "would", count: 900, kind: "also" });
  });

  test("of two neighbors the likelier error wins, then the more frequent term", () => {
    expect(correctionOf("housse", dictionaryOf("house:20 mousse:20"))?.term).toBe("house");
    expect(correctionOf("planr", dictionaryOf("plane:200 plant:20"))?.term).toBe("plane");
  });
});

/** Returns a generator of numbers below one that always yields the same sequence. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Returns a word with one typing error at a random letter. */
function mistyped(word: string, next: () => number): string {
  const at = Math.floor(next() * word.length);
  const letter = "abcdefghijklmnopqrstuvwxyz"[Math.floor(next() * 26)]!;
  const [before, after] = [word.slice(0, at), word.slice(at)];
  const kind = Math.floor(next() * 4);
  if (kind === 0) return before + letter + after.slice(1);
  if (kind === 1) return before + after.slice(1);
  if (kind === 2) return before + letter + after;
  return before + (after[1] ?? "") + after[0] + after.slice(2);
}

describe("with the words of real mail", () => {
  const counts = new Map<string, number>();
  const messages = spamAssassin(2_000);
  for (const { raw } of messages) {
    const text = Buffer.from(raw).toString("latin1");
    const body = text
      .slice(text.indexOf("\r\n\r\n"))
      .replace(/^\S{60,}\r?$/gm, "")
      .slice(0, 20_000);
    for (const word of new Set(tokenize(body))) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const mail = new MemoryDictionary(counts, messages.length);
  const words = [...counts]
    .filter(([word, count]) => /^[a-z]{4,14}$/.test(word) && count >= 3)
    .map(([word]) => word)
    .sort();

  /** Returns the shares of 500 mistyped words that are corrected to the intended word, and to another one. */
  function corrected(shortest: number, longest: number): { right: number; wrong: number } {
    const next = random(42);
    const pool = words.filter(({ length }) => length >= shortest && length <= longest);
    let [right, wrong, asked] = [0, 0, 0];
    while (asked < 500) {
      const word = pool[Math.floor(next() * pool.length)]!;
      const typed = mistyped(word, next);
      if (mail.count(typed) > 0) continue;
      asked++;
      const term = correctionOf(typed, mail)?.term ?? typed;
      const forms = new Set(formsOf(term, mail).map((form) => form.term));
      if (forms.has(word)) right++;
      else if (term !== typed) wrong++;
    }
    return { right: right / asked, wrong: wrong / asked };
  }

  test("most errors in longer words are corrected, and few wrongly", () => {
    const long = corrected(8, 14);
    expect(long.right).toBeGreaterThan(0.9);
    expect(long.wrong).toBeLessThan(0.03);
    const middle = corrected(6, 7);
    expect(middle.right).toBeGreaterThan(0.75);
    expect(middle.wrong).toBeLessThan(0.08);
    const short = corrected(4, 5);
    expect(short.right).toBeGreaterThan(0.35);
    expect(short.wrong).toBeLessThan(0.18);
  });

  test("words that are not in the mail are mostly kept", () => {
    const absent = words.filter((word, at) => word.length >= 8 && at % 17 === 0).slice(0, 200);
    const gone = new Set(absent.flatMap((word) => formsOf(word, mail).map(({ term }) => term)));
    const rest = new MemoryDictionary(
      [...counts].filter(([word]) => !gone.has(word)),
      messages.length,
    );
    const changed = absent.filter((word) => correctionOf(word, rest) !== null);
    expect(changed.length / absent.length).toBeLessThan(0.4);
  });
});

describe("limits", () => {
  test("a million terms with the same beginning are not all visited", () => {
    const terms = Array.from({ length: 1_000_000 }, (_, at) => [`invoi${at.toString(36)}`, 1] as const);
    const dictionary = new MemoryDictionary(terms);
    for (const word of ["invoicezz", "invoiceinvoiceinvoice", "invio"]) {
      dictionary.visited = 0;
      dictionary.counted = 0;
      correctionOf(word, dictionary);
      expect(dictionary.visited).toBeLessThanOrEqual(MAX_VISITED + 60_000);
      expect(dictionary.counted).toBeLessThanOrEqual(MAX_COUNTED + 400);
    }
  });

  test("a correction of any word is in the dictionary, or there is none", () => {
    const word = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.string({ unit: "binary" }),
      fc.stringMatching(/^[a-cß]{0,30}$/),
    );
    fc.assert(
      fc.property(word, fc.array(word, { maxLength: 30 }), (asked, others) => {
        const dictionary = new MemoryDictionary(others.map((other) => [other, 5] as const));
        const correction = correctionOf(asked, dictionary);
        if (correction === null) return;
        expect(dictionary.count(correction.term)).toBe(correction.count);
        expect(correction.term).not.toBe(asked);
      }),
      { seed: 7, numRuns: 500 },
    );
  });
});
