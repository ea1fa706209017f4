import { expect, test } from "bun:test";
import { inCopy } from "./raw-copies.ts";

test("a copy refers only to messages of the same copy", () => {
  const head = [
    "Message-ID: <c@example.org>",
    "References: <a@example.org> <b@example.org>",
    "\t<b2@example.org>",
    "In-Reply-To: <b2@example.org>",
    "Subject: Lunch",
    "From: Ann <ann@example.org>",
  ];
  const text = "See <a@example.org>\r\n";
  const copied = inCopy([...head, "", text].join("\r\n"), 7).split("\r\n");
  expect(copied).toEqual([
    "Message-ID: <7.c@example.org>",
    "References: <7.a@example.org> <7.b@example.org>",
    "\t<7.b2@example.org>",
    "In-Reply-To: <7.b2@example.org>",
    "Subject: Lunch 7",
    "From: Ann <ann@example.org>",
    "",
    "See <a@example.org>",
    "",
  ]);
});
