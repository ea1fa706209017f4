import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { workFromNow } from "../../../test/support/cpu-time.ts";
import { amountsOf } from "./amounts.ts";
import { type Analyzed, type Finding, findingsOf, ownSentences } from "./findings.ts";
import { topSentences } from "./rank.ts";
import { sentencesOf } from "./sentences.ts";

/** Monday. */
const AT = Date.parse("2026-03-02T09:00:00Z");

const message = (text: string, more: Partial<Analyzed> = {}): Analyzed => ({
  body_text: text,
  new_text: text,
  at: AT,
  offsetMin: 0,
  language: () => null,
  ...more,
});
const kinds = (text: string, more: Partial<Analyzed> = {}) =>
  findingsOf(message(text, more)).map(({ kind, text: sentence }) => [kind, sentence]);

describe("sentences", () => {
  test.each([
    ["Hi Ada,\nCould you look at it? Thanks.", ["Hi Ada,", "Could you look at it?", "Thanks."]],
    [
      "Mr. Smith called at 5 p.m. on Friday. He will call again.",
      ["Mr. Smith called at 5 p.m. on Friday.", "He will call again."],
    ],
    [
      "This line was wrapped by the program that sent it, because\nit was longer than a line may be.\n\nNext.",
      ["This line was wrapped by the program that sent it, because\nit was longer than a line may be.", "Next."],
    ],
    ["- first thing\n- second thing\n3) third", ["- first thing", "- second thing", "3) third"]],
    ["> what he wrote\nWhat I write.", ["What I write."]],
    ["你好。明天见！好吗？", ["你好。", "明天见！", "好吗？"]],
    ["-----\n***", []],
    ["It costs 3.50 euro. Good?", ["It costs 3.50 euro.", "Good?"]],
    ["Wir kommen am 1. Mai oder am 17. März. Passt das?", ["Wir kommen am 1. Mai oder am 17. März.", "Passt das?"]],
    ["We need 12. May I order them?", ["We need 12.", "May I order them?"]],
    ["It is due on 12. May 2026.", ["It is due on 12. May 2026."]],
  ])("of %j", (text, expected) => {
    expect(sentencesOf(text).map((sentence) => sentence.text)).toEqual(expected);
  });

  test("have the given positions, are in order and do not overlap, in any text", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("a", "B", ".", "?", " ", "\n", ">", "é", "😀", "-", "1"), maxLength: 300 }),
        (text) => {
          let from = 0;
          for (const { text: sentence, start, end } of sentencesOf(text)) {
            expect(text.slice(start, end)).toBe(sentence);
            expect(start).toBeGreaterThanOrEqual(from);
            from = end;
          }
        },
      ),
    );
  });
});

describe("amounts", () => {
  test.each([
    ["$1,234.50", "USD", 1234.5],
    ["1.234,50 €", "EUR", 1234.5],
    ["EUR 99", "EUR", 99],
    ["£3k", "GBP", 3000],
    ["250 dollars", "USD", 250],
    ["CHF 1'200.00", "CHF", 1200],
    ["$2.5 million", "USD", 2_500_000],
    ["12,5 €", "EUR", 12.5],
  ])("%s", (text, currency, value) => {
    const [found] = amountsOf(`You owe ${text} by Friday.`);
    expect(found).toMatchObject({ currency, value });
    expect(`You owe ${text} by Friday.`.slice(found!.start, found!.end)).toBe(found!.text);
  });

  test("numbers alone are not amounts", () => {
    expect(amountsOf("Room 12, 3 pm, 415-782-7822, 2026-03-02")).toEqual([]);
  });
});

describe("findings", () => {
  test.each([
    ["Could you send me the March figures?", "question"],
    ["Please sign the contract by Friday.", "request"],
    ["I need your approval for the budget.", "request"],
    ["When does the train leave?", "question"],
    ["I'll send you the slides tomorrow.", "promise"],
    ["We will get back to you by Thursday.", "promise"],
    ["We have decided to go with the blue one.", "decision"],
    ["Können Sie mir bitte die Rechnung schicken?", "question"],
    ["Ich schicke Ihnen die Unterlagen bis Freitag.", "promise"],
    ["Pouvez-vous confirmer la date ?", "question"],
    ["¿Puedes enviarme el contrato?", "question"],
    ["Puoi confermare l'orario?", "question"],
    ["Kunt u mij de factuur sturen?", "question"],
  ])("%s", (text, kind) => {
    expect(kinds(text)).toEqual([[kind, text] as never]);
  });

  test.each([
    "If you have any questions, please let me know.",
    "Please do not hesitate to contact me.",
    "Thanks for your help!",
    "The meeting went well and everybody was there.",
    "How are you?",
    "I'll be out of the office next week.",
    "Looking forward to seeing you.",
    "Bei Fragen melden Sie sich gerne.",
  ])("none in: %s", (text) => {
    expect(kinds(text)).toEqual([]);
  });

  test("have positions in the shown text, although only the new text was read", () => {
    const body_text = "Hi Bob,\n\nCould you send the file?\n\n-- \nEve\nCould you read my signature?";
    const [found, ...more] = findingsOf(message(body_text, { new_text: "Hi Bob,\n\nCould you send the file?" }));
    expect(more).toEqual([]);
    expect(body_text.slice(found!.start, found!.end)).toBe("Could you send the file?");
  });

  test("a sentence that is not in the shown text word for word is left out", () => {
    expect(ownSentences({ body_text: "One. Three.", new_text: "One. Two. Three." }).map(({ text }) => text)).toEqual([
      "One.",
      "Three.",
    ]);
  });

  test("every span contains its sentence, in any text", () => {
    const piece = fc.constantFrom(
      "Could you come?",
      "I'll pay $20 tomorrow.",
      "> quoted?",
      "\n",
      "Please sign.",
      "😀 ",
      "é",
      "x ",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join(" ");
        for (const found of findingsOf(message(text))) expect(text.slice(found.start, found.end)).toBe(found.text);
      }),
    );
  });

  test("long and hostile text takes little time", () => {
    const work = workFromNow();
    for (const text of [
      "if ".repeat(20_000),
      "a,".repeat(30_000),
      "please ".repeat(20_000),
      "? ".repeat(50_000),
      "I'll ".repeat(20_000),
    ]) {
      findingsOf(message(text));
    }
    expect(work()).toBeLessThan(3_000);
  });

  // Each of these took minutes or did not end while the patterns could match it in more than one way.
  test.each([
    ["numbered like a list", "1: "],
    ["dates that are none", "1.1."],
    ["marks without end", "?"],
    ["names and colons", "Ab: "],
    ["brackets and quotes", '?"'],
  ])("text that is made to keep readers busy does not: %s", (_what, piece) => {
    const work = workFromNow();
    for (const chars of [30, 900, 200_000]) findingsOf(message(`${piece.repeat(chars / piece.length)}x`));
    expect(work()).toBeLessThan(6_000);
  });

  test("a very long number in groups of three is parsed quickly", () => {
    const work = workFromNow();
    expect(amountsOf(`${"104 ".repeat(50_000)}EUR`)).toHaveLength(1);
    expect(work()).toBeLessThan(2_000);
  });

  test("an implausibly long sentence is not a finding", () => {
    expect(findingsOf(message(`Could you ${"really ".repeat(300)}help me?`))).toEqual([]);
  });
});

describe("the most informative sentences", () => {
  const candidate = (text: string, i: number): Finding & { message_id: string; recency: number; matters: boolean } => ({
    text,
    start: i * 100,
    end: i * 100 + text.length,
    message_id: `msg_${i}`,
    recency: i / 5,
    matters: false,
    kind: "request",
    score: 0,
    due: null,
  });

  test("are central, in their original order, and contain no near-duplicates", async () => {
    const texts = [
      "The roof of the school leaks since the storm.",
      "The storm broke tiles, so the roof of the school leaks.",
      "By the way, the cat is fine.",
      "The repair of the school roof costs 4000 euro and takes a week.",
      "The roof of the school leaks since the storm.",
    ];
    const top = await topSentences(texts.map(candidate), 2);
    expect(top).toHaveLength(2);
    expect(top.map(({ text }) => text)).not.toContain("By the way, the cat is fine.");
    expect(new Set(top.map(({ text }) => text)).size).toBe(2);
    expect(top[0]!.start).toBeLessThan(top[1]!.start);
  });

  test("are chosen by their vectors if there is a model", async () => {
    const vectors = [
      [1, 0],
      [0.9, 0.44],
      [0, 1],
    ].map((v) => Float32Array.from(v));
    const top = await topSentences(
      ["one two three four", "one two three five", "six seven eight nine"].map(candidate),
      1,
      async () => vectors,
    );
    expect(top.map(({ message_id }) => message_id)).toEqual(["msg_1"]);
  });
});
