import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Scratch, scratchPlatform } from "../../../test/scratch-platform.ts";
import { seedMailbox } from "../../../test/seed-mail.ts";
import { createMailbox, type Mailbox } from "../mailbox.ts";
import type { MailScope } from "../queries.ts";
import { type Condition, parseQuery, type Query, type Words } from "./query.ts";
import { WordSearch } from "./search.ts";
import { englishStem, neutralStem } from "./stems.ts";
import { openTexts, type SearchedText } from "./texts.ts";
import { tokenize } from "./tokens.ts";

/**
 * Whatever way a search takes (ranked or not, matches looked up or the mailbox read from its newest end, a beginning, a
 * filter), it finds what reading every message finds.
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
let searches: WordSearch[];
let unranked: WordSearch;

beforeAll(() => {
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
  // The first words are in most messages, the last in few.
  const some = (most: number) => Array.from({ length: random(most) }, () => WORDS[random(random(WORDS.length) + 1)]!);
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
    const { n } = s.platform.db.sql
      .query<{ n: number }, [string]>("SELECT n FROM messages WHERE id = ?")
      .get(message_id)!;
    const read = mailbox.words.reader(s.user.id).read({ ...message, to: [], cc: [], bcc: [], attachments: [] });
    mailbox.words.add(s.user.id, n, read);
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
  const make = (ranked: number, looked_up: number) =>
    new WordSearch(s.platform, mailbox.words, mailbox.labels, { ranked, looked_up });
  unranked = make(0, 1_000);
  searches = [mailbox.search, make(4, 1_000), make(0, 3), make(20, 0)];
});
afterAll(() => s.close());

/** What stands in a field, as a word in its forms is compared, and as a name is. */
const formsOf = (word: string) => [englishStem(word) ?? word, neutralStem(word) ?? word];

function holds(row: Row, { fields: wanted, tokens, prefix, exact }: Words): boolean {
  const { head } = row;
  const fields = { subject: head.subject, sender: `${head.from.name} ${head.from.email}`, body: row.text };
  return Object.entries(fields).some(([name, text]) => {
    if (wanted && !wanted.some((field) => field === name)) return false;
    const words = tokenize(text);
    if (exact || prefix) {
      return words.some((_, i) =>
        tokens.every((token, k) =>
          prefix && k === tokens.length - 1 ? words[i + k]?.startsWith(token) : words[i + k] === token,
        ),
      );
    }
    const asked = tokens[0]!;
    if (name !== "sender") return words.some((word) => formsOf(word).some((form) => formsOf(asked).includes(form)));
    return words.some((word) => word === asked || (!wanted && word === (englishStem(asked) ?? asked)));
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
      if (condition.field === "in") return condition.place === "anywhere" || row.state === condition.place;
      throw new Error("not asked here");
    default:
      throw new Error("not asked here");
  }
}

function readAll({ account_id }: MailScope, query: Query): Row[] {
  return rows.filter(
    (row) =>
      (account_id === null || row.account_id === account_id) &&
      (query.names_place || !["trash", "spam"].includes(row.state)) &&
      [...query.plain, ...query.conditions].every((condition) => meets(row, condition)),
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
// From four plain words on a query is a question, which more than the strict reading answers.
const queries = fc
  .array(joinable, { minLength: 1, maxLength: 3 })
  .map((terms) => terms.join(" "))
  // Of more beginnings a query is refused.
  .filter((text) => text.split("*").length - 1 <= 3 && parseQuery(text, NOW).plain.length < 4);
const bounds = fc.constantFrom(1, 2, 5, 20, 500);

describe("what is found is what reading every message finds", () => {
  test("by every way, all of it or as much as is asked for", () => {
    fc.assert(
      fc.property(queries, bounds, fc.boolean(), (text, limit, everywhere) => {
        const query = parseQuery(text, NOW);
        const scope = { user_id: s.user.id, account_id: everywhere ? null : accounts[1]! };
        const wanted = readAll(scope, query)
          .map(({ n }) => n)
          .sort((a, b) => a - b);
        for (const [i, search] of searches.entries()) {
          const found = search.rank(scope, query, limit);
          const numbers = found.map(({ n }) => n).sort((a, b) => a - b);
          expect([i, text, numbers.length]).toEqual([i, text, Math.min(limit, wanted.length)]);
          expect([i, text, numbers.filter((n) => !wanted.includes(n))]).toEqual([i, text, []]);
          expect(new Set(numbers).size).toBe(numbers.length);
          const scores = found.map(({ score }) => score);
          expect(scores).toEqual(scores.toSorted((a, b) => b - a));
        }
        const conditions = readAll(scope, { ...query, plain: [] }).map(({ n }) => n);
        expect(mailbox.search.selection(scope, query).sort()).toEqual(conditions.sort());
      }),
      { numRuns: 250 },
    );
  }, 120_000);

  test("of more than are ranked the newest, those in the headline first", () => {
    fc.assert(
      fc.property(queries, bounds, (text, limit) => {
        const query = parseQuery(text, NOW);
        if (query.plain.length >= 4) return;
        const scope = { user_id: s.user.id, account_id: null };
        for (const search of [searches[2]!, unranked]) {
          const found = search.rank(scope, query, limit);
          const dateOf = (n: number) => rows.find((row) => row.n === n)!.internal_date;
          for (const [i, row] of found.entries()) {
            const next = found[i + 1];
            if (next?.score === row.score) expect(dateOf(row.n)).toBeGreaterThanOrEqual(dateOf(next.n));
          }
          const elsewhere = found.filter(({ score }) => score < 1).map(({ n }) => dateOf(n));
          if (elsewhere.length === 0) continue;
          const left_out = readAll(scope, query).filter(({ n }) => !found.some((row) => row.n === n));
          const newest = Math.max(...left_out.map(({ n }) => dateOf(n)));
          expect(newest).toBeLessThanOrEqual(Math.min(...elsewhere));
        }
      }),
      { numRuns: 150 },
    );
  }, 120_000);

  test("a question is answered first by what has all of its words, however frequent each of them is", () => {
    fc.assert(
      fc.property(fc.uniqueArray(word, { minLength: 4, maxLength: 5 }), (words) => {
        const query = parseQuery(words.join(" "), NOW);
        const scope = { user_id: s.user.id, account_id: null };
        const wanted = readAll(scope, query).map(({ n }) => n);
        for (const search of searches.slice(1)) {
          const found = search.rank(scope, query, 50).map(({ n }) => n);
          expect(wanted.filter((n) => !found.includes(n))).toEqual([]);
        }
        const first = searches[2]!.rank(scope, query, 50).map(({ n }) => n);
        expect(first.slice(0, wanted.length).sort()).toEqual(wanted.sort());
      }),
      { numRuns: 60 },
    );
  }, 120_000);
});
