import { expect, test } from "bun:test";
import { exponentOf } from "./growth.ts";

test("the exponent of a cost that grows with the mailbox is one, of a constant one none, of a table scanned for each row two", () => {
  const at = (messages: number, cost: number) => ({ messages, cost });
  expect(exponentOf(at(10, 3), at(1_000, 300))).toBeCloseTo(1);
  expect(exponentOf(at(10, 3), at(1_000, 3))).toBeCloseTo(0);
  expect(exponentOf(at(10, 1), at(100, 100))).toBeCloseTo(2);
});
