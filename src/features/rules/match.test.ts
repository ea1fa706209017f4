import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { MessageEnvelope } from "../../mailbox/store/envelope.ts";
import { type Condition, FIELD_NAMES, FIELDS, OPS, WORD_OPS } from "./allowed.ts";
import { compile, type Facts } from "./match.ts";

const head: MessageEnvelope = {
  subject: "Invoice Nr. 1042, Größe M",
  from: { name: "Maya Costa", email: "Maya@Harbourline.example" },
  reply_to: [],
  to: [
    { name: "Ada", email: "ada@example.org" },
    { name: "", email: "team@example.org" },
  ],
  cc: [],
  bcc: [],
  date: null,
  snippet: "",
  message_id: null,
  in_reply_to: [],
  references: [],
  list_id: "Dev list <dev.lists.example>",
};
let opened = 0;
const facts: Facts = {
  head,
  body: () => {
    opened++;
    return "Please pay 30 EUR.";
  },
  has_attachment: true,
  account_id: "acc_1",
  category: "updates",
};
const holds = (...conditions: [string, string, string][]) =>
  compile(
    "inbox",
    conditions.map(([field, op, value]) => ({ field, op, value }) as Condition),
  )({ ...facts });

describe("conditions", () => {
  test.each([
    ["from", "equals", "maya@harbourline.example", true],
    ["from", "equals", "Maya Costa", true],
    ["from", "equals", "Maya Costa <maya@harbourline.example>", true],
    ["from", "contains", "COSTA", true],
    ["from", "equals", "maya", false],
    ["from", "not_equals", "bob@x.example", true],
    ["from_domain", "equals", "harbourline.example", true],
    ["from_domain", "equals", "@Harbourline.Example", true],
    ["from_domain", "equals", "line.example", false],
    ["from_domain", "ends_with", ".example", true],
    ["to", "equals", "team@example.org", true],
    ["to", "not_equals", "team@example.org", false],
    ["to", "not_contains", "bob", true],
    ["cc", "exists", "true", false],
    ["cc", "exists", "false", true],
    ["cc", "not_contains", "anybody", true],
    ["cc", "contains", "anybody", false],
    ["subject", "contains", "GRÖSSE", false],
    ["subject", "contains", "größe", true],
    ["subject", "contains", "gro\u0308ße", true],
    ["subject", "starts_with", "invoice", true],
    ["subject", "ends_with", "m", true],
    ["body", "contains", "30 eur", true],
    ["body", "not_contains", "refund", true],
    ["list_id", "contains", "dev.lists.example", true],
    ["list_id", "exists", "true", true],
    ["has_attachment", "equals", "true", true],
    ["has_attachment", "not_equals", "true", false],
    ["account_id", "equals", "acc_1", true],
    ["category", "equals", "updates", true],
    ["category", "not_equals", "primary", true],
  ])("%s %s %s: %p", (field, op, value, expected) => {
    expect(holds([field, op, value])).toBe(expected);
  });

  test("all conditions must hold, and a body is decrypted only when all others do", () => {
    opened = 0;
    expect(holds(["body", "contains", "pay"], ["subject", "contains", "nothing"])).toBe(false);
    expect(opened).toBe(0);
    expect(holds(["body", "contains", "pay"], ["subject", "contains", "invoice"])).toBe(true);
    expect(opened).toBe(1);
  });

  test("an operator and its negation never agree, for any value", () => {
    const field = fc.constantFrom(...FIELD_NAMES);
    fc.assert(
      fc.property(field, fc.constantFrom("equals", "contains"), fc.string({ minLength: 1 }), (field, op, value) => {
        const ops = FIELDS[field] === "word" ? WORD_OPS : OPS;
        if (!(ops as readonly string[]).includes(op)) return;
        expect(holds([field, op, value])).toBe(!holds([field, `not_${op}`, value]));
      }),
    );
  });
});

describe("sender trust", () => {
  const by = (kind: "inbox" | "agent", from: MessageEnvelope["from"], field: string, value: string) =>
    compile(kind, [{ field, op: "equals", value } as Condition])({ ...facts, head: { ...head, from } });

  test("a name that looks like an address gives no authority, but inbox rules can match it", () => {
    const stranger = { name: "maya@harbourline.example", email: "x@evil.example" };
    expect(by("agent", stranger, "from", "maya@harbourline.example")).toBe(false);
    expect(by("inbox", stranger, "from", "maya@harbourline.example")).toBe(true);
    expect(by("agent", head.from, "from", "maya@harbourline.example")).toBe(true);
  });

  test("the domain is the text after the last @", () => {
    const stranger = { name: "", email: '"x@harbourline.example"@evil.example' };
    expect(by("agent", stranger, "from_domain", "evil.example")).toBe(true);
    const odd = { name: "", email: "x@harbourline.example@evil.example" };
    expect(by("agent", odd, "from_domain", "harbourline.example")).toBe(false);
  });
});
