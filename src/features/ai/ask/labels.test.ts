import { expect, test } from "bun:test";
import { labelAfter, labelIn } from "./labels.ts";
import { readQuestion } from "./question.ts";
import { wordsOf } from "./words.ts";

const labelOf = (text: string, noun: string) => labelAfter(text, wordsOf(text).find(({ form }) => form === noun)!);

test("a capital letter or a short number after a noun is part of its name", () => {
  expect(labelOf("How much is stage A?", "stage")).toBe("a");
  expect(labelOf("Where is room no. 12?", "room")).toBe("12");
  expect(labelOf("Wo ist Halle 3b?", "halle")).toBe("3b");
  expect(labelOf("Can stage I start?", "stage")).toBeNull();
  expect(labelOf("The room 3.14 is free", "room")).toBeNull();
  expect(labelOf("It costs about 20", "about")).toBeNull();
  expect(labelOf("The rebate is 20 %", "rebate")).toBeNull();
  expect(labelOf("We meet in March 12 times", "march")).toBeNull();
});

test("a text is about the thing, about another one of its kind, or about neither", () => {
  const [stage] = readQuestion("How much is stage A?", 0).terms;
  const named = (text: string) => labelIn({ text, words: wordsOf(text) }, stage!);
  expect(named("Stage A, three weeks, and stage B")).toBe("same");
  expect(named("Stage B, two weeks")).toBe("other");
  expect(named("The next stage")).toBeNull();
});
