import { expect, test } from "bun:test";
import { searchedWord, wordOf, writtenWord } from "./words.ts";

const COUNT = 20_000;

test("every rank has a separate word", () => {
  expect(new Set(Array.from({ length: COUNT }, (_, rank) => wordOf(rank))).size).toBe(COUNT);
});

test("words are as frequent as their rank implies, and all of them occur", () => {
  const draws = 400_000;
  const counts = new Map<string, number>();
  for (let i = 0; i < draws; i++) {
    const word = writtenWord(i / draws);
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  expect(counts.size).toBe(COUNT);
  const [first, tenth, thousandth] = [0, 9, 999].map((rank) => counts.get(wordOf(rank))! / draws);
  expect(first!).toBeCloseTo(0.07, 2);
  expect(first! / tenth!).toBeWithin(6, 11);
  expect(first! / thousandth!).toBeWithin(500, 900);
});

test("search words are neither function words nor absent from the mail", () => {
  const searched = new Set(Array.from({ length: 10_000 }, (_, i) => searchedWord(i / 10_000)));
  for (const rank of [0, 50, 99]) expect(searched.has(wordOf(rank))).toBe(false);
  expect(searched.has(wordOf(100))).toBe(true);
  expect(searchedWord(1 - Number.EPSILON)).toBe(wordOf(COUNT - 1));
  expect(writtenWord(0)).toBe(wordOf(0));
});
