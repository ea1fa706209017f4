import { expect, test } from "bun:test";
import { conceptsNamed } from "./concepts.ts";
import { readQuestion } from "./question.ts";
import { separatedVerbs } from "./separable.ts";
import { wordsOf } from "./words.ts";

const verbsOf = (text: string) => separatedVerbs(text, wordsOf(text)).map(({ word }) => word.form);

test("a verb is joined with its part at the end of the clause", () => {
  expect(verbsOf("Wann kommt meine Mutter an?")).toEqual(["ankommt"]);
  expect(verbsOf("Papa kommt um drei an, Timo später.")).toEqual(["ankommt"]);
  expect(verbsOf("I will come to the party.")).toEqual([]);
  expect(verbsOf("Das hängt an der Wand.")).toEqual([]);
});

test("a question with a verb of two parts asks what the verb of one part does", () => {
  const { terms } = readQuestion("Wann kommt meine Mutter an?", 0);
  const [verb] = terms;
  expect([...verb!.concepts].some((concept) => conceptsNamed("arrive").has(concept))).toBe(true);
});
