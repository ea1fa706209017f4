import { describe, expect, test } from "bun:test";
import { tally } from "./briefs.ts";
import { judge } from "./judge.ts";
import { readQuestions } from "./questions.ts";
import { type Judged, reportAnswers } from "./report.ts";
import { contains, readValue } from "./values.ts";

const [dated, nothing, yes] = readQuestions(
  `hale | when | en | When is my eye test?
= date 2026-03-20
- date 2026-03-19
@ optician-2

hale | when | en | When is the funeral?
= nothing

hale | yes-no | fr | Le wifi ?
= yes le wifi dans toute la maison
@ gite-3`,
  "dev",
);
const SUPPORTING = new Set(["msg_2"]);
const reply = (answer: string, ...cited: string[]) => ({
  answered: true,
  answer,
  citations: cited.map((message_id) => ({ message_id })),
});

describe("an answer", () => {
  test("is right with the value and a supporting mail", () => {
    expect(judge(dated!, reply("It is on 20 March.", "msg_1", "msg_2"), SUPPORTING)).toBe("right");
  });

  test("with the value is wrong if it cites only another mail, or none", () => {
    expect(judge(dated!, reply("It is on 20 March.", "msg_1"), SUPPORTING)).toBe("wrong");
    expect(judge(dated!, reply("It is on 20 March."), SUPPORTING)).toBe("wrong");
  });

  test("that cites the right mail is wrong without the value", () => {
    expect(judge(dated!, reply("It was moved.", "msg_2"), SUPPORTING)).toBe("wrong");
    expect(judge(dated!, reply("It is on 20 March 2025.", "msg_2"), SUPPORTING)).toBe("wrong");
  });

  test("that also contains a corrected value is wrong", () => {
    expect(judge(dated!, reply("19 March or 20 March", "msg_2"), SUPPORTING)).toBe("wrong");
  });

  test("does not get its date from the line that names author and day of the mail", () => {
    expect(judge(dated!, reply("Bluebird on 20 March 2026: “We have moved it.”", "msg_2"), SUPPORTING)).toBe("wrong");
    expect(judge(dated!, reply("Bluebird on 19 March 2026: “Come on 20 March.”", "msg_2"), SUPPORTING)).toBe("right");
  });

  test("is wrong where the mail has none, and a refusal is refused in both cases", () => {
    expect(judge(nothing!, reply("On 20 March.", "msg_2"), new Set())).toBe("wrong");
    const refusal = { answered: false, answer: "Nothing in your mail answers this question.", citations: [] };
    expect(judge(nothing!, refusal, new Set())).toBe("refused");
    expect(judge(dated!, refusal, SUPPORTING)).toBe("refused");
  });

  test("to a yes-no question is a word or the sentence that says so, but not the opposite", () => {
    expect(judge(yes!, reply("Oui.", "msg_2"), SUPPORTING)).toBe("right");
    expect(judge(yes!, reply("« Il y a le wifi dans toute la maison »", "msg_2"), SUPPORTING)).toBe("right");
    expect(judge(yes!, reply("Non, le wifi dans toute la maison est coupé.", "msg_2"), SUPPORTING)).toBe("wrong");
    expect(judge(yes!, reply("La piscine ouvre le 10 juin.", "msg_2"), SUPPORTING)).toBe("wrong");
  });
});

test.each<[value: string, texts: string[]]>([
  [
    "date 2026-03-05",
    [
      "5 March",
      "March 5th, 2026",
      "am 5. März",
      "le 5 mars 2026",
      "5 de março",
      "il 5 marzo",
      "3月5日",
      "05.03.2026",
      "5/3",
    ],
  ],
  ["date 2026-08-01", ["1er août", "1° agosto", "1 augustus", "2026-08-01"]],
  ["time 14:20", ["14:20", "2.20 pm", "14h20", "14 Uhr 20"]],
  ["time 16:00", ["à partir de 16h", "16 Uhr", "4 pm", "午後4時", "16:00"]],
  ["amount 1205 EUR", ["1.205 €", "€1,205.00", "1 205 euros", "1.205,00 €"]],
  ["amount 187.50 EUR", ["€187.50", "187,50 €"]],
  ["amount 0.11 EUR", ["0,11 € pro Wort"]],
  ["number 72", ["72 bowls"]],
  ["phone +351 900 000 017", ["+351 900 000 017", "900000017"]],
  ["text SV 2217", ["flight sv 2217."]],
])("%s is found in each notation", (value, texts) => {
  expect(texts.filter((text) => !contains(text, readValue(value)))).toEqual([]);
});

test.each<[value: string, texts: string[]]>([
  ["date 2026-03-05", ["15 March", "5 May", "March 5, 2025", "25.3.", "3月15日", "5/30"]],
  ["time 14:20", ["2:20 am", "14:25", "114:20"]],
  ["time 4:00", ["4 pm", "14:00"]],
  ["amount 120 GBP", ["120 €", "£1,200", "£12.0", "120"]],
  ["number 7", ["17", "7.5", "72"]],
  ["phone 01225 555 0142", ["01225 555 0143"]],
  ["text TJ 482", ["TJ 4823"]],
])("%s is not found in another value", (value, texts) => {
  expect(texts.filter((text) => contains(text, readValue(value)))).toEqual([]);
});

test("a brief finds a mail's asks as one item with the earliest day, and each promise by its words", () => {
  const counts = tally(
    [
      { kind: "ask", quote: "return the letter", due: "2026-03-09" },
      { kind: "ask", quote: "tell me who", due: "2026-03-20" },
      { kind: "promise", quote: "send you the draft", due: null },
    ],
    [
      { kind: "ask", message_id: "m", quote: "Can you tell me who?", due: "2026-03-09" },
      { kind: "promise", message_id: "m", quote: "I'll send you the draft.", due: "2026-03-04" },
      { kind: "promise", message_id: "m", quote: "The letter will be short.", due: null },
    ],
  );
  expect(counts.ask).toEqual({ expected: 1, listed: 1, found: 1, dueRight: 1, dueWrong: 0, dueMissing: 0 });
  expect(counts.promise).toEqual({ expected: 1, listed: 2, found: 1, dueRight: 0, dueWrong: 1, dueMissing: 0 });
});

test("the report has only totals of the held-out split", () => {
  const heldOut: Judged = { question: { ...dated!, split: "held-out" }, verdict: "wrong", answer: "a secret answer" };
  const report = JSON.stringify(reportAnswers([heldOut], []));
  expect(report).toContain("held-out");
  expect(report).not.toMatch(/eye test|secret|type: when/);
});
