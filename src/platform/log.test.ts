import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { ManualClock } from "./clock.ts";
import { createLog, errorFields, type LogLevel } from "./log.ts";

function capture(level: LogLevel, format: "text" | "json") {
  const lines: string[] = [];
  const clock = new ManualClock("2026-03-02T09:00:00Z");
  return { lines, log: createLog({ level, format, clock, write: (line) => lines.push(line) }) };
}

test("a level includes itself and more severe levels", () => {
  const { lines, log } = capture("warn", "text");
  log.debug("one");
  log.info("two");
  log.warn("three");
  log.error("four");
  expect(lines).toEqual(["2026-03-02T09:00:00.000Z warn  three", "2026-03-02T09:00:00.000Z error four"]);
});

test("in text format, fields follow the message and are quoted if they would be ambiguous", () => {
  const { lines, log } = capture("info", "text");
  log
    .with({ account: "acc_1" })
    .info("synced", { messages: 3, reason: "it said: no", odd: 'a"b', none: undefined, nil: null, e: "" });
  expect(lines[0]).toBe(
    '2026-03-02T09:00:00.000Z info  synced account=acc_1 messages=3 reason="it said: no" odd="a\\"b" nil=null e=""',
  );
});

test("a value cannot write a second line or a control character to a terminal", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (value) => {
      const { lines, log } = capture("info", "text");
      log.info("message", { value });
      expect(lines.join("")).not.toMatch(/[\u0000-\u001f\u007f]/);
    }),
  );
});

test("in JSON format, each line is an object", () => {
  const { lines, log } = capture("debug", "json");
  log.with({ kind: "mirror" }).debug("job done", { attempt: 2 });
  expect(JSON.parse(lines[0]!)).toEqual({
    time: "2026-03-02T09:00:00.000Z",
    level: "debug",
    message: "job done",
    kind: "mirror",
    attempt: 2,
  });
});

describe("an unknown error", () => {
  const secret = "LOGIN ada hunter2 failed";
  const error = Object.assign(new TypeError(secret), { code: "ECONNRESET" });

  test("is logged with its kind, code and frames, never with its message", () => {
    const { lines, log } = capture("info", "json");
    log.error("it failed", errorFields(error));
    expect(lines[0]).not.toContain("hunter2");
    expect(JSON.parse(lines[0]!)).toMatchObject({ error: "TypeError", code: "ECONNRESET" });
    expect(JSON.parse(lines[0]!).frames).toContain("log.test.ts");
  });

  test("is logged with its message only on request", () => {
    expect(errorFields(error, true).detail).toBe(secret);
  });

  test("with a message of several lines has none of them in the frames", () => {
    const { frames } = errorFields(new Error("one\nhunter2\n  at heart a secret"));
    expect(frames).not.toContain("hunter2");
    expect(frames).not.toContain("heart");
  });

  test("that is not an error object is logged with its type only", () => {
    expect(errorFields("hunter2")).toEqual({ error: "string" });
  });
});
