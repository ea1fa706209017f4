import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ManualClock } from "../clock.ts";
import { FrequentStoreCalls, frequentStoreCallTotals } from "./frequent-store-calls.ts";

let dir: string;
let clock: ManualClock;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "postroom-calls-"));
  clock = new ManualClock();
});
afterEach(() => rmSync(dir, { recursive: true }));

test("requests are counted before they leave, and their answers are added", () => {
  expect(frequentStoreCallTotals(dir, 0)).toEqual({ calls: 0, bytes_out: 0, bytes_in: 0 });
  const calls = new FrequentStoreCalls(dir, clock);
  const end = calls.begin({ action: "put", host: "nas.lan:9000", bytes_out: 100 });
  expect(frequentStoreCallTotals(dir, 0)).toEqual({ calls: 1, bytes_out: 100, bytes_in: 0 });
  end({ result: "200", bytes_in: 7 });
  clock.advance(3 * 3_600_000);
  calls.begin({ action: "get", host: "nas.lan:9000", bytes_out: 0 })({ result: "unavailable", bytes_in: 0 });
  expect(frequentStoreCallTotals(dir, 0)).toEqual({ calls: 2, bytes_out: 100, bytes_in: 7 });
  expect(frequentStoreCallTotals(dir, clock.now() - 3_600_000)).toEqual({ calls: 1, bytes_out: 0, bytes_in: 0 });
  calls.close();
});

test("hours older than 30 days are dropped at the next start", () => {
  const first = new FrequentStoreCalls(dir, clock);
  first.begin({ action: "put", host: "nas.lan", bytes_out: 1 });
  first.close();
  clock.advance(31 * 86_400_000);
  new FrequentStoreCalls(dir, clock).close();
  expect(frequentStoreCallTotals(dir, 0).calls).toBe(0);
});
