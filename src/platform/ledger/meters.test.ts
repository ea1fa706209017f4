import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { ManualClock } from "../clock.ts";
import { loadConfig, withValues } from "../config/load.ts";
import { type Db, openDb } from "../db/open.ts";
import { Meters } from "./meters.ts";

let dir: string;
let db: Db;
let clock: ManualClock;
let meters: Meters;

const open = () =>
  new Meters(
    db,
    clock,
    withValues(loadConfig({ data_dir: dir, env: {} }), { "limits.team.requests_per_day": 10 }),
    () => null,
  );

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "postroom-meters-"));
  db = openDb(join(dir, "m.db"), "full", { migrateNow: true });
  clock = new ManualClock("2026-02-28T23:00:00Z");
  meters = open();
});
afterEach(() => {
  db.close();
  rmSync(dir, { recursive: true });
});

describe("requests", () => {
  test("count up to the limit, survive a restart, and reset at UTC midnight", () => {
    expect([1, 2, 3].map(() => meters.countRequest("u", 2))).toEqual([true, true, false]);
    expect(meters.requests("u")).toBe(2);
    meters.flush();
    meters.flush();
    meters = open();
    expect(meters.requests("u")).toBe(2);
    expect(meters.countRequest("u", 2)).toBe(false);
    clock.advance(3_600_000);
    expect(meters.requests("u")).toBe(0);
    expect(meters.countRequest("u", 2)).toBe(true);
  });

  test("of yesterday are written even if the flush is after midnight", () => {
    meters.countRequest("u", 9);
    clock.advance(3_600_000);
    meters.countRequest("u", 9);
    meters.flush();
    const rows = db.sql.query("SELECT period, used FROM meters ORDER BY period").all();
    expect(rows).toEqual([
      { period: "2026-02-28", used: 1 },
      { period: "2026-03-01", used: 1 },
    ]);
  });

  test("are counted for each user", () => {
    meters.countRequest("u", 9);
    expect(meters.requests("v")).toBe(0);
  });
});

describe("sends and credits", () => {
  test("any sequence stays within the limit and adds up", () => {
    fc.assert(
      fc.property(fc.nat(20), fc.array(fc.integer({ min: 1, max: 5 })), (limit, amounts) => {
        const user = crypto.randomUUID();
        let used = 0;
        for (const amount of amounts) {
          const fits = used + amount <= limit;
          expect(meters.spend("sends", user, amount, limit)).toBe(fits);
          if (fits) used += amount;
        }
        expect(meters.used("sends", user)).toBe(used);
      }),
      { numRuns: 30 },
    );
  });

  test("without a limit are only counted", () => {
    for (let i = 0; i < 3; i++) expect(meters.spend("ai_credits", "u", 3, null)).toBe(true);
    expect(meters.used("ai_credits", "u")).toBe(9);
  });

  test("sends reset with the day, credits with the month", () => {
    meters.spend("sends", "u", 1, null);
    meters.spend("ai_credits", "u", 1, null);
    clock.set("2026-02-27T00:00:00Z");
    expect([meters.used("sends", "u"), meters.used("ai_credits", "u")]).toEqual([0, 1]);
    clock.set("2026-03-01T00:00:00Z");
    expect([meters.used("sends", "u"), meters.used("ai_credits", "u")]).toEqual([0, 0]);
  });

  test("roll back with the transaction that they are part of", () => {
    expect(() =>
      db.write(() => {
        meters.spend("sends", "u", 1, 5);
        throw new Error("no");
      }),
    ).toThrow();
    expect(meters.used("sends", "u")).toBe(0);
  });

  test("can be refunded, but not below zero", () => {
    meters.spend("sends", "u", 2, 5);
    meters.refund("sends", "u", 1);
    expect(meters.used("sends", "u")).toBe(1);
    meters.refund("sends", "u", 9);
    expect(meters.used("sends", "u")).toBe(0);
  });
});

test("limits depend on the plan, and those of a team on its seats", () => {
  expect(meters.limits({ plan: "free" }).requests_per_day).toBe(0);
  expect(meters.limits({ plan: "pro" })).toEqual({
    requests_per_day: 5_000,
    sends_per_day: 200,
    webhook_endpoints: 2,
    ai_credits_per_month: 300,
  });
  expect(meters.limits({ plan: "team", seats: 3 })).toMatchObject({ requests_per_day: 30, webhook_endpoints: 20 });
});

test("prune deletes past days, and keeps months", () => {
  meters.spend("sends", "u", 1, null);
  meters.spend("ai_credits", "u", 1, null);
  clock.set("2026-03-15T12:00:00Z");
  meters.spend("sends", "u", 1, null);
  meters.spend("ai_credits", "u", 1, null);
  expect(meters.prune(clock.now())).toBe(1);
  expect([meters.used("sends", "u"), meters.used("ai_credits", "u")]).toEqual([1, 1]);
});
