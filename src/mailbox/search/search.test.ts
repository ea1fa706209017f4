import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { indexMessage } from "../../../test/support/index-message.ts";
import { MemoryDictionary } from "../../../test/support/memory-dictionary.ts";
import { type Scratch, scratchPlatform } from "../../../test/support/scratch-platform.ts";
import { seedMailbox } from "../../../test/support/seed-mail.ts";
import { createMailbox, type Mailbox } from "../mailbox.ts";
import type { MailScope } from "../queries/scope.ts";
import { FullTextIndex, INDEX_SIZES } from "./fulltext-index.ts";
import { isOfIndex } from "./plan.ts";
import { type Condition, parseQuery, type Query, type TextCondition } from "./query.ts";
import { FullTextSearch } from "./search.ts";
import { formsOf } from "./terms/forms.ts";
import { openTexts, type SearchedText } from "./texts.ts";
import { tokenize } from "./tokens.ts";

/**
 * Every strategy of a search finds the same as reading every message: hits looked up or the mailbox listed; segments,
 * pending documents or both; a prefix or a filter.
 */

const NOW = Date.parse("2026-03-01T00:00:00Z");
const HOUR_MS = 3_600_000;
const WORDS = [
  "alpha",
  "invoice",
  "invoices",
  "news",
  "new",
  "gas",
  "running",
  "zebra",
  "runway",
  "Bob",
  "rare",
  "Straße",
];
const PLACES = ["inbox", "archive", "sent", "trash", "spam"] as const;
const COUNT = 90;

interface Row extends SearchedText {
  state: string;
  unread: number;
  starred: number;
  internal_date: number;
}

let s: Scratch;
let mailbox: Mailbox;
let rows: Row[];
let accounts: string[];
let searches: FullTextSearch[];
let dictionary: MemoryDictionary;

beforeAll(async () => {
  s = scratchPlatform();
  mailbox = createMailbox(s.platform);
  const seeded = ["a@example.org", "b@example.org"].map((email) =>
    seedMailbox(s.platform, s.user.id, { mailbox, email }),
  );
  accounts = seeded.map(({ account }) => account.id);
  let state = 11;
  const random = (most: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
  // The first words are in most messages, the last ones in few.
  const some = (most: number) => Array.from({ length: random(most) }, () => WORDS[random(random(WORDS.length) + 1)]!);
  const index = new FullTextIndex(s.platform, { ...INDEX_SIZES, fan: 3, lastLevel: 1 });
  for (let i = 0; i < COUNT; i++) {
    const message = {
      subject: `m${i} ${some(3).join(" ")}`,
      text: some(9).join(" "),
      from: { name: some(2).join(" "), email: `${random(3) === 0 ? "alpha" : "carol"}@example.net` },
      at: NOW - random(500) * HOUR_MS,
      role: random(3) > 0 ? ("inbox" as const) : PLACES[random(PLACES.length)]!,
      flags: { seen: random(2) === 0, flagged: random(9) === 0 },
    };
    const { message_id } = seeded[random(2)]!.deliver({ ...message, to: [] });
    indexMessage(s.platform.db, mailbox, message_id, message);
    // The last messages are not in a segment.
    if (i % 10 === 9 && i < 85) await index.maintain(s.user.id, { rest: async () => {}, flush: true });
  }
  const known = s.platform.db.sql
    .query<Omit<Row, keyof SearchedText> & { n: number }, []>(
      `SELECT m.n, m.unread, m.starred, m.internal_date, t.state FROM messages m JOIN threads t ON t.id = m.thread_id`,
    )
    .all();
  const texts = openTexts(
    s.platform,
    s.user.id,
    known.map(({ n }) => n),
  );
  rows = texts.map((text) => ({ ...known.find(({ n }) => n === text.n)!, ...text }));
  const counts = new Map<string, number>();
  for (const row of rows) {
    const terms = new Set(Object.values(fieldsOf(row)).flatMap((text) => tokenize(text)));
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  dictionary = new MemoryDictionary(counts, rows.length);
  const another = (maxLookups: number) => new FullTextSearch(s.another(), mailbox.labels, { maxLookups });
  searches = [mailbox.search, another(1_000), another(3), another(0)];
});
afterAll(() => s.close());

function fieldsOf({ head, text }: Row): Record<string, string> {
  return { subject: head.subject, sender: `${head.from.name} ${head.from.email}`, body: text };
}

function holds(row: Row, { fields: wanted, tokens, prefix, exact }: TextCondition): boolean {
  const isPhrase = exact || prefix || tokens.length > 1;
  const forms = isPhrase ? [] : formsOf(tokens[0]!, dictionary).map(({ term }) => term);
  return Object.entries(fieldsOf(row)).some(([name, text]) => {
    if (wanted && !wanted.some((field) => field === name)) return false;
    const words = tokenize(text);
    if (!isPhrase) return words.some((word) => forms.includes(word));
    return words.some((_, i) =>
      tokens.every((token, k) =>
        prefix && k === tokens.length - 1 ? words[i + k]?.startsWith(token) : words[i + k] === token,
      ),
    );
  });
}

function meets(row: Row, condition: Condition): boolean {
  switch (condition.kind) {
    case "words":
      return holds(row, condition);
    case "not":
      return !meets(row, condition.of);
    case "all":
      return condition.of.every((part) => meets(row, part));
    case "any":
      return condition.of.some((part) => meets(row, part));
    case "filter":
      if (condition.field === "is") {
        return condition.flag === "starred" ? row.starred === 1 : row.unread === Number(condition.flag === "unread");
      }
      if (condition.field === "before") return row.internal_date < condition.at;
      if (condition.field === "after") return row.internal_date >= condition.at;
      if (condition.field === "in") return condition.folder === "anywhere" || row.state === condition.folder;
      throw new Error("this test does not use the condition");
    default:
      throw new Error("this test does not use the condition");
  }
}

/** Returns whether a message is in the time range of a condition. The index stores times to the second. */
function isInTime({ internal_date }: Row, condition: Condition): boolean {
  const second = (ms: number) => Math.floor(ms / 1_000);
  if (condition.kind !== "filter") return true;
  if (condition.field === "after") return second(internal_date) >= second(condition.at);
  return condition.field !== "before" || second(internal_date) <= second(condition.at - 1);
}

/**
 * @param strict every word must occur. Otherwise, of three or more words, messages need as many as ten messages have;
 * and one of two is enough where no message has both
 */
function readAll({ account_id }: MailScope, { plain, conditions, namesFolder }: Query, strict = false): Row[] {
  const demanded = rows.filter(
    (row) =>
      conditions.filter(isOfIndex).every((condition) => meets(row, condition)) &&
      conditions.every((condition) => isInTime(row, condition)),
  );
  const different = [...new Map(plain.map((words) => [words.tokens.join(" "), words])).values()];
  const having = (fewest: number) =>
    demanded.filter((row) => different.filter((words) => holds(row, words)).length >= fewest);
  let fewest = different.length;
  const mayLack = !strict && fewest >= 3;
  while (mayLack && fewest > 1 && having(fewest).length < 10) fewest--;
  if (!strict && fewest > 1 && having(fewest).length === 0) fewest = 1;
  return having(fewest).filter(
    (row) =>
      (account_id === null || row.account_id === account_id) &&
      (namesFolder || !["trash", "spam"].includes(row.state)) &&
      conditions.every((condition) => meets(row, condition)),
  );
}

const word = fc.constantFrom(...WORDS);
const term = fc.oneof(
  { weight: 4, arbitrary: word },
  word.map((text) => `"${text}"`),
  fc.tuple(word, word).map(([a, b]) => `"${a} ${b}"`),
  fc.tuple(word, word).map(([a, b]) => `${a}.${b}`),
  fc.constantFrom("run*", "inv*", "alp*", "new*", "subject:inv*", "from:alp*"),
  fc.tuple(fc.constantFrom("from", "subject"), word).map(([field, text]) => `${field}:${text}`),
  fc.constantFrom("is:unread", "is:read", "is:starred", "older_than:10d", "newer_than:72h"),
  fc.constantFrom("in:inbox", "in:spam", "in:trash", "in:anywhere", "in:archived"),
);
const negatable = fc
  .tuple(fc.integer({ min: 0, max: 5 }), term)
  .map(([turn, text]) => (turn === 0 ? `-${text}` : text));
const joinable = fc.oneof(
  { weight: 3, arbitrary: negatable },
  fc.tuple(negatable, negatable).map(([a, b]) => `${a} OR ${b}`),
  fc
    .tuple(fc.constantFrom("", "-", "subject:", "-subject:", "from:"), fc.boolean(), word, word, word, fc.boolean())
    .map(([before, either, a, b, c, or]) => {
      const inside = `${a} ${or ? "OR " : ""}${b} ${c}`;
      return either ? `${before}{${inside}}` : `${before}(${inside})`;
    }),
  fc.tuple(word, word, negatable, term).map(([a, b, c, d]) => `((${a} ${b}) OR ${c}) ${d}`),
);
// A query of four or more plain words is a question, which finds more than the strict mode.
const queries = fc
  .array(joinable, { minLength: 1, maxLength: 3 })
  .map((terms) => terms.join(" "))
  // A query with more prefixes is refused.
  .filter((text) => text.split("*").length - 1 <= 3 && parseQuery(text, NOW).plain.length < 4);
const bounds = fc.constantFrom(1, 2, 5, 20, 500);

describe("search finds the same messages as reading every message", () => {
  test("with every strategy and any limit", () => {
    fc.assert(
      fc.property(queries, bounds, fc.boolean(), (text, limit, everywhere) => {
        const query = parseQuery(text, NOW);
        const scope = { user_id: s.user.id, account_id: everywhere ? null : accounts[1]! };
        const wanted = sorted(readAll(scope, query));
        for (const [i, search] of searches.entries()) {
          const found = search.find(scope, query, limit).hits;
          const numbers = sorted(found);
          expect([i, text, numbers.length]).toEqual([i, text, Math.min(limit, wanted.length)]);
          expect([i, text, numbers.filter((n) => !wanted.includes(n))]).toEqual([i, text, []]);
          expect(new Set(numbers).size).toBe(numbers.length);
          const best = search.find(scope, query, 500).hits.map(({ n }) => n);
          expect(found.map(({ n }) => n)).toEqual(best.slice(0, limit));
          for (const [at, row] of found.entries()) {
            const next = found[at + 1];
            if (next) expect(isBefore(row, next)).toBe(true);
          }
        }
        const allowed = sorted(readAll(scope, { ...query, plain: [] }));
        expect(mailbox.search.selection(scope, query).sort((a, b) => a - b)).toEqual(allowed);
        const some = rows.filter((_, i) => i % 3 === 0).map(({ n }) => n);
        expect([...mailbox.search.allowed(scope, query, some).keys()].sort((a, b) => a - b)).toEqual(
          allowed.filter((n) => some.includes(n)),
        );
      }),
      { numRuns: 250 },
    );
  }, 120_000);

  test("as a condition of a list, where every word must occur and nothing is left out", () => {
    fc.assert(
      fc.property(queries, (text) => {
        const query = { ...parseQuery(text, NOW), namesFolder: true };
        const scope = { user_id: s.user.id, account_id: null };
        const { text: sql, params } = mailbox.search.condition(scope, query);
        const found = s.platform.db.sql
          .query<{ n: number }, (string | number)[]>(
            `SELECT m.n FROM messages m JOIN threads t ON t.id = m.thread_id WHERE ${sql} ORDER BY m.n`,
          )
          .all(...params);
        expect([text, ...found.map(({ n }) => n)]).toEqual([text, ...sorted(readAll(scope, query, true))]);
      }),
      { numRuns: 150 },
    );
  }, 120_000);

  test("a question finds messages with any of its words", () => {
    fc.assert(
      fc.property(fc.uniqueArray(word, { minLength: 4, maxLength: 5 }), (words) => {
        const query = parseQuery(words.join(" "), NOW);
        const scope = { user_id: s.user.id, account_id: null };
        const wanted = rows.filter(
          (row) => !["trash", "spam"].includes(row.state) && query.plain.some((one) => holds(row, one)),
        );
        for (const search of searches) expect(sorted(search.find(scope, query, 500).hits)).toEqual(sorted(wanted));
      }),
      { numRuns: 60 },
    );
  }, 120_000);
});

const sorted = (found: readonly { n: number }[]) => found.map(({ n }) => n).sort((a, b) => a - b);

/** Returns whether a hit is better, or as good and newer. */
function isBefore(a: { score: number; internal_date: number }, b: { score: number; internal_date: number }): boolean {
  return a.score > b.score || (a.score === b.score && a.internal_date >= b.internal_date);
}
