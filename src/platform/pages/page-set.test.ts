import { expect, test } from "bun:test";
import { between, dice } from "../../../test/faults/campaign.ts";
import { PageSet } from "./page-set.ts";

test("a set of pages behaves like a set of numbers, in ascending order", () => {
  const random = dice(1);
  const pages = new PageSet();
  const model = new Set<number>();
  for (let i = 0; i < 20_000; i++) {
    const page = between(random, 1, i % 3 === 0 ? 200_000 : 500);
    const choice = random();
    if (choice < 0.6) {
      pages.add(page);
      model.add(page);
    } else if (choice < 0.99) {
      pages.delete(page);
      model.delete(page);
    } else {
      pages.deleteAfter(page);
      for (const each of model) if (each > page) model.delete(each);
    }
    expect(pages.size).toBe(model.size);
    expect(pages.has(page)).toBe(model.has(page));
  }
  const ascending = [...model].sort((a, b) => a - b);
  expect([...pages]).toEqual(ascending);
  expect(pages.take(7)).toEqual(ascending.slice(0, 7));
  expect([pages.size, ...pages]).toEqual([ascending.length - 7, ...ascending.slice(7)]);
  expect(pages.take()).toEqual(ascending.slice(7));
  expect([pages.size, pages.take()]).toEqual([0, []]);
});

test("a union has the pages of both sets, and a range has both ends", () => {
  const pages = new PageSet();
  pages.addRange(31, 33);
  const other = new PageSet();
  other.add(32);
  other.add(1_000_000);
  pages.union(other);
  expect([...pages]).toEqual([31, 32, 33, 1_000_000]);
  expect(pages.has(2_000_000)).toBe(false);
  pages.clear();
  expect([pages.size, ...pages]).toEqual([0]);
});
