import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { ApiError, UserError } from "../kernel/errors.ts";
import { errorSentence, faultReport } from "./failures.ts";

const thrown = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return error;
  }
};

describe("a failure that the user can fix is reported in one sentence", () => {
  test.each<[string, unknown, string]>([
    ["a mistake", new UserError("Do this."), "Do this."],
    ["an error of a service", new ApiError("not_found", "No such thread."), "No such thread."],
    [
      "a missing folder",
      thrown(() => mkdirSync("/proc/none/there")),
      "/proc/none/there: there is no such file or folder.",
    ],
    ["a closed database", thrown(() => new Database("/proc/none/there.db")), "The database cannot be opened"],
    ["a port in use", Object.assign(new Error("x"), { code: "EADDRINUSE" }), "choose another port with --port"],
    ["an extended code", Object.assign(new Error("x"), { code: "SQLITE_CORRUPT_INDEX" }), "restore it from a backup"],
  ])("%s", (_name, error, words) => {
    expect(errorSentence(error)).toContain(words);
  });
});

describe("a bug", () => {
  const fault = new RangeError("subject was: secret plans");

  test("has no sentence", () => {
    for (const error of [fault, "text", null, Object.assign(new Error("x"), { code: "EODD" })])
      expect(errorSentence(error)).toBeNull();
  });

  test("is reported with its kind and place, and with its message only when debugging", () => {
    expect(faultReport(fault, false)).toContain("RangeError");
    expect(faultReport(fault, false)).toContain("failures.test.ts");
    expect(faultReport(fault, false)).not.toContain("secret plans");
    expect(faultReport(fault, true)).toContain("secret plans");
    expect(faultReport("secret plans", false)).not.toContain("secret plans");
  });
});
