import { describe, expect, test } from "bun:test";
import type { ConversationMessage } from "../../mailbox/queries/conversations.ts";
import { locate } from "./evidence.ts";

const BODY = "Hi Ada,\n\nthe lease ends on\n30 June 2026. We pay (as agreed) 1,450 EUR.\n\nBob";
const message = {
  id: "msg_1",
  thread_id: "thr_1",
  text: () => ({ text: BODY, body_text: BODY, new_text: BODY }),
} as ConversationMessage;

describe("a quote is found", () => {
  test.each([
    ["word for word", "We pay (as agreed) 1,450 EUR.", "We pay (as agreed) 1,450 EUR."],
    ["across a line break", "the lease ends on 30 June 2026.", "the lease ends on\n30 June 2026."],
    ["in quotation marks", "“We pay (as agreed)”", "We pay (as agreed)"],
  ])("%s", (_how, quote, stored) => {
    const found = locate(message, quote)!;
    expect(found.quote).toBe(stored);
    expect(BODY.slice(found.start, found.end)).toBe(stored);
  });
});

describe("a quote is not found if it is", () => {
  test.each([
    ["in another case", "We PAY (as agreed) 1,450 EUR."],
    ["another case", "We PAY (as agreed) 1,450 EUR."],
    ["a look-alike letter", "the leаse ends on 30 June 2026."],
    ["missing a word", "the lease on 30 June 2026."],
    ["an ellipsis", "the lease … 30 June 2026."],
    ["two passages joined", "30 June 2026. 1,450 EUR."],
    ["a pattern", "the .* on\\s+30 June 2026"],
    ["a fragment", "Bob"],
    ["empty", "  "],
    ["extremely long", "the lease ".repeat(500_000)],
  ])("%s", (_what, quote) => expect(locate(message, quote)).toBeNull());
});
