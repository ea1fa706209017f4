import { expect, test } from "bun:test";
import { passagesOf } from "./file-passages.ts";

const passages = (mime: string, name: string, text: string) =>
  passagesOf({ mime, name, bytes: new TextEncoder().encode(text), text }, "UTC");

test("a row of a table names its columns", () => {
  const csv = 'Coffee;Roast;250 g;1 kg\nKenia;light;12,50 €;44,00 €\n"Elbe; decaf";medium;9,90 €;\n';
  expect(passages("text/csv", "prices.csv", csv)).toBe(
    "Kenia: Roast light; 250 g 12,50 €; 1 kg 44,00 €\n\nElbe; decaf: Roast medium; 250 g 9,90 €",
  );
});

test("a contact card is a line for each detail, with the name", () => {
  const card =
    "BEGIN:VCARD\nVERSION:3.0\nFN:Rita Sampaio\nTEL;TYPE=CELL:+351 900 000 017\nADR;TYPE=HOME:;;Rua 8;Lisboa;;;\nEND:VCARD";
  expect(passages("text/vcard", "rita.vcf", card)).toBe(
    "Rita Sampaio, phone: +351 900 000 017\n\nRita Sampaio, address: Rua 8, Lisboa",
  );
});

test("other text is unchanged", () => {
  expect(passages("text/plain", "notes.txt", "a; b")).toBe("a; b");
});
