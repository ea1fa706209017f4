import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseQuery } from "./query.ts";
import { highlightsOf, marked, snippetFor } from "./snippet.ts";

const highlights = (query: string, terms: string[] = []) => highlightsOf(parseQuery(query, 0), terms);
const snippet = (text: string, query = "invoice", terms: string[] = []) => snippetFor(text, highlights(query, terms));

describe("a snippet", () => {
  test("marks a word at the right position, even where folding changes the number of letters before it", () => {
    expect(snippet("ß invoice cafe\u0301")).toBe("ß <mark>invoice</mark> cafe\u0301");
    expect(snippet(`ß ${"x ".repeat(300)}invoice cafe\u0301`)).toContain(" <mark>invoice</mark> cafe\u0301");
    expect(snippet(`ß ${"x ".repeat(2_000)}invoice cafe\u0301`)).toContain(" <mark>invoice</mark> cafe\u0301");
  });

  test("shows with an ellipsis where the text continues, for any position of the word", () => {
    expect(snippet(`${"x ".repeat(1_500)}invoice`)).toMatch(/^….*<mark>invoice<\/mark>$/);
    expect(snippet(`invoice ${"x ".repeat(1_500)}`)).toMatch(/^<mark>invoice<\/mark>.*…$/);
    expect(snippet(`${"x".repeat(1_990)} invoice ${"x".repeat(1_990)}`)).toMatch(/^….*<mark>invoice<\/mark>.*…$/);
    expect(snippet("an invoice")).toBe("an <mark>invoice</mark>");
  });

  test("shows a word without invisible hyphens, and without characters that change the text direction", () => {
    expect(snippet("the in\u00advoice\u200b came")).toBe("the <mark>invoice</mark> came");
    expect(snippet("an invoice \u202egnp.exe\u2067 here")).toBe("an <mark>invoice</mark> gnp.exe here");
  });

  test("marks only whole words in a text without spaces", () => {
    const lines = Array.from({ length: 900 }, (_, i) => `bitcoin${i}`).join("\n");
    expect(snippet(lines, "coin")).toBeNull();
    expect(snippet(`${lines}\ncoin`, "coin")).toContain("<mark>coin</mark>");
  });

  test("marks the visible part of a chain that is longer than a snippet", () => {
    expect(snippet(`${"a.".repeat(300)}b`, "a")).toContain("<mark>a.a.a");
  });

  test("marks the words of groups and fields, but not words that are excluded or only in headers that are not shown", () => {
    const text = "The dev team sends one invoice and two letters about hopes to me.";
    const marks = (query: string, terms: string[] = []) =>
      [...(snippet(text, query, terms) ?? "").matchAll(/<mark>(.*?)<\/mark>/g)].map(([, word]) => word);
    expect(marks("{invoices letter} from:me list:dev deliveredto:team", ["invoice", "letters"])).toEqual([
      "invoice",
      "letters",
    ]);
    expect(marks("subject:(hope OR teams) -(two letters)", ["hopes", "team"])).toEqual(["team", "hopes"]);
    expect(marks("has:pdf larger:1M in:inbox from:me")).toEqual([]);
    expect(marks("from:dev in*")).toEqual(["dev", "invoice"]);
  });

  test("ends with a whole letter wherever a long text is cut", () => {
    for (const before of [2_990, 2_991]) {
      const text = `${"y".repeat(before)} invoice🎉${"🎉".repeat(40_000)}`;
      expect(snippet(text)!.isWellFormed()).toBe(true);
    }
  });

  test("is well-formed HTML with a single kind of tag, for any text", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "<mark>",
        "</mark>",
        "&lt;",
        "&amp;",
        '"><img src=x onerror=alert(1)>',
        "invoice",
        "ß",
        "e\u0301",
      ),
      fc.constantFrom("\ud83c", "\udf89", "🎉", "\u202e", "\u00ad", "1,299.00", "ﬁ", "İ", "\n", " ", "x".repeat(180)),
      fc.string({ unit: "binary", maxLength: 20 }),
    );
    const texts = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(texts, fc.integer({ min: 0, max: 3_200 }), (text, filler) => {
        const found = highlights("invoice 1299 inv*");
        for (const html of [snippetFor("y ".repeat(filler) + text, found) ?? "", marked(text.toWellFormed(), found)]) {
          expect(html.isWellFormed()).toBe(true);
          const rest = html.replace(/<mark>[^<>]*<\/mark>/g, "");
          expect(rest).not.toMatch(/[<>"']|&(?!(?:amp|lt|gt|quot|#39);)/);
        }
      }),
      { numRuns: 150 },
    );
  }, 60_000);
});
