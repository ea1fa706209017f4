import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createSearchFixture, type SearchFixture } from "../../../test/support/search-fixture.ts";
import { retrieveBySearch } from "../../app/ask.ts";
import { SearchService } from "./service.ts";

/** Ordinary text as a query is always searched for, in any form, and finds the messages that contain it. */

/** Sentences as people write, dictate or paste them. The only well-formed operators in them are `"…"` and `word*`. */
const PROSE = [
  "what is in: the box",
  "from: noor",
  "subject: lines of longer poems",
  "is: it true",
  "is:tomorrow's meeting",
  "note: buy milk",
  "see https://shop.example/a?b=c:d now",
  "in:https://shop.example",
  "the train at 10:30 leaves",
  "smile :-) and :o",
  "Re: Fwd: the plan",
  "AW: WG: Termin: Freitag",
  "a : lonely colon",
  "put a label:",
  "has: anyone seen this",
  "has:anyone? answered",
  "before: noon and after: lunch",
  "before:(noon)",
  "older_than: me",
  "an unclosed “quote here",
  'the 27" monitor arrived',
  'from:"nobody closes this',
  'label:""',
  "is:…",
  "in:—here",
  "cc:, bcc: and to:",
  "5* hotel, *important* and c*",
  "*one* *two* *three* *four* *five*",
  "gloves* hats* scarves* coats* boots*",
  "To:\tAlice\nFrom:\tBob\nSubject:\tHello",
  "SUBJECT: SHOUTING",
  "in:\u00a0the box",
  "12:00: start; 13:00: end",
  "C:\\Users\\ada\\in: here",
  "objet : réunion de jeudi",
  "件名: 会議の資料",
  "تاريخ: غدا",
  "a - b -- c --- d",
  '"“”„«» all marks',
  "has:\ud83d\udce7 mail",
  "filename:. or filename:/",
  "what it costs (with tax) and - (see below) the rest -",
  "see {here} or {there, and there}",
  "unbalanced ) and ( and } and {",
  "-{-{-{ nested (((( for nothing",
  "subject:(never closed and from:{neither",
  "in:(the box) is:(it?) has:(anyone) before:(noon)",
  "size: XL, category: shoes, list: eggs and larger:",
  "older: brothers; newer: cars; rfc822msgid:<>",
  "AROUND 10 people AND their dogs",
  "function f(x) { return {a: x[0]}; } // (old)",
  `he typed "${"many words of a long speech ".repeat(6)}" and "${"then some more of it ".repeat(8)}"`,
];

let s: SearchFixture;
beforeAll(() => {
  const many = 1_000_000;
  s = createSearchFixture({
    "limits.requests_per_minute_key": many,
    "limits.requests_per_minute_user": many,
    "limits.requests_per_minute_ip": many,
    "limits.autopilot.requests_per_day": many,
  });
  for (const [i, text] of PROSE.entries()) s.deliver({ subject: `prose ${i}`, text });
});
afterAll(() => s.h.close());

async function ask(query: string, mode = "keyword"): Promise<{ status: number; subjects: string[] }> {
  const { status, json } = await s.h.call("POST", "/search", { body: { query, mode, limit: 100 } });
  return { status, subjects: (json.data ?? []).map(({ subject }: { subject: string }) => subject) };
}

describe("text without a well-formed operator", () => {
  for (const [i, text] of PROSE.entries()) {
    test(`is searched for: ${JSON.stringify(text).slice(0, 60)}`, async () => {
      const found = await ask(text);
      expect(found.status).toBe(200);
      // Text without a letter or digit has no words.
      if (/[\p{L}\p{N}]/u.test(text)) expect(found.subjects).toContain(`prose ${i}`);
      for (const mode of ["semantic", "hybrid"]) expect((await ask(text, mode)).status).toBe(200);
      const list = await s.h.call("GET", `/threads?q=${encodeURIComponent(text)}&limit=100`);
      expect(list.status).toBe(200);
      expect(list.json.data.map(({ subject }: { subject: string }) => subject)).toContain(`prose ${i}`);
    });
  }

  test("is accepted by the retrieval for questions and by a search without HTTP, too", async () => {
    const { platform } = s.h;
    const semantic = { search: () => Promise.reject(new Error("no model")) };
    const search = new SearchService({ platform, mailbox: s.mailbox, semantic });
    const retrieve = retrieveBySearch(platform, s.mailbox, search);
    const scope = { user_id: s.h.user.id, account_id: null };
    for (const text of PROSE) {
      await search.find(scope, text, "keyword");
      const words = { own: text.split(/\s+/), synonyms: [], beginnings: [] };
      expect((await retrieve(scope, { text, words }, 5)).length).toBeGreaterThan(0);
    }
  });

  const FIELD_NAMES = "from|to|cc|bcc|subject|filename|label|list|deliveredto";
  const FILTER_NAMES =
    "in|is|has|before|after|older|newer|older_than|newer_than|larger|smaller|size|category|rfc822msgid";
  /** A name with a value directly after its colon, or words in brackets, is an operator. */
  const OPERATOR = new RegExp(
    `(?<![\\p{L}\\p{N}_])(?:(?:${FIELD_NAMES}|${FILTER_NAMES}):["“”„«»]?[.@#_&]?[\\p{L}\\p{N}\\p{S}]|(?:${FIELD_NAMES}):[({])`,
    "iu",
  );
  const word = fc.constantFrom(
    ..."the box lines noor is in has from to cc subject label before after older size list bcc older_than filename IN Is x 10 30 3d Friday naïve 会議 l'été don't 👍 2026-03-01".split(
      " ",
    ),
  );
  const mark = fc.constantFrom(
    ..." |: |:| : |, |. |? |! |; |… | — | – |\n|\t|\"|“|”|«|»|(|)|{|}| (|) | {|} | -(| -{|:(|:{|[|]|'|’|/|//|\\|*| *|* |**|_|&|#|@|%|+|=|<|>|~|^|`|$|€|::|:)| :-(|://|\u00a0|".split(
      "|",
    ),
  );
  const prose = fc
    .array(fc.tuple(mark, word), { minLength: 1, maxLength: 60 })
    .chain((parts) =>
      mark.map((end) => `${parts.map(([before, typed]) => before + typed).join("")}${end}`.slice(0, 1_000)),
    )
    .filter((text) => !OPERATOR.test(text) && text.trim() !== "");

  test("is never refused, with any words, punctuation and colons", async () => {
    await fc.assert(
      fc.asyncProperty(prose, async (text) => {
        expect([text, (await ask(text)).status]).toEqual([text, 200]);
      }),
      { numRuns: 400 },
    );
  }, 120_000);

  test("finds the message that contains it, with any words, punctuation and colons", async () => {
    // Only words that affect the ranking: quotes and prefixes restrict the results, as operators do.
    const plain = prose.filter((text) => !/["“”„«»*]|(?<![\p{L}\p{N}])[-−]\S|\bOR\b|:[({]/u.test(text));
    let count = 0;
    await fc.assert(
      fc.asyncProperty(plain, async (text) => {
        const subject = `made ${count++}`;
        const { id } = s.deliver({ subject, text });
        const { status, subjects } = await ask(text);
        s.h.platform.db.sql.query("DELETE FROM messages WHERE id = ?").run(id);
        expect([text, status]).toEqual([text, 200]);
        if (/[\p{L}\p{N}]/u.test(text)) expect(subjects).toContain(subject);
      }),
      { numRuns: 60 },
    );
  }, 120_000);
});

describe("a well-formed operator", () => {
  test("applies in any case and at the end of a clause, too", async () => {
    for (const [query, same] of [
      ["box in:inbox.", "box in:inbox"],
      ["box IN:Inbox, please", "box in:inbox please"],
      ["box (is:read)", "box is:read"],
      ["box after:2026-01-01; noon", "box after:2026-01-01 noon"],
      ['box in:"inbox"', "box in:inbox"],
    ] as const) {
      expect(await ask(query)).toEqual(await ask(same));
    }
    expect((await ask("box is:unread.")).subjects).toEqual([]);
    expect((await ask("from:bob box")).subjects).toContain("prose 0");
    expect((await ask("from:noor box")).subjects).toEqual([]);
  });

  test("with an invalid value is refused, with the expected values and how to search for the text", async () => {
    for (const query of [
      "before:Friday",
      "after:2026-02-31",
      "older_than:3",
      "newer_than:soon",
      "in:nowhere",
      "-in:nowhere",
      "is:banana",
      "IS:Banana",
      "has:anyone",
      'before:"last Friday"',
    ]) {
      const { status, json } = await s.h.call("POST", "/search", { body: { query, mode: "keyword" } });
      expect([query, status, json.error?.code, json.error?.param]).toEqual([query, 400, "invalid_params", "query"]);
      expect(json.error.message).toMatch(/^The operator `\w+:` takes .+ enclose it in quotation marks: "/);
      const list = await s.h.call("GET", `/threads?q=${encodeURIComponent(query)}`);
      expect([list.status, list.json.error?.param]).toEqual([400, "q"]);
    }
    expect((await ask('"before:Friday"')).status).toBe(200);
  });
});
