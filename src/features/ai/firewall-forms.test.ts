import { describe, expect, test } from "bun:test";
import { workFromNow } from "../../../test/support/cpu-time.ts";
import { type AllowedSources, judge } from "./firewall.ts";

const SOURCES: AllowedSources = { thread: "", instructions: "", variables: {}, privateTexts: [], people: [] };
const reasons = (body: string, more: Partial<AllowedSources> = {}) =>
  judge(body, { ...SOURCES, ...more }).reasons.join("\n");

describe("an amount that no source contains is held in any notation", () => {
  test.each([
    // Round numbers that could also be years.
    ..."2k|2,000|1,950|two thousand|1.95k|nineteen hundred and fifty".split("|"),
    // Fractions of a million, and other scales.
    ..."a quarter of a million|three quarters of a million|two and a quarter million|eineinhalb Millionen|eine Viertelmillion|un million et demi|un milione e mezzo|um milhão e meio|millón y medio|a hundred thousand|hundert Tausend|tweeëneenhalf miljoen|1.2M|2M".split(
      "|",
    ),
    // Inflected words, words without hyphens, ordinal words.
    ..."doscientas mil|duzentas mil|veintiuna mil|dix-sept mille|centomila|eightytwothousand|the eighty-two thousandth|eighty‑two thousand".split(
      "|",
    ),
    // Thousands of a currency, and currencies before and after the number.
    ..."TEUR 82|82 TEUR|82 T€|5 Md€|kCHF 82|82 MEUR|Euro 82|82 US dollars|82 Swiss francs|82 円|82 kr|82 рублей".split(
      "|",
    ),
    // Per cent.
    ..."17/100|seventeen hundredths|17-prozentigen Rabatt|siebzehnprozentig|17 pour 100|17 por cien|17 p.p.|xvii per cent|17 (%)|seventeen per  cent".split(
      "|",
    ),
    // Marked up, broken over lines or in a table.
    ..."eighty-**two** thousand|**82**,000|8**2**,000|82_000|82 `thousand`|82\n000|82,\n000|82·000|82&nbsp;000|82000.Thanks".split(
      "|",
    ),
    "82 | thousand",
    // Roman numerals, and digit by digit.
    ..."L X X X I I thousand|L.X.X.X.I.I thousand|lxxxii thousand|l̅x̅x̅x̅i̅i̅ euros|eight two zero zero zero|8 2 0 0 0|8️⃣2️⃣0️⃣0️⃣0️⃣|eight two triple zero".split(
      "|",
    ),
  ])("%j", (form) => expect(reasons(`We can go up to ${form} for this.`)).toContain("The draft contains"));
});

test.each([
  "It makes a real difference, and that was my first dollar.",
  "On 2 March 2026 10:30 or 9.30-10.30, in 2019-2024; see eth0, RS232 and ISO-8859-1.",
  "The grand total is fine, a grand idea; two of us come, 3-4 days, 24/7.",
  "The third of April is the second Friday; più di 5, il a dix ans, twenty-first floor.",
  "Room 12, 2nd floor, extension 214, version 2.4.1, page 3 of 10, 1/2 of it, one in six.",
])("ordinary mail is not held: %s", (body) => expect(reasons(body, { thread: "5" })).toBe(""));

describe("a variable is recognized in any notation", () => {
  const variables = {
    "salary.max": "82000",
    "door.pin": "4711",
    "discount.max": "17 percent",
    "client.birthday": "1980-04-03",
    "our.iban": "GB29NWBK60161331926819",
    "our.vat_id": "DE123456789",
    rate_hourly: "95.50",
    "client.budget": "EUR 48,500",
  };
  test.each([
    ..."dnasuoht owt-ythgie|82 × 10³|82 x 1000|820 hundred|TEUR 82|8.2万|八万两千|ODIwMDA=|3832303030|&#56;&#50;&#48;&#48;&#48;|zweiundachtzigtausendste|eighty-two (thousand)|eighty-two / thousand"
      .split("|")
      .map((form) => ["salary.max", form]),
    ..."M M M M D C C X I|m.m.m.m.d.c.c.x.i|MMMM DCC XI|11 47|elf siebenundvierzig|four seven double one|4 then 7 then 1 then 1|f o u r s e v e n o n e o n e|enoenonevesruof|fourth seventh first first|viertausendsiebenhundertelfte"
      .split("|")
      .map((form) => ["door.pin", form]),
    ..."dix-sept|diez y siete por ciento|seventeenth|X V I I|xvii|seventeen hundredths|tnecrep neetneves|17-prozentig"
      .split("|")
      .map((form) => ["discount.max", form]),
    ..."the third of April|April the third|dritter April|am dritten April|le trois avril|el tres de abril|três de abril|derde april|3.IV.1980|the 3rd day of April|3-Apr-1980|3/4|03041980|**3** April|April, the 3rd|lirpA dr3|四月三日|третье апреля|trzeci kwietnia"
      .split("|")
      .map((form) => ["client.birthday", form]),
    ..."account 6016 1331 9268 19|sort code 60-16-13, account 31926819|NWBK60161331926819|GB29NWBK and then 60161331926819"
      .split("|")
      .map((form) => ["our.iban", form]),
    ..."123.456.789|one two three four five six seven eight nine|CXXIII CDLVI DCCLXXXIX|123 million 456 thousand 789"
      .split("|")
      .map((form) => ["our.vat_id", form]),
    ..."ninety-five euros fifty|95 EUR 50|95€50|95 1/2|quatre-vingt-quinze euros cinquante"
      .split("|")
      .map((form) => ["rate_hourly", form]),
    ..."485 hundred|48 thousand 500|48 grand 500|48,5 TEUR|k€ 48.5".split("|").map((form) => ["client.budget", form]),
  ])("%s as %s", (key, form) => expect(reasons(`As for that: ${form}, I think.`, { variables })).toContain(key!));
  test("but not in a number that merely contains its digits", () => {
    expect(reasons("It is €8,200.00.", { variables, thread: "€8,200.00" })).toBe("");
  });
  test("but not where the thread already contains a part of the number", () => {
    expect(reasons("Account 31926819 it is.", { variables, thread: "Is it account 31926819?" })).toBe("");
  });
  test("even if the instructions share a common word with its key", () => {
    expect(reasons("Our number is DE123456789.", { variables, instructions: "thank our client" })).toContain(
      "our.vat_id",
    );
    expect(reasons("Our number is DE123456789.", { variables, instructions: "nenne die Umsatzsteuer-ID" })).toBe("");
  });
});

test.each(["万", "零", "1万", "1$", "1k", "I ", "M.", "1/", "**1**", "third of ", "quarter of a ", "8 2 0 "])(
  "a message of nothing but %p is read in time linear in its length",
  (piece) => {
    const long = piece.repeat(200_000 / piece.length);
    const work = workFromNow();
    judge("Fine.", { ...SOURCES, thread: long, variables: { pin: "4711", born: "1980-04-03" } });
    expect(work()).toBeLessThan(4_000);
  },
);
