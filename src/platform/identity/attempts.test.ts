import { afterEach, beforeEach, expect, test } from "bun:test";
import { type Scratch, scratchPlatform } from "../../../test/support/scratch-platform.ts";
import type { Attempts, Counted } from "./attempts.ts";

let scratch: Scratch;
let attempts: Attempts;
beforeEach(() => {
  scratch = scratchPlatform();
  attempts = scratch.platform.signIn.attempts;
});
afterEach(() => scratch.close());

const ada: Counted = { name: "account:ada@example.org", free: 3 };
const home: Counted = { name: "address:192.0.2.1", free: 5 };
const fail = (times: number, counted = [ada]) => {
  for (let i = 0; i < times; i++) expect(attempts.begin(counted)).toBe(0);
};

test("counts survive a restart and apply in other processes", () => {
  fail(3);
  expect(scratch.another().signIn.attempts.begin([ada])).toBe(1_000);
});

test("a refused attempt is not counted: repeated attempts do not extend the wait", () => {
  fail(3);
  for (let i = 0; i < 50; i++) expect(attempts.begin([ada])).toBe(1_000);
  scratch.clock.advance(1_000);
  expect(attempts.begin([ada])).toBe(0);
});

test("the longest wait applies, and a refused attempt counts for no name", () => {
  fail(3);
  expect(attempts.begin([home, ada])).toBe(1_000);
  fail(5, [home]);
});

test("a successful attempt does not count, and clears earlier failures only of the given names", () => {
  fail(2);
  expect(attempts.begin([ada, home])).toBe(0);
  attempts.succeeded([ada, home], [ada]);
  fail(3);
  expect(attempts.begin([ada])).toBe(1_000);
  fail(5, [home]);
  expect(attempts.begin([home])).toBe(1_000);
});

test("failures of yesterday no longer count, and are deleted", () => {
  fail(3);
  scratch.clock.advance(86_400_000);
  expect(attempts.begin([ada])).toBe(0);
  scratch.clock.advance(86_400_000);
  expect([attempts.prune(), attempts.prune()]).toEqual([1, 0]);
});

test("a clock that was set back makes no one wait", () => {
  fail(9, [{ ...ada, free: 100 }]);
  scratch.clock.advance(-3_600_000);
  expect(attempts.begin([ada])).toBe(0);
});

test("no name is stored in the database", () => {
  fail(1, [ada, home]);
  const rows = scratch.platform.db.sql.query<{ name: Uint8Array }, []>("SELECT name FROM sign_in_failures").all();
  expect(rows.map(({ name }) => name.length)).toEqual([16, 16]);
});
