import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { judged, missesOf, shortNumber } from "./figures.ts";
import { boundText } from "./goals.ts";
import { goalsTable, lastRuns, type Recorded } from "./goals-table.ts";

const run = { at: "2026-11-27T10:00:00.000Z", commit: "abc1234", form: "full", steal_percent: 1.25 };
const send: Recorded = {
  ...run,
  name: "send",
  figures: judged("send", [
    { key: "send_p99", value: 9.72 },
    { key: "near", value: 2.6, peer: "3.7 ms" },
  ]),
};
const lineWith = (text: string, part: string) => text.split("\n").find((line) => line.includes(part));

test("a figure is judged by its bound, one without a bound is not, and an unknown one misses", () => {
  const figures = judged("sync", [
    { key: "peak", value: 350 },
    { key: "against_mu", value: 1.4 },
    { key: "cpu", value: 10 },
  ]);
  expect(figures.map(({ met }) => met)).toEqual([true, false, null]);
  expect(missesOf(figures)).toEqual([
    "first sync of the corpus, against mbsync + mu: 1.4 × as fast instead of ≥ 1.5 × as fast",
  ]);
  expect(judged("sync", [{ key: "peak", value: Number.NaN }])[0]!.met).toBe(false);
});

test("the table shows each figure with its peer, goal, verdict, date, commit and steal, and what was not measured", () => {
  const table = goalsTable([send]);
  expect(lineWith(table, "dispatch to a server on this machine")?.split(/ {2,}/)).toEqual([
    "send: dispatch to a server on this machine",
    "2.6 × nodemailer",
    "3.7 ms",
    "≤ 1.5 × nodemailer",
    "MISSED",
    "2026-11-27",
    "abc1234",
    "1.3%",
  ]);
  expect(lineWith(table, "POST /messages/send")).toContain(" met ");
  expect(lineWith(table, "20 ms away")).toContain("not measured");
  expect(table).toContain("goals: 1 met, 1 missed, ");
});

test("an old figure is judged by the goal of today, and a figure that has no goal any more is left out", () => {
  const [first] = send.figures!;
  const old = {
    ...send,
    figures: [
      { ...first!, goal: "≤ 5 ms", met: false },
      { ...first!, key: "gone", name: "gone" },
    ],
  };
  const table = goalsTable([old]);
  expect(lineWith(table, "POST /messages/send")).toContain("≤ 15 ms  met");
  expect(table).not.toContain("gone");
});

test("the soak is in the table with its length, an hour and six hours as two rows", () => {
  const soak = (name: string, minutes: number, slope: number) => ({
    ...run,
    name,
    result: { figures: { minutes, memory_slope_mb_per_hour: slope, memory_mb: 300 } },
  });
  const table = goalsTable([soak("soak", 60, 12), soak("soak-hours-6", 360, 25)]);
  expect(lineWith(table, "steady load: 60 minutes")).toContain(" met ");
  expect(lineWith(table, "steady load: 6 hours")).toContain("MISSED");
});

test("a complete run hides a short one, a short one is named, and published runs fill the gaps", () => {
  const [here, published] = [0, 1].map(() => mkdtempSync(join(tmpdir(), "postroom-goals-")));
  const write = (folder: string, file: string, of: Partial<Recorded>) =>
    writeFileSync(join(folder, file), JSON.stringify({ ...run, ...of }));
  try {
    const figures = send.figures!;
    write(here!, "send-short.json", { name: "send", form: "short", commit: "short", figures });
    write(here!, "sync-short.json", { name: "sync", form: "short", commit: "alone", figures });
    write(here!, "ai.json", { name: "ai", commit: "before figures" });
    write(published!, "send.json", { name: "send", commit: "published", figures });
    const runs = lastRuns([here!, published!, join(here!, "absent")]);
    expect(runs.map(({ name, commit }) => [name, commit]).sort()).toEqual([
      ["send", "published"],
      ["sync", "alone"],
    ]);
    const short = goalsTable([{ ...send, form: "short" }]);
    expect(lineWith(short, "POST /messages/send")).toContain("(met)  2026-11-27 (in part)");
    expect(short).toContain("goals: 0 met, 0 missed, 2 measured in part, ");
  } finally {
    for (const folder of [here!, published!]) rmSync(folder, { recursive: true });
  }
});

test("numbers have four digits at most, and bounds their sign", () => {
  expect([0.286412, 11.06, 4010.4, 350].map(shortNumber)).toEqual(["0.2864", "11.06", "4010", "350"]);
  expect(boundText({ work: "", unit: "MB", atMost: 350 })).toBe("≤ 350 MB");
  expect(boundText({ work: "", unit: "", atLeast: 1 })).toBe("≥ 1");
  expect(boundText({ work: "", unit: "s" })).toBe("");
});
