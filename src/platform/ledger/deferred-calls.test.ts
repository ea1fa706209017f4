import { afterEach, beforeEach, expect, test } from "bun:test";
import { appendFileSync, existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Scratch, scratchPlatform } from "../../../test/support/scratch-platform.ts";
import { DeferredStoreCalls } from "./deferred-calls.ts";

let scratch: Scratch;
beforeEach(() => {
  scratch = scratchPlatform();
});
afterEach(() => scratch.close());

const path = () => join(scratch.data_dir, "cache", "calls");
const open = () => new DeferredStoreCalls(path(), scratch.platform.db, scratch.clock);
const rows = () =>
  scratch.platform.db.sql.query("SELECT action, host, bytes_out, result, bytes_in FROM store_egress").all();
const put = { action: "put", host: "nas.lan:9000", bytes_out: 5 } as const;

test("a request is in the file before it leaves, and in the database when something else is written", () => {
  const calls = open();
  const end = calls.begin(put);
  expect(existsSync(path())).toBe(true);
  expect(rows()).toEqual([]);
  // One that runs is recorded when it has ended.
  expect(calls.settle()).toBe(false);
  end({ result: "200", bytes_in: 3 });
  expect(calls.settle()).toBe(true);
  expect(rows()).toEqual([{ ...put, result: "200", bytes_in: 3 }]);
  expect(calls.settle()).toBe(false);
});

test("requests that had ended when a process stopped or was killed are recorded by the next one with their end", () => {
  open().begin(put)({ result: "200", bytes_in: 3 });
  expect(open().settle()).toBe(true);
  expect(rows()).toEqual([{ ...put, result: "200", bytes_in: 3 }]);
});

test("requests of a killed process are recorded by the next one, without an end, if they had none", () => {
  open().begin(put);
  appendFileSync(path(), '{"id":"half');
  const calls = open();
  calls.begin(put);
  expect(calls.settle()).toBe(true);
  expect(rows()).toEqual([{ ...put, result: null, bytes_in: null }]);
  expect(scratch.platform.storeCalls.totals(0)).toMatchObject({ calls: 1, bytes_out: 5 });
});

test("while nothing else is written, the file stays bounded, and no request is lost", () => {
  const calls = open();
  let largest = 0;
  for (let n = 0; n < 12_000; n++) {
    calls.begin(put)({ result: "unavailable", bytes_in: 0 });
    if (n % 1_000 === 999) largest = Math.max(largest, statSync(path()).size);
  }
  expect(largest).toBeLessThan(1024 * 1024);
  calls.settle();
  expect(rows()).toHaveLength(12_000);
});
