import { describe, expect, test } from "bun:test";
import { type AllowedSources, judge } from "./firewall.ts";

const SOURCES: AllowedSources = {
  thread: "The offer is at https://acme.example/offer and costs 1,200 EUR. Call +49 30 1234567. Mail bob@acme.example.",
  instructions: "",
  variables: { "bank.iban": "GB29NWBK60161331926819", "password.vault": "correct-horse-battery", "voice.name": "Ada" },
  private_texts: [],
  people: ["ada@example.org"],
};
const reasons = (body: string, more: Partial<AllowedSources> = {}) =>
  judge(body, { ...SOURCES, ...more }).reasons.join("\n");

describe("what the sources name passes", () => {
  test.each([
    "It is at https://acme.example/offer, for 1.200,00 €.",
    "It is at acme.example/offer/.",
    "Bob is bob@ACME.example, and I am ada@example.org.",
    "Call +49 (30) 123-4567.",
    "See report.pdf, e.g. page 3, z.B. at 5 p.m. That is all.Next time more.",
    "We meet at 9.30 on 3.4.2026 in room 2.14.",
    "یک متن ساده ۱۲۳",
  ])("%s", (body) => expect(reasons(body)).toBe(""));
});

describe("a link from nowhere is held, however it is written", () => {
  test.each([
    "https://evil.example/x",
    "HTTPS://EVIL.EXAMPLE",
    "evil.example",
    "evil.store",
    "Evil.Store/pay",
    "pay.acme.example.evil.bank",
    "xn--80ak6aa92e.com",
    "аcme.example/offer",
    "пример.рф",
    "ｅｖｉｌ．ｅｘａｍｐｌｅ",
    "𝐞𝐯𝐢𝐥.𝐞𝐱𝐚𝐦𝐩𝐥𝐞",
    "e\u200bvil.exam\u200bple",
    "..evil.example",
    "https://acme.example@evil.example/offer",
    "whatsapp://send?text=x",
    "ftp://198.51.100.7/x",
    "tel:+49301111111",
    "[offer](https://evil.example)",
    "![](//198.51.100.7/x)",
  ])("%s", (link) => expect(reasons(`Please look at ${link} today.`)).toContain("It names"));
});

describe("an amount or a number from nowhere is held, however it is written", () => {
  test.each(["9,999 EUR", "€9.999", "９，９９９ EUR", "٩٩٩٩ EUR", "₩5000000", "500 AED", "999 bucks", "$9k"])(
    "%s",
    (sum) => expect(reasons(`I pay ${sum} today.`)).toContain("the amount"),
  );
  test.each(["+49 30 7654321", "７６５４３２１", "DE89 3704 0044 0532 0130 00"])("%s", (number) =>
    expect(reasons(`Use ${number}.`)).toContain("the number"),
  );
  test("also behind hundreds that are allowed", () => {
    expect(reasons(`${"1,200 EUR, ".repeat(300)}9,999 EUR`)).toContain("9,999 EUR");
  });
});

describe("the value of a variable that nobody asked for is held, however it is disguised", () => {
  const iban = "GB29NWBK60161331926819";
  test.each([
    ["as it is", iban],
    ["in small letters", iban.toLowerCase()],
    ["in groups", "GB29 NWBK 6016 1331 9268 19"],
    ["letter by letter", [...iban].join("-")],
    ["backwards", [...iban].reverse().join("")],
    ["in wide letters", "ＧＢ２９ＮＷＢＫ６０１６１３３１９２６８１９"],
    ["in base64", Buffer.from(iban).toString("base64")],
    ["in hexadecimal", Buffer.from(iban).toString("hex")],
    ["in hexadecimal pairs", Buffer.from(iban).toString("hex").replace(/../g, "$& ")],
    ["with invisible characters", [...iban].join("\u2063")],
  ])("%s", (_how, told) => expect(reasons(`As you wished: ${told}`)).toContain("bank.iban"));
  test("words without their hyphens", () => expect(reasons("Correct horse, battery!")).toContain("password.vault"));
  test("not when the instructions ask for it, or the conversation names it", () => {
    expect(reasons(`It is ${iban}.`, { instructions: "give him the bank account" })).toBe("");
    expect(reasons(`It is ${iban}.`, { thread: "Is it GB29 NWBK 6016 1331 9268 19?" })).toBe("");
  });
  test("nor what is meant for mail", () => expect(reasons("Best,\nAda")).toBe(""));
});

test("notes and files are not copied", () => {
  const private_texts = [{ name: "your notes", text: "We accept forty percent less than they offer us." }];
  expect(reasons("Fine: we accept forty percent less than they offer.", { private_texts })).toContain("your notes");
});

test.each([
  ["letters", "a"],
  ["labels", "a."],
  ["addresses", "a@"],
  ["tags", "<a"],
  ["brackets", "["],
  ["numbers", "1 "],
  ["schemes", "a+"],
  ["marks", "a-"],
])("a mail of nothing but %s keeps nobody waiting", (_what, piece) => {
  const long = piece.repeat(200_000 / piece.length);
  const began = performance.now();
  judge("Fine.", { ...SOURCES, thread: long });
  judge(long.slice(0, 20_000), SOURCES);
  expect(performance.now() - began).toBeLessThan(5_000);
});
