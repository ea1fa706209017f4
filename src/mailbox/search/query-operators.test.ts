import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Condition, parseQuery, type Query } from "./query.ts";

const NOW = Date.parse("2026-03-01T12:00:00Z");
const DAY_MS = 86_400_000;
const parse = (text: string) => parseQuery(text, NOW);

/** Formats a condition in one line: subject:word, "a phrase", ~prefix, all(…), any(…), not(…). */
function shown(condition: Condition): string {
  switch (condition.kind) {
    case "words": {
      const { fields, tokens, prefix, quoted } = condition;
      const words = `${tokens.join("+")}${prefix ? "*" : ""}`;
      return `${fields === null ? "" : `${fields.join("|")}:`}${quoted ? `"${words}"` : words}`;
    }
    case "tag":
      return `#${condition.name}`;
    case "own":
      return `${condition.fields.join("|")}:me`;
    case "not":
      return `not(${shown(condition.of)})`;
    case "filter": {
      const { kind: _, field, ...rest } = condition;
      return `[${[field, ...Object.entries(rest).map(([name, value]) => (name === "at" ? day(value) : `${value}`))].join(" ")}]`;
    }
    default:
      return `${condition.kind}(${condition.of.map(shown).join(" ")})`;
  }
}

const day = (at: number) => new Date(at).toISOString().replace("T00:00:00.000Z", "");
/** Formats a whole query: plain words, then conditions. */
const all = ({ plain, conditions }: Query) => [...plain, ...conditions].map(shown).join(" ");
const read = (text: string) => all(parse(text));

describe("operators that search fields", () => {
  test.each([
    ["from:ada", "sender:ada"],
    ["to:ada", "recipients|bcc:ada"],
    ["cc:ada", "cc:ada"],
    ["bcc:ada", "bcc:ada"],
    ["subject:plan", "subject:plan"],
    ["filename:plan.pdf", "files:plan+pdf"],
    ["list:dev.lists.example.org", "list:dev+lists+example+org"],
    ["list:<dev.lists.example.org>", "list:dev+lists+example+org"],
    ["deliveredto:ada@example.org", "delivered_to:ada+example+org"],
    ['BCC:"ada l"', 'bcc:"ada+l"'],
    ["-list:dev", "not(list:dev)"],
  ])("%s", (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  test("a word of the subject is found in all forms; a name or a quoted word only as written", () => {
    const exact = (text: string) => (parse(text).conditions[0] as { exact: boolean }).exact;
    expect(exact("subject:invoices")).toBe(false);
    expect(exact("subject:(invoices)")).toBe(false);
    expect(exact('subject:"invoices"')).toBe(true);
    for (const name of ["from", "to", "cc", "bcc", "list", "filename", "deliveredto"]) {
      expect([name, exact(`${name}:hopkins`)]).toEqual([name, true]);
    }
  });

  test("`me` stands for the user's own addresses, except in quotation marks", () => {
    expect(read("from:me")).toBe("sender:me");
    expect(parse("from:me").conditions).toEqual([{ kind: "own", fields: ["sender"] }]);
    expect(parse("to:Me, cc:me bcc:me deliveredto:me").conditions).toEqual([
      { kind: "own", fields: ["recipients", "bcc"] },
      { kind: "own", fields: ["cc"] },
      { kind: "own", fields: ["bcc"] },
      { kind: "own", fields: ["delivered_to"] },
    ]);
    expect(parse("-from:me").conditions).toEqual([{ kind: "not", of: { kind: "own", fields: ["sender"] } }]);
    expect(parse("from:(me OR bob)").conditions[0]).toMatchObject({
      kind: "any",
      of: [{ kind: "own" }, { tokens: ["bob"] }],
    });
    for (const text of ['from:"me"', "from:me@example.org", "subject:me", "list:me"]) {
      expect([text, parse(text).conditions[0]!.kind]).toEqual([text, "words"]);
    }
  });
});

describe("operators that filter", () => {
  test.each([
    ["larger:10M", "[size 10485761]"],
    ["larger:10mb", "[size 10485761]"],
    ["larger:10MiB.", "[size 10485761]"],
    ["smaller:1.5k", "[size 1535]"],
    ["size:1000", "[size 1000]"],
    ["size:0", "[size 0]"],
    ["size:2g", "[size 2147483648]"],
    ['larger:"5 MB"', "[size 5242881]"],
    ["category:Promotions", "[category promotions]"],
    ["category:forums", "[category updates]"],
    ["category:personal", "[category primary]"],
    ["is:important", "[is important]"],
    ["rfc822msgid:<a.b@x.example>", "[message_id a.b@x.example]"],
    ["rfc822msgid:A.b@x.example.", "[message_id A.b@x.example]"],
    ["(rfc822msgid:<a{1}(2)@x.example>)", "[message_id a{1}(2)@x.example]"],
    ["has:pdf", "#pdf"],
    ["has:Images", "#image"],
    ["has:document has:spreadsheets", "#document #spreadsheet"],
    ["-has:presentation", "not(#presentation)"],
    ["has:link,", "#link"],
    ["has:attachments", "[attachment]"],
    ["older:2026-01-05", "[before 2026-01-05]"],
    ["newer:2026/1/5", "[after 2026-01-05]"],
    ["older:60d", `[before ${new Date(NOW - 60 * DAY_MS).toISOString()}]`],
    ["newer:12h", "[after 2026-03-01]"],
    ["after:11/20/2026", "[after 2026-11-20]"],
    ["after:20/11/2026", "[after 2026-11-20]"],
    ["after:20.11.2026", "[after 2026-11-20]"],
    ["before:5.6.2026", "[before 2026-06-05]"],
    ["before:5/6/2026", "[before 2026-05-06]"],
    ["before:2026.06.05", "[before 2026-06-05]"],
  ])("%s", (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  test("larger, smaller and size mean more than, less than, and at least", () => {
    expect(parse("larger:1k smaller:2k size:3k").conditions).toEqual([
      { kind: "filter", field: "size", atLeast: 1_025 },
      { kind: "filter", field: "size", atMost: 2_047 },
      { kind: "filter", field: "size", atLeast: 3_072 },
    ]);
  });

  test.each([
    ...["larger:XL", "smaller:10q", "size:10-20", "category:work", "category:purchases", "is:muted", "has:drive"],
    ...["after:13/13/2026", "after:2/30/2026", "after:31.2.2026", "before:7d", "older:soon", "newer:1e9d"],
    ...["older_than:2026-01-01", 'rfc822msgid:"a b"', "larger:99999999999999g", "-category:work", "{size:XL a}"],
  ])("%s is refused", (text) => {
    expect(() => parse(text)).toThrow(/takes .+ enclose it in quotation marks/);
  });

  test.each([
    ...["around: noon", "AROUND 5 words", "foo:bar", "size: XL", "category:", "larger:-1m", "size:>10m", "has:pdf's"],
    ...["bcc:, list: and older:", "rfc822msgid:<>", "note:(buy milk)", "constructor:x", "__proto__:x", "toString:(a)"],
  ])("%s is text", (text) => {
    const { plain, conditions } = parse(text);
    expect(conditions).toEqual([]);
    expect(plain.length).toBeGreaterThan(0);
  });
});

describe("parentheses and braces", () => {
  test.each([
    // Alternatives and groups.
    ["(a OR b) c", "c any(a b)"],
    ["(a b) OR c", "any(all(a b) c)"],
    ["a OR (b c) d", "d any(a all(b c))"],
    ["{a b}", "any(a b)"],
    ["{a b} c", "c any(a b)"],
    ["{a (b c)}", "any(a all(b c))"],
    ["{a b} OR c", "any(a b c)"],
    ["{from:ada subject:(x y)}", "any(sender:ada all(subject:x subject:y))"],
    ["{a}", "a"],
    ["(a (b) c)", "a b c"],
    ["from:ada AND (x OR y)", "sender:ada any(x y)"],
    // Negation.
    ["-(a b)", "not(all(a b))"],
    ["-{a b}", "not(any(a b))"],
    ["-(a)", "not(a)"],
    ["-(a -b)", "not(all(a not(b)))"],
    ["-(in:trash OR is:read)", "not(any([in trash] [is read]))"],
    // Fields.
    ["subject:(a b)", "subject:a subject:b"],
    ["-subject:(a b)", "not(all(subject:a subject:b))"],
    ["from:(a OR b)", "any(sender:a sender:b)"],
    ["from:{a b}", "any(sender:a sender:b)"],
    ['subject:(a -b "c d" inv*)', 'subject:a not(subject:b) subject:"c+d" subject:inv*'],
    ["subject:(a OR from:b)", "any(subject:a sender:b)"],
    ["subject:((a OR b) c)", "any(subject:a subject:b) subject:c"],
    ["subject:(a AND b)", "subject:a subject:b"],
    ["subject:東京会議", "subject:東京 subject:会議"],
    // Filters.
    ["in:(inbox OR sent)", "any([in inbox] [in sent])"],
    ["has:{pdf image}", "any(#pdf #image)"],
    ["-category:{social promotions}", "not(any([category social] [category promotions]))"],
    ['label:(work OR "to do")', "any([label work] [label to do])"],
  ])("%s", (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  test.each([
    ["lunch (at noon) - or later :)", "lunch at noon or later"],
    ["the word(s) of f(x)", "the word s of f x"],
    ["((a", "a"],
    ["a)) b", "a b"],
    ["(a} {b)", "a b"],
    ["subject:(never closed", "subject never closed"],
    ["a -(never closed", "a never closed"],
    ["before:(noon) in:(the box)", "before noon in the box"],
    ["in:(inbox is:read)", "in inbox [is read]"],
    ["from:() subject:(…) in:()", "from subject in"],
    ["() {} -() -{} (( )) {{ }}", ""],
    ["smile :-( and (then :) again", "smile and then again"],
    ["AND then AND", "and then and"],
    ["\\frac{a}{b}", "frac a b"],
    ["a( OR b", "any(a b)"],
  ])("are punctuation in %s", (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  test("a minus in front of more than can be excluded is a dash", () => {
    const long = Array.from({ length: 30 }, (_, i) => `word${String.fromCharCode(97 + i / 26, 97 + (i % 26))}`).join(
      " ",
    );
    expect(parse(`see -(${long})`)).toMatchObject({ plain: { length: 31 }, conditions: [] });
    expect(read("-(a* ab* bc* cd* de*)")).toBe("a de ab* bc* cd*");
    expect(() => parse(`-subject:(${long})`)).toThrow(/at most 24/);
    expect(() => parse(`from:(${long})`)).toThrow(/at most 24/);
  });

  test("`in:` in a group names a folder, except where it is excluded", () => {
    const names = (text: string) => parse(text).namesFolder;
    expect(names("{in:trash x}")).toBe(true);
    expect(names("in:(trash OR spam)")).toBe(true);
    expect(names("-(in:trash)")).toBe(false);
    expect(names("-in:(trash OR spam)")).toBe(false);
  });

  test("the text for a model leaves out what is excluded or limited to a field", () => {
    expect(parse("(lunch OR dinner) -(at noon) subject:(next week) {soon later}").text).toBe("lunch dinner soon later");
  });

  test("words in braces do not rank; words in parentheses without an operator do", () => {
    expect(parse("(a b) {c d}")).toMatchObject({
      plain: [{ tokens: ["a"] }, { tokens: ["b"] }],
      conditions: [{ kind: "any" }],
    });
  });
});

describe("prefixes", () => {
  test.each([
    ["ab*", "ab*"],
    ["abcdefghijkl*", "abcdefghijkl*"],
    ["10*", "10*"],
    ["日*", "日*"],
    ["ord-2024*", "ord+2024*"],
    ["5*", "5"],
    ["a*", "a"],
    ["*ab*", "ab"],
    ["from:ad*", "sender:ad*"],
    ["from:a*", "sender:a"],
  ])("%s", (text, expected) => {
    expect(read(text)).toBe(expected);
  });
});

describe("any query", () => {
  test("means the same in parentheses as without them", () => {
    const words = fc.array(fc.constantFrom("a", "b", "from:c", "-d", "is:read", '"e f"', "OR"), {
      minLength: 1,
      maxLength: 6,
    });
    fc.assert(
      fc.property(
        words.map((list) => list.join(" ")),
        (text) => {
          expect(read(`(${text})`)).toBe(read(text));
          expect(read(`((${text}))`)).toBe(read(text));
        },
      ),
    );
  });
});
