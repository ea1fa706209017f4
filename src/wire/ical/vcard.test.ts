import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { readVcards } from "./vcard.ts";

const card = (...lines: string[]) => ["BEGIN:VCARD", ...lines, "END:VCARD", ""].join("\r\n");

describe("vCards", () => {
  test("of versions 3 and 4 are read, several in a file", () => {
    const text =
      card(
        "VERSION:3.0",
        "FN:Ann Lee",
        "N:Lee;Ann;;;",
        "EMAIL;TYPE=INTERNET:ann@work.example",
        "NOTE:Met in Porto\\, 2019\\nLikes tea",
      ) + card("VERSION:4.0", "FN:Bob", "item1.EMAIL;PREF=1:bob@x.example", "EMAIL:mailto:bob@home.example");
    expect(readVcards(text, 10)).toEqual({
      cards: [
        { name: "Ann Lee", emails: ["ann@work.example"], note: "Met in Porto, 2019\nLikes tea" },
        { name: "Bob", emails: ["bob@x.example", "bob@home.example"], note: "" },
      ],
      unreadable: 0,
    });
  });

  test("of version 2.1 are read, with quoted-printable names over two lines", () => {
    const text = card(
      "VERSION:2.1",
      "N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;J=C3=BCr=",
      "gen;;;",
      "EMAIL;INTERNET;HOME:jm@x.example",
      "TEL;CELL:+351 1",
    );
    expect(readVcards(text, 10).cards).toEqual([{ name: "Jürgen Müller", emails: ["jm@x.example"], note: "" }]);
  });

  test("the name is read from N when FN is empty, with any line ends, and addresses are listed once", () => {
    const text = card("VERSION:3.0", "FN:", "N:Lee;Ann;Mae;;", "EMAIL:a@x.example", "EMAIL:a@x.example").replaceAll(
      "\r\n",
      "\n",
    );
    expect(readVcards(text, 10).cards).toEqual([{ name: "Ann Mae Lee", emails: ["a@x.example"], note: "" }]);
  });

  test("a broken card affects only itself, and the number of cards is limited", () => {
    const text = card("VERSION:3.0", "FN Ann") + card("VERSION:3.0", "FN:Bob", "EMAIL:b@x.example");
    expect(readVcards(text, 10)).toMatchObject({ cards: [{ name: "Bob" }], unreadable: 1 });
    expect(readVcards(card("VERSION:3.0", "FN:A").repeat(5), 3).cards).toHaveLength(3);
    expect(readVcards("no card", 3)).toEqual({ cards: [], unreadable: 0 });
  });

  test("any card is read without throwing", () => {
    const line = fc.oneof(
      fc.constantFrom(
        "VERSION:2.1",
        "VERSION:4.0",
        "EMAIL;A=B;C:x@y",
        "FN;ENCODING=QUOTED-PRINTABLE:=F",
        "N:;;;;",
        'EMAIL;TYPE="x:',
      ),
      fc.string(),
    );
    fc.assert(fc.property(fc.array(line), (lines) => void readVcards(card(...lines), 5)));
  });

  test("a photo of version 2.1 does not swallow the line after it; line ends and a BOM of old programs are read", () => {
    const lines = (end: string) =>
      ["BEGIN:VCARD", "VERSION:2.1", "N:Lee;Ann", "PHOTO;ENCODING=BASE64;JPEG:/9j/4AAQ==", "EMAIL;HOME:ann@x.example"]
        .concat("END:VCARD")
        .join(end);
    for (const end of ["\r\n", "\n", "\r"]) {
      const { cards } = readVcards(`\ufeff${lines(end)}${end}`, 10);
      expect(cards).toMatchObject([{ name: "Ann Lee", emails: ["ann@x.example"] }]);
    }
  });
});
