import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { indexMessage } from "../../../test/support/index-message.ts";
import { type Scratch, scratchPlatform } from "../../../test/support/scratch-platform.ts";
import { seedMailbox } from "../../../test/support/seed-mail.ts";
import { ApiError } from "../../kernel/errors.ts";
import { createMailbox, type Mailbox } from "../mailbox.ts";
import type { MailScope } from "../queries/scope.ts";
import { parseQuery } from "./query.ts";
import { highlightsOf, snippetFor } from "./snippet.ts";

const NOW = Date.parse("2026-03-01T12:00:00Z");
const TEXT = `Quick brown foxes <jump> over the lazy dog's 10kg parcel ORD-2024-0042, see https://a.example/x?y=1 & "more".`;

let s: Scratch;
let mailbox: Mailbox;
let scope: MailScope;

beforeAll(() => {
  s = scratchPlatform();
  mailbox = createMailbox(s.platform);
  scope = { user_id: s.user.id, account_id: null };
  const seeded = seedMailbox(s.platform, s.user.id, { mailbox });
  for (let i = 0; i < 5; i++) {
    const { message_id } = seeded.deliver({ subject: `Parcel ${i}`, text: TEXT });
    indexMessage(s.platform.db, mailbox, message_id, { subject: `Parcel ${i}`, text: TEXT });
  }
});
afterAll(() => s.close());

/** Pieces of queries that ordinary and hostile users type. */
const piece = fc.oneof(
  fc.constantFrom(
    ...[
      "fox",
      "fox*",
      '"quick brown"',
      "-dog",
      "OR",
      "AND",
      "NOT",
      "NEAR(a b)",
      "from:bob",
      "subject:(a b)",
      "is:read",
    ],
    ...["{body}:x", "^fox", "a + b", "rowid:1", "'; DROP TABLE messages; --", '" OR 1=1', "*", "**", "()", "--", "\\"],
    ...[
      "in:anywhere",
      "has:attachment",
      "before:2026-01-01",
      "older_than:3d",
      "label:x",
      "東京",
      "ประชุม",
      "日本*",
      "\u0000",
    ],
    ...[
      "ﬁx",
      "e\u0301",
      "İ",
      "\ud800",
      "👩‍👩‍👧",
      "1,299.00",
      "a".repeat(300),
      "x y z ".repeat(40),
      ": :",
      "from:",
      "\u202e",
    ],
  ),
  fc.string({ unit: "grapheme", maxLength: 30 }),
  fc.string({ unit: "binary", maxLength: 30 }),
);
const typed = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(" ").slice(0, 1_000));

describe("any text that is typed", () => {
  test("is a query, or is refused with a reason, and never causes an internal error", () => {
    fc.assert(
      fc.property(typed, (text) => {
        try {
          const query = parseQuery(text, NOW);
          mailbox.search.find(scope, query, 20);
          mailbox.search.allowed(scope, query, [1, 2, 3]);
          mailbox.search.selection(scope, query);
          const { text: condition, params } = mailbox.search.condition(scope, query);
          s.platform.db.sql
            .query(`SELECT 1 FROM messages m JOIN threads t ON t.id = m.thread_id WHERE ${condition}`)
            .all(...params);
          const snippet = snippetFor(TEXT, highlightsOf(query)) ?? "";
          expect(snippet.replace(/<\/?mark>/g, "")).not.toMatch(/[<>"]/);
        } catch (error) {
          expect(error).toBeInstanceOf(ApiError);
          expect(error).toMatchObject({ code: "invalid_params", param: "query" });
        }
      }),
      { numRuns: 300 },
    );
    expect(s.platform.db.sql.query("SELECT count(*) AS c FROM messages").get()).toEqual({ c: 5 });
  }, 60_000);

  test("indexed mail is found by its own words as written", () => {
    const words = fc.constantFrom(
      ...TEXT.split(" ").filter((word) => /[a-z0-9]/i.test(word) && !/["&<>()]/.test(word)),
    );
    fc.assert(
      fc.property(fc.array(words, { minLength: 1, maxLength: 3 }), (chosen) => {
        expect(mailbox.search.find(scope, parseQuery(chosen.join(" "), NOW), 20).hits).toHaveLength(5);
      }),
      { numRuns: 100 },
    );
  });
});

describe("the parts of a query", () => {
  const kinds = (text: string) => {
    const { plain, conditions, text: modelText } = parseQuery(text, NOW);
    return {
      plain: plain.map(({ tokens }) => tokens.join(" ")),
      conditions: conditions.map(({ kind }) => kind),
      modelText,
    };
  };

  test("plain words rank, and everything else must match", () => {
    expect(kinds('lunch "next week" -cancelled from:bob is:unread menu*')).toEqual({
      plain: ["lunch"],
      conditions: ["words", "not", "words", "filter", "words"],
      modelText: "lunch next week menu",
    });
    expect(kinds("a OR b c")).toEqual({ plain: ["c"], conditions: ["any"], modelText: "a b c" });
    expect(kinds("ORD-2024 don't")).toEqual({
      plain: ["ord 2024", "don"],
      conditions: [],
      modelText: "ORD-2024 don't",
    });
  });

  test("OR joins everything that its neighbors mean, even where that is several words", () => {
    expect(parseQuery("東京会議 OR lunch", NOW).conditions).toMatchObject([
      { kind: "any", of: [{ kind: "all", of: [{ tokens: ["東京"] }, { tokens: ["会議"] }] }, { tokens: ["lunch"] }] },
    ]);
  });

  test("expensive queries are cut: long phrases, words repeated many times, duplicate conditions", () => {
    const phrase = (text: string) => (parseQuery(text, NOW).conditions[0] as { tokens: string[] }).tokens;
    expect(phrase(`"${"the ".repeat(200)}"`)).toEqual(Array.from({ length: 6 }, () => "the"));
    expect(phrase(`"${Array.from({ length: 40 }, (_, i) => `word${"x".repeat(i + 1)}`).join(" ")}"`)).toHaveLength(16);
    expect(parseQuery("the.".repeat(20), NOW).plain[0]!.tokens).toHaveLength(6);
    expect(parseQuery("10.10.10.10", NOW).plain[0]!.tokens).toHaveLength(4);
    expect(parseQuery("is:read is:read x OR y x OR y -z -z", NOW).conditions).toHaveLength(3);
    expect(parseQuery(`${"word ".repeat(90)} -x`, NOW)).toMatchObject({
      plain: { length: 64 },
      conditions: { length: 1 },
    });
  });

  test("parentheses, lone marks and unknown names are punctuation", () => {
    expect(kinds("lunch (at noon) - or later :)").plain).toEqual(["lunch", "at", "noon", "or", "later"]);
    expect(kinds("http://example.org re:plan").plain).toEqual(["http example org", "re plan"]);
    expect(kinds('"never closed')).toEqual({ plain: ["never", "closed"], conditions: [], modelText: "never closed" });
  });

  test("periods count from now, days from midnight UTC", () => {
    const at = (text: string) => (parseQuery(text, NOW).conditions[0] as { at: number }).at;
    expect(new Date(at("older_than:2d")).toISOString()).toBe("2026-02-27T12:00:00.000Z");
    expect(new Date(at("after:2026/1/5")).toISOString()).toBe("2026-01-05T00:00:00.000Z");
    expect(new Date(at("before:2026-01-05T10:30:00Z")).toISOString()).toBe("2026-01-05T10:30:00.000Z");
  });
});
