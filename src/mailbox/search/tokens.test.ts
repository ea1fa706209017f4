import { describe, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { Blinding, TOKEN_CHARS } from "./blinding.ts";
import { guessLanguage } from "./language.ts";
import { englishStem, neutralStem } from "./stems.ts";
import { tokenize } from "./tokens.ts";
import { WordReader } from "./words.ts";

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
  ["", ""],
];

test.each(CASES)("%p is made of %p", (text, words) => {
  expect(tokenize(text).join(" ")).toBe(words);
});

test("tokens hold letters, marks and digits only, whatever the text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
      for (const token of tokenize(text)) expect(token).toMatch(/^[\p{L}\p{M}\p{N}]{1,64}$/u);
    }),
  );
});

test("stems bring the forms of a word together", () => {
  for (const [a, b] of [
    ["invoices", "invoice"],
    ["running", "runs"],
    ["connected", "connection"],
  ] as const) {
    expect(englishStem(a) ?? a).toBe(englishStem(b) ?? b);
  }
  for (const [a, b] of [
    ["rechnungen", "rechnung"],
    ["facturas", "factura"],
    ["livres", "livre"],
    ["счета", "счет"],
    ["회의가", "회의는"],
  ] as const) {
    expect([a, neutralStem(a)]).toEqual([a, neutralStem(b)]);
  }
});

test("languages are told by their script and small words", () => {
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

describe("blinding", () => {
  // One key for all runs: under one in a thousand, two beginnings are blinded alike.
  const key = Uint8Array.from({ length: 32 }, (_, i) => i);
  const blinding = new Blinding(key);

  test("words have tokens of one length and alphabet, the same under one key, others under another", () => {
    const other = new Blinding(new Uint8Array(randomBytes(32)));
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 70 }), (word) => {
        expect(blinding.word(word)).toMatch(new RegExp(`^[a-z2-7]{${TOKEN_CHARS}}$`));
        expect(new Blinding(key).word(word)).toBe(blinding.word(word));
        expect(other.word(word)).not.toBe(blinding.word(word));
      }),
    );
  });

  test("a beginning begins the tokens of its words, and of no others", () => {
    for (const beginning of ["inv", "invo", "invoi", "invoic", "invoice", "invoices"]) {
      expect(blinding.word("invoices").startsWith(blinding.prefix(beginning)!)).toBe(true);
      expect(blinding.word("inventory").startsWith(blinding.prefix(beginning)!)).toBe(beginning === "inv");
    }
    expect(blinding.prefix("in")).toBeNull();
    expect(blinding.word("会議室").startsWith(blinding.prefix("会")!)).toBe(true);
  });

  test("a reader's tokens are those of the words, one by one, however often it has met them", () => {
    const reader = new WordReader(key);
    const nobody = { name: "", email: "" };
    const rest = { subject: "", from: nobody, to: [], cc: [], bcc: [], attachments: [] };
    const texts = fc.array(
      fc.constantFrom("Rechnung", "rechnungen", "Straße", "東京で会議", "inv2024", "a", "1,299.00", "x".repeat(90)),
    );
    fc.assert(
      fc.property(
        fc.oneof(
          texts.map((words) => words.join(" ")),
          fc.string({ unit: "grapheme" }),
        ),
        (text) => {
          const { tokens, ends } = reader.read({ ...rest, text });
          const body = Buffer.from(tokens.subarray(ends[3], ends[4])).toString("latin1");
          expect(body).toBe(
            tokenize(text)
              .map((word) => `${blinding.word(word)} `)
              .join(""),
          );
        },
      ),
    );
  });

  test("a message's words say nothing, and are the same from every reader with the key", () => {
    const message = {
      subject: "Invoices",
      text: "Please find our invoices attached, and thank you for that.",
      from: { name: "Ada", email: "ada@example.org" },
      to: [],
      cc: [],
      bcc: [],
      attachments: [{ name: "march.pdf" }],
    };
    const { tokens, ends } = new WordReader(key).read(message, "Total 42 EUR");
    expect(Buffer.from(tokens).toString("latin1")).toMatch(/^([a-z2-7]{20} )+$/);
    expect(ends.at(-1)).toBe(tokens.length);
    expect(new WordReader(key).read(message, "Total 42 EUR")).toEqual({ tokens, ends });
  });
});
