import { expect, test } from "bun:test";
import { units } from "./line-proxy.ts";

test("an answer falls into lines, each with its literals", () => {
  const text = "* 1 FETCH (BODY[] {9}\r\na\r\nb\r\nc\r\n X {2}\r\nhi)\r\n* 2 EXISTS\r\nA1 OK done\r\nhalf";
  const parts = units(Buffer.from(text)).map(String);
  expect(parts).toEqual([
    "* 1 FETCH (BODY[] {9}\r\na\r\nb\r\nc\r\n X {2}\r\nhi)\r\n",
    "* 2 EXISTS\r\n",
    "A1 OK done\r\n",
    "half",
  ]);
  expect(parts.join("")).toBe(text);
});
