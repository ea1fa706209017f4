import { expect, test } from "bun:test";
import { isWorthPublishing, pageOf, type Result, withoutSamples } from "./results.ts";

const record = {
  at: "2026-11-21T16:00:00.000Z",
  commit: "abc1234",
  machine: { cpu: "Some Processor", cores: 2, memory_bytes: 25e9, versions: {} },
  form: "full",
};
const campaign: Result = {
  ...record,
  name: "kill-sync",
  seed: 7,
  ms: 61_000,
  result: { figures: { kills: 50 }, misses: ["a | b"] },
};

test("short runs, skipped ones and those of an unknown commit are not published", () => {
  expect(isWorthPublishing(campaign)).toBe(true);
  expect(isWorthPublishing({ ...campaign, form: "short" })).toBe(false);
  expect(isWorthPublishing({ ...campaign, form: "3 minutes" })).toBe(false);
  expect(isWorthPublishing({ ...campaign, commit: "unknown" })).toBe(false);
  expect(isWorthPublishing({ ...campaign, result: { skipped: "no Dovecot" } })).toBe(false);
  expect(isWorthPublishing({ ...record, name: "sync", skipped: "no Dovecot" })).toBe(false);
});

test("long lists of single measurements are replaced by their length", () => {
  const many = Array.from({ length: 21 }, (_, i) => i);
  expect(withoutSamples({ a: many, b: [1, 2], c: [{ d: many }] })).toEqual({
    a: "21 measurements",
    b: [1, 2],
    c: [{ d: "21 measurements" }],
  });
});

test("the page has a row for each campaign and a table for each benchmark, with missed targets", () => {
  const bench: Result = {
    ...record,
    name: "sync",
    form: "2 turns",
    steal_percent: 0.5,
    text: "ours 1\n",
    misses: ["peak memory: 400 instead of at most 350 MB"],
  };
  const page = pageOf([
    { group: "bench", results: [bench] },
    { group: "faults", results: [campaign] },
    { group: "soak", results: [] },
  ]);
  expect(page).toContain("| kill-sync | full | 2026-11-21 16:00 UTC, abc1234 | 7 | 61 s | kills 50 | 1: a / b |");
  expect(page).toContain("2026-11-21 16:00 UTC, abc1234, 2 turns, steal 0.5%.");
  expect(page).toContain("```\nours 1\n```");
  expect(page).toContain("- peak memory: 400 instead of at most 350 MB");
  expect(page).not.toContain("soak");
});
