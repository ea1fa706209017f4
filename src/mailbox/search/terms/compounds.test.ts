import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { dictionaryOf, MemoryDictionary } from "../../../../test/support/memory-dictionary.ts";
import { fold } from "../fold.ts";
import { joined, longerWith, MAX_COMPOUNDS, MAX_COUNTED, MAX_VISITED, partsOf } from "./compounds.ts";

const GERMAN = dictionaryOf(
  fold(`und nicht ist oder wird Rechnung Rechnungen Rechnungsnummer Nummer Strom Stromrechnung Stromrechnungen Gas
    Gasrechnung Verrechnung Abrechnung Versicherung Krankenversicherung Versicherungsbeitrag Beitrag kranken
    Krankenversicherungsbeitrag Termin Zahnarzttermin Zahnarzt Flug Flugbuchung Buchung Handy Handyvertrag Vertrag
    Mietvertrag Miete Reise Reisekosten Kosten Geschäftsreise Geschäft Telefon Haus Hausverwaltung Verwaltung flight
    light bright right ver ab zimmer`),
);
const ENGLISH = dictionaryOf(
  `note book:50 books:50 notebook notebooks check:80 up:100 checkup light right flight bright copyright copy:40 high:60
   highlight phone:70 number:80 phonenumber email:90 server:60 emailserver any:200 comp company are:200 compare order
   border recorder rec:1 mail list:90 maillist account discount dis con dec:40 ide:30`,
);
const DUTCH = dictionaryOf("het een niet voor zijn rekening nummer stroom verzekering auto energie leverancier");
const SWEDISH = dictionaryOf(
  "och att inte som har faktura betalning försäkring bil skatt återbäring elfaktura el".split(" ").map(fold).join(" "),
);

const termsOf = (word: string, dictionary: MemoryDictionary) =>
  longerWith(fold(word), dictionary).map(({ term }) => term);

describe("longer words that contain a word", () => {
  const found: [string, MemoryDictionary, string][] = [
    ["Rechnung", GERMAN, "Stromrechnung Stromrechnungen Gasrechnung Rechnungsnummer"],
    ["Versicherung", GERMAN, "Krankenversicherung Versicherungsbeitrag Krankenversicherungsbeitrag"],
    ["Termin", GERMAN, "Zahnarzttermin"],
    ["Reise", GERMAN, "Reisekosten Geschäftsreise"],
    ["Haus", GERMAN, "Hausverwaltung"],
    ["Vertrag", GERMAN, "Handyvertrag Mietvertrag"],
    ["note", ENGLISH, "notebook notebooks"],
    ["server", ENGLISH, "emailserver"],
    ["mail", ENGLISH, "maillist"],
    ["light", ENGLISH, "highlight"],
  ];
  for (const [word, dictionary, longer] of found) {
    test(`${word} finds ${longer}`, () => {
      expect(termsOf(word, dictionary).sort()).toEqual(longer.split(" ").map(fold).sort());
    });
  }

  const apart: [string, MemoryDictionary, string][] = [
    ["light", ENGLISH, "flight"],
    ["light", GERMAN, "flight"],
    ["right", ENGLISH, "bright"],
    ["Rechnung", GERMAN, "verrechnung"],
    ["Rechnung", GERMAN, "abrechnung"],
    ["order", ENGLISH, "border"],
    ["order", ENGLISH, "recorder"],
    ["comp", ENGLISH, "company"],
    ["comp", ENGLISH, "compare"],
    ["count", ENGLISH, "discount"],
    ["book", ENGLISH, "books"],
  ];
  for (const [word, dictionary, other] of apart) {
    test(`${word} does not find ${other}`, () => expect(termsOf(word, dictionary)).not.toContain(other));
  }

  test("a compound has at most half the weight of the word", () => {
    for (const { weight } of longerWith("rechnung", GERMAN)) expect(weight).toBeLessThanOrEqual(0.5);
  });

  test("a million terms with the same beginning or ending are not all visited", () => {
    const numbers = Array.from({ length: 1_000_000 }, (_, at) =>
      at.toString(36).replace(/\d/g, (digit) => "qrstuvwxyz"[Number(digit)]!),
    );
    const hostile = [
      new MemoryDictionary(numbers.map((part) => [`rechnung${part}`, 1] as const)),
      new MemoryDictionary(numbers.map((part) => [`${part}rechnung`, 1] as const)),
    ];
    for (const dictionary of hostile) {
      dictionary.visited = 0;
      dictionary.counted = 0;
      expect(longerWith("rechnung", dictionary).length).toBeLessThanOrEqual(MAX_COMPOUNDS);
      expect(dictionary.visited).toBeLessThanOrEqual(MAX_VISITED + 20_000 + 2);
      expect(dictionary.counted).toBeLessThanOrEqual(MAX_COUNTED + 400);
    }
  });
});

describe("the parts of a word", () => {
  const split: [string, MemoryDictionary, string][] = [
    ["Stromrechnung", GERMAN, "strom rechnung"],
    ["Telefonrechnungen", GERMAN, "telefon rechnungen"],
    ["Gasvertrag", GERMAN, "gas vertrag"],
    ["Geschäftsreisekosten", GERMAN, "geschaft reisekosten"],
    ["Reiseversicherungsbeitrag", GERMAN, "reise versicherungsbeitrag"],
    ["Zahnarztrechnungsnummer", GERMAN, "zahnarzt rechnungsnummer"],
    ["Mietverträge", GERMAN, "miete vertrag"],
    ["Hotelzimmer", GERMAN, ""],
    ["checkup", ENGLISH, "check up"],
    ["notebooks", ENGLISH, "note books"],
    ["emailphonenumber", ENGLISH, "email phonenumber"],
    ["checkphonelist", ENGLISH, "check phone list"],
    ["decide", ENGLISH, ""],
    ["recieved", ENGLISH, ""],
    ["rekeningnummer", DUTCH, "rekening nummer"],
    ["stroomrekening", DUTCH, "stroom rekening"],
    ["autoverzekering", DUTCH, "auto verzekering"],
    ["energieleverancier", DUTCH, "energie leverancier"],
    ["bilförsäkring", SWEDISH, "bil forsakring"],
    ["skatteåterbäring", SWEDISH, "skatt aterbaring"],
    ["fakturabetalning", SWEDISH, "faktura betalning"],
    ["inv2024", ENGLISH, ""],
    ["qwertyuiopzz", ENGLISH, ""],
  ];
  for (const [word, dictionary, parts] of split) {
    test(`${word} is ${parts || "not split"}`, () => {
      expect(partsOf(fold(word), dictionary)?.join(" ") ?? "").toBe(parts);
    });
  }

  test("the number of counted terms is limited", () => {
    const dictionary = new MemoryDictionary([["a", 1]]);
    for (const word of ["a".repeat(40), "donaudampfschifffahrtsgesellschaftskap"]) {
      dictionary.counted = 0;
      partsOf(word, dictionary);
      expect(dictionary.counted).toBeLessThanOrEqual(MAX_COUNTED + 100);
    }
  });
});

describe("two words that are written as one", () => {
  test("are found as they are, and with a linking element if the mailbox has such a language", () => {
    expect(joined("note", "book", ENGLISH)).toEqual([{ term: "notebook", weight: 0.5 }]);
    expect(joined("check", "up", ENGLISH)).toEqual([{ term: "checkup", weight: 0.5 }]);
    expect(joined("versicherung", "beitrag", GERMAN)).toEqual([{ term: "versicherungsbeitrag", weight: 0.5 }]);
  });

  test("find nothing if there is no such word, or with digits", () => {
    expect(joined("book", "note", ENGLISH)).toEqual([]);
    expect(joined("20", "24", dictionaryOf("2024"))).toEqual([]);
  });
});

test("arbitrary words never cause an error", () => {
  const word = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.string({ unit: "binary" }),
    fc.stringMatching(/^[a-zß]{0,50}$/),
  );
  fc.assert(
    fc.property(word, word, fc.array(word, { maxLength: 20 }), (a, b, others) => {
      const terms = [a, b, a + b, ...others, ...others.map((other) => a + other), ...others.map((other) => other + b)];
      const dictionary = new MemoryDictionary(terms.map((term) => [term, 1] as const));
      for (const { term } of [...longerWith(a, dictionary), ...joined(a, b, dictionary)]) {
        expect(terms).toContain(term);
        expect(term).not.toBe(a);
      }
      const parts = partsOf(a + b, dictionary);
      expect(parts === null || (parts.length >= 2 && parts.length <= 3)).toBe(true);
    }),
    { seed: 7, numRuns: 500 },
  );
});
