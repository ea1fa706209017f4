import { expect, test } from "bun:test";
import fc from "fast-check";
import { guessLanguage } from "./language.ts";
import { LONGEST_TOKEN, tokenize } from "./tokens.ts";

const CASES: [text: string, words: string][] = [
  ["Straße, CAFÉ, Ångström ﬁne ＡＢＣ", "strasse cafe angstrom fine abc"],
  ["ada.lovelace@Example.ORG", "ada lovelace example org"],
  ["ORD-2024/0042 inv2024 10kg 3.5 GHz", "ord 2024 0042 inv 2024 10 kg 3 5 ghz"],
  ["1,299.00 € 1.299,00 € 12,34 192.168.100.200", "1299 00 1299 00 12 34 192 168 100 200"],
  ["1Z999AA10123456784", "1z999aa10123456784"],
  ["東京で会議", "東京 で 会議"],
  ["การประชุม", "การ ประชุม"],
  ["شُكْرًا שָׁלוֹם", "شكرا שלום"],
  ["Ёлка ΟΔΟΣ", "елка οδοσ"],
  ["a_b—c…d", "a b c d"],
  ["x".repeat(100), "x".repeat(64)],
  // The first 64 code units, without half of a letter.
  ["𐐨".repeat(40), "𐐨".repeat(32)],
  [`x${"𐐨".repeat(40)}`, `x${"𐐨".repeat(31)}`],
  ["", ""],
];

test.each(CASES)("%p has the words %p", (text, words) => {
  expect(tokenize(text).join(" ")).toBe(words);
});

test("tokens contain only letters, marks and digits, for any text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
      for (const token of tokenize(text)) {
        expect(token).toMatch(/^[\p{L}\p{M}\p{N}]{1,64}$/u);
        expect(token.length).toBeLessThanOrEqual(LONGEST_TOKEN);
      }
    }),
  );
});

test("languages are recognized by their script and function words", () => {
  const texts: Record<string, string> = {
    en: "Please find the invoice that you have asked for.",
    de: "Die Rechnung ist noch nicht bezahlt und wir bitten Sie um Nachricht.",
    fr: "Je vous prie de trouver ci-joint les documents pour notre réunion.",
    es: "Hola, te envío los documentos que me pediste para la reunión.",
    ja: "明日の会議の資料を送ってください。",
    ru: "Пожалуйста, проверьте счета за март.",
    zh: "请查收附件中的发票。",
  };
  for (const [language, text] of Object.entries(texts)) expect([text, guessLanguage(text)]).toEqual([text, language]);
  expect(guessLanguage("Xkcd 1234")).toBeNull();
});
