import { expect, test } from "bun:test";
import { gradesOfThreads, Tally } from "./measures.ts";
import { readSet, SET_NAMES } from "./sets.ts";

test("success, reciprocal rank and empty answers are means over queries", () => {
  const tally = new Tally();
  tally.add(["a", "b"], new Map([["a", 1]]));
  tally.add(["x", "y", "a"], new Map([["a", 1]]));
  tally.add([], new Map([["a", 1]]));
  tally.add([], new Map());
  const { queries, success1, success5, mrr, empty } = tally.figures();
  expect({ queries, success1, success5, empty }).toEqual({ queries: 4, success1: 0.25, success5: 0.5, empty: 0.5 });
  expect(mrr).toBeCloseTo((1 + 1 / 3) / 4);
});

test("a perfect order has an nDCG and a MAP of 1", () => {
  const tally = new Tally();
  const grades = new Map([
    ["a", 3],
    ["b", 1],
  ]);
  tally.add(["a", "b", "c"], grades);
  expect([tally.figures().ndcg, tally.figures().map]).toEqual([1, 1]);
});

test("of several messages in one thread the best grade counts", () => {
  const threads = new Map([
    ["one", ["t1"]],
    ["two", ["t1"]],
    ["three", ["t2", "t3"]],
  ]);
  const grades = new Map([
    ["one", 1],
    ["two", 3],
    ["three", 2],
    ["gone", 1],
  ]);
  expect([...gradesOfThreads(grades, threads)]).toEqual([
    ["t1", 3],
    ["t2", 2],
    ["t3", 2],
  ]);
});

test("generated sets are always the same, and each of their queries has an answer among their messages", () => {
  const now = new Date("2026-11-22T10:00:00Z");
  for (const name of SET_NAMES.filter((name) => name !== "sandbox")) {
    const [set, again] = [readSet(name), readSet(name)];
    const names = new Set(set.messages!.map((message) => message.name));
    const texts = set.queries(now).map(({ text }) => text);
    expect([name, texts]).toEqual([name, again.queries(now).map(({ text }) => text)]);
    const lost = set.queries(now).filter(({ grades }) => ![...grades.keys()].some((id) => names.has(id)));
    expect([name, lost.map(({ text }) => text)]).toEqual([name, []]);
  }
});
