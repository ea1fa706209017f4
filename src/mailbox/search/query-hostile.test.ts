import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { ApiError } from "../../kernel/errors.ts";
import { OPERATORS } from "./operators.ts";
import { type Condition, parseQuery, type Query } from "./query.ts";

const parse = (text: string) => parseQuery(text, Date.parse("2026-03-01T12:00:00Z"));

describe("hostile queries", () => {
  const depthOf = (condition: Condition): number => {
    if (condition.kind === "not") return 1 + depthOf(condition.of);
    if (condition.kind !== "all" && condition.kind !== "any") return 0;
    return 1 + Math.max(...condition.of.map(depthOf));
  };
  const deepest = ({ conditions }: Query) => Math.max(0, ...conditions.map(depthOf));

  test.each([
    "(",
    "{",
    "-(",
    "-{",
    "-{-(",
    "(a ",
    "-(a {b ",
    "subject:(",
    "in:(",
    "-in:(",
    "from:(-{",
    '("',
    "„(",
    "(a OR ",
  ])("%s repeated, closed or not, nests only a few levels", (part) => {
    const count = Math.floor(1_000 / part.length);
    const open = part.repeat(count);
    const half = part.repeat(count / 2);
    for (const text of [
      open,
      `${half}x${")".repeat(500)}`,
      `${half}x${"}".repeat(500)}`,
      `${half}x${")}".repeat(250)}`,
    ]) {
      let query: Query;
      try {
        query = parse(text.slice(0, 1_000));
      } catch (error) {
        // The numbers of operators and negations are limited.
        expect((error as ApiError).message).toMatch(/at most/);
        continue;
      }
      expect(deepest(query)).toBeLessThan(40);
      expect(query.conditions.length + query.plain.length).toBeLessThan(200);
    }
  });

  test("a long query is parsed in linear time", () => {
    // A hundred thousand of each: a quadratic parser would take minutes.
    for (const part of ["(", "{a ", "-{-(", "subject:(", "in:(inbox ", "„", "a(b", "from:<", "()", "-(a)", "x:"]) {
      try {
        parse(part.repeat(100_000));
      } catch (error) {
        expect(error).toBeInstanceOf(ApiError);
      }
    }
  }, 30_000);
});

describe("any text", () => {
  const piece = fc.oneof(
    fc.constantFrom(..."( ) { } -( -{ \" “ „ OR AND | - − * : , . … < > @ ' :) :-(".split(" "), " ", "\n"),
    fc.constantFrom(...[...OPERATORS.keys()].map((name) => `${name}:`), ...["AROUND ", "foo:", "note: "]),
    fc.constantFrom(
      ...[
        "me",
        "ada",
        "word*",
        "5*",
        "inbox",
        "sent",
        "unread",
        "important",
        "pdf",
        "links",
        "10M",
        "7d",
        "2026-01-05",
      ],
      ...[
        "11/20/2026",
        "31.12.2026",
        "99/99/2026",
        "social",
        "Friday",
        "<a@b.example>",
        "東京会議",
        "don't",
        "👍",
        "\ud800",
      ],
    ),
    fc.string({ unit: "grapheme", maxLength: 8 }),
    fc.string({ unit: "binary", maxLength: 8 }),
  );
  const typed = fc
    .array(fc.tuple(piece, fc.constantFrom("", "", " ")), { maxLength: 80 })
    .map((pieces) => pieces.flat().join("").slice(0, 1_000));
  const NAMES = [...OPERATORS.keys()].join("|");

  test("is parsed, or refused for the value of a well-formed operator or for too many of them", () => {
    fc.assert(
      fc.property(typed, (text) => {
        try {
          parse(text);
        } catch (error) {
          expect(error).toBeInstanceOf(ApiError);
          expect(error).toMatchObject({ code: "invalid_params", param: "query" });
          const { message } = error as ApiError;
          const [, name] = /^The operator `(\w+):` takes .+ enclose it in quotation marks: "/s.exec(message) ?? [];
          if (name !== undefined)
            expect(text.normalize("NFC").toLowerCase()).toMatch(new RegExp(`${name}:["“”„«»]?[^\\s(){}]`));
          else expect(message).toMatch(/^A query can have at most \d+ /);
        }
      }),
      { numRuns: 3_000 },
    );
  }, 60_000);

  test("is never refused without an operator, a negation or a prefix, however it is bracketed", () => {
    const OPERATOR = new RegExp(`(?:${NAMES}):["“”„«»({]?[^\\s]|[-−*]`, "iu");
    fc.assert(
      fc.property(
        typed.map((text) => text.normalize("NFC")).filter((text) => !OPERATOR.test(text)),
        (text) => {
          parse(text);
        },
      ),
      { numRuns: 500 },
    );
  }, 60_000);
});
