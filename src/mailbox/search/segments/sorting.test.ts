import { expect, test } from "bun:test";
import { runSteps } from "../../../kernel/steps.ts";
import { sortedByText } from "./sorting.ts";

const ALPHABET = ["a", "b", "é", "\u00ff", "\u0100", "語", "\ud7ff", "\ue000", "\uffff", "😀", "0"];

test("texts with any letters are sorted by their code units", () => {
  let state = 11;
  const next = (most: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state >>> 8) % most;
  };
  for (let turn = 0; turn < 200; turn++) {
    const texts = Array.from({ length: next(60) }, () =>
      Array.from({ length: next(8) }, () => ALPHABET[next(ALPHABET.length)]!).join(""),
    );
    const wanted = texts.toSorted((a, b) => (a === b ? 0 : a < b ? -1 : 1));
    expect(runSteps(sortedByText(texts.map((text) => ({ text })))).map(({ text }) => text)).toEqual(wanted);
  }
});
