import { expect, test } from "bun:test";
import { tableOf } from "./table.ts";

test("columns are as wide as their longest cell appears in a terminal", () => {
  const rows = [
    { name: "Ada", mail: 12, last: null },
    { name: "日本語", mail: 3, last: "2026-03-02" },
  ];
  expect(tableOf(rows).split("\n")).toEqual(["name    mail  last", "Ada     12    -", "日本語  3     2026-03-02"]);
});

test("text from a mail server cannot move the cursor or add a line", () => {
  expect(tableOf([{ error: "no\r\n\u001b[2Jyes" }])).toBe("error\nno [2Jyes");
  expect(tableOf([{ subject: "gpj.\u202eexe" }])).toBe("subject\ngpj. exe");
});
