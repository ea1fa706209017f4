import { beforeEach, expect, test } from "bun:test";
import { ManualClock } from "../clock.ts";
import { createLog, type Log } from "../log.ts";
import { repeatedly, whenDiskSpaceIsFree } from "./repeat.ts";

let clock: ManualClock;
let lines: string[];
let log: Log;
beforeEach(() => {
  clock = new ManualClock();
  lines = [];
  log = createLog({ level: "info", format: "json", clock, write: (line) => lines.push(line) });
});

const full = () => Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" });

test("a failing run is logged, and does not end the repetition", () => {
  let looks = 0;
  const stop = repeatedly({ clock, log }, 1_000, "nothing was seen", () => {
    if (++looks % 2 === 1) throw full();
  });
  clock.advance(3_500);
  expect(looks).toBe(4);
  expect(lines.filter((line) => line.includes("nothing was seen"))).toHaveLength(2);
  stop();
  clock.advance(10_000);
  expect(looks).toBe(4);
});

test("a run can stop the repetition", () => {
  let looks = 0;
  const stop = repeatedly({ clock, log }, 1_000, "nothing was seen", () => {
    if (++looks === 2) stop();
  });
  clock.advance(10_000);
  expect(looks).toBe(2);
});

test("work that a full disk prevented is done once when there is space", () => {
  let hasSpace = false;
  let done = 0;
  whenDiskSpaceIsFree({ clock, log }, "it has to wait", () => {
    if (!hasSpace) throw full();
    done++;
  });
  clock.advance(20_000);
  expect([done, lines.length > 0]).toEqual([0, true]);
  hasSpace = true;
  clock.advance(60_000);
  expect(done).toBe(1);
});

test("any other error is thrown to the caller", () => {
  const act = () => {
    throw new Error("an internal error");
  };
  expect(() => whenDiskSpaceIsFree({ clock, log }, "it has to wait", act)).toThrow("an internal error");
});
