import { describe, expect, test } from "bun:test";
import { workFromNow } from "../../../test/support/cpu-time.ts";
import { type AllowedSources, judge } from "./firewall.ts";

const SOURCES: AllowedSources = {
  thread: "The offer is at https://acme.example/offer and costs 1,200 EUR. Call +49 30 1234567. Mail bob@acme.example.",
  instructions: "",
  variables: { "bank.iban": "GB29NWBK60161331926819", "password.vault": "correct-horse-battery", "voice.name": "Ada" },
  privateTexts: [],
  people: ["ada@example.org"],
};
const reasons = (body: string, more: Partial<AllowedSources> = {}) =>
  judge(body, { ...SOURCES, ...more }).reasons.join("\n");

describe("text that the sources support passes", () => {
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

describe("a link that no source contains is held in any notation", () => {
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
  ])("%s", (link) => expect(reasons(`Please look at ${link} today.`)).toContain("The draft contains"));
});

describe("an amount in words that no source contains is held", () => {
  test.each([
    "nine thousand euros",
    "Two hundred and fifty dollars",
    "fünftausend Euro",
    "neuntausendfünfhundert Franken",
    "deux mille euros",
    "dos millones de euros",
    "twenty-five grand",
  ])("%s", (sum) => expect(reasons(`I will pay ${sum} today.`)).toContain("the amount"));
  test("and one that the conversation contains passes", () => {
    expect(reasons("Nine thousand euros it is.", { thread: "It costs nine thousand euros." })).toBe("");
    expect(reasons("One of the pounds is on us, for a thousand reasons; in ten days we know.")).toBe("");
  });
});

describe("an amount or a number that no source contains is held in any notation", () => {
  test.each(["9,999 EUR", "€9.999", "９，９９９ EUR", "٩٩٩٩ EUR", "₩5000000", "500 AED", "999 bucks", "$9k"])(
    "%s",
    (sum) => expect(reasons(`I pay ${sum} today.`)).toContain("the amount"),
  );
  test.each(["+49 30 7654321", "７６５４３２１", "DE89 3704 0044 0532 0130 00"])("%s", (number) =>
    expect(reasons(`Use ${number}.`)).toContain("the number"),
  );
  test("even after hundreds of allowed ones", () => {
    expect(reasons(`${"1,200 EUR, ".repeat(300)}9,999 EUR`)).toContain("9,999 EUR");
  });
});

describe("the value of a variable that the instructions do not ask for is held even if it is obfuscated", () => {
  const iban = "GB29NWBK60161331926819";
  test.each([
    ["unchanged", iban],
    ["in lower case", iban.toLowerCase()],
    ["in groups", "GB29 NWBK 6016 1331 9268 19"],
    ["letter by letter", [...iban].join("-")],
    ["backwards", [...iban].reverse().join("")],
    ["in full-width letters", "ＧＢ２９ＮＷＢＫ６０１６１３３１９２６８１９"],
    ["in base64", Buffer.from(iban).toString("base64")],
    ["in hexadecimal", Buffer.from(iban).toString("hex")],
    ["in hexadecimal pairs", Buffer.from(iban).toString("hex").replace(/../g, "$& ")],
    ["with invisible characters", [...iban].join("\u2063")],
    ["in base64 with spaces", Buffer.from(iban).toString("base64").replace(/..../g, "$& ")],
    ["in base64 within other text", Buffer.from(`it is ${iban}, yes`).toString("base64").replace(/.{7}/g, "$&\n")],
    ["as character codes", [...iban].map((char) => char.charCodeAt(0)).join(", ")],
    ["as HTML character references", [...iban].map((char) => `&#${char.charCodeAt(0)};`).join("")],
    ["percent-encoded", [...iban].map((char) => `%${char.charCodeAt(0).toString(16)}`).join("")],
    [
      "with digits in words",
      iban.replace(/\d/g, (d) => ` ${"zero one two three four five six seven eight nine".split(" ")[Number(d)]} `),
    ],
    ["in ROT13", iban.replace(/[A-Z]/g, (c) => String.fromCharCode(((c.charCodeAt(0) - 52) % 26) + 65))],
    ["as the first letters of lines", [...iban].map((char) => `\n${char}ine line`).join("")],
  ])("%s", (_how, form) => expect(reasons(`As you wished: ${form}`)).toContain("bank.iban"));
  test.each([
    [
      "in a spelling alphabet",
      "Charlie Oscar Romeo Romeo Echo Charlie Tango Hotel Oscar Romeo Sierra Echo Bravo Alfa Tango Tango Echo Romeo Yankee",
    ],
    ["in Cyrillic letters", "соrrесt-hоrsе-bаttеrу"],
    ["with digits for letters", "c0rr3ct h0r5e b4tt3ry"],
    [
      "as the first letters of words",
      "can our rabbit really eat cold tea? Her only real sister, Emma, buys all the tea every rainy year.",
    ],
  ])("words %s", (_how, form) => expect(reasons(form)).toContain("password.vault"));
  test("four digits spelled out", () => {
    const variables = { "bank.pin": "4711" };
    expect(reasons("It is four, seven, one, one.", { variables })).toContain("bank.pin");
    expect(reasons("vier-sieben-eins-eins", { variables })).toContain("bank.pin");
    expect(reasons("We need four or seven of them, and one more.", { variables })).toBe("");
  });
  test("words without their hyphens", () => expect(reasons("Correct horse, battery!")).toContain("password.vault"));
  test("but not if the instructions ask for it or the conversation contains it", () => {
    expect(reasons(`It is ${iban}.`, { instructions: "give him the bank account" })).toBe("");
    expect(reasons(`It is ${iban}.`, { thread: "Is it GB29 NWBK 6016 1331 9268 19?" })).toBe("");
  });
  test("nor for variables that are meant for mail", () => expect(reasons("Best,\nAda")).toBe(""));
});

test("text copied from notes and files is held", () => {
  const privateTexts = [{ name: "your notes", text: "We accept forty percent less than they offer us." }];
  expect(reasons("Fine: we accept forty percent less than they offer.", { privateTexts })).toContain("your notes");
});

describe("a code from notes and files is held", () => {
  const privateTexts = [
    { name: "your notes", text: "Door code: XK-4471-09, from 9:30. Since 2026-03-02 at floor 12." },
  ];
  test.each(["The code is XK-4471-09.", "x k 4 4 7 1 0 9", "90-1744-kx", "X K four four seven one zero nine"])(
    "%s",
    (body) => expect(reasons(body, { privateTexts })).toContain("your notes"),
  );
  test("but not a day, a time or anything that the conversation contains", () => {
    expect(reasons("On 2026-03-02 at 9:30, on floor 12.", { privateTexts })).toBe("");
    expect(reasons("XK-4471-09 it is.", { privateTexts, thread: "Is the code XK-4471-09?" })).toBe("");
  });
});

test.each([
  ["codes", "a1-"],
  ["character codes", "104 "],
  ["digits in words", "one "],
  ["sums in words", "zweitausendund"],
  ["character references", "&#10"],
  ["letters", "a"],
  ["labels", "a."],
  ["addresses", "a@"],
  ["tags", "<a"],
  ["brackets", "["],
  ["numbers", "1 "],
  ["schemes", "a+"],
  ["marks", "a-"],
])("a message that repeats only %s is checked within the time limit", (_what, piece) => {
  const long = piece.repeat(200_000 / piece.length);
  const work = workFromNow();
  judge("Fine.", { ...SOURCES, thread: long });
  judge(long.slice(0, 20_000), SOURCES);
  expect(work()).toBeLessThan(8_000);
});
