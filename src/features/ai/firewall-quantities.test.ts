import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { workFromNow } from "../../../test/support/cpu-time.ts";
import { type AllowedSources, judge } from "./firewall.ts";
import { quantitiesOf } from "./quantities.ts";

const SOURCES: AllowedSources = { thread: "", instructions: "", variables: {}, privateTexts: [], people: [] };
const reasons = (body: string, more: Partial<AllowedSources> = {}) =>
  judge(body, { ...SOURCES, ...more }).reasons.join("\n");

/** Notations of 82,000. */
const EIGHTY_TWO_THOUSAND = [
  "eighty-two thousand",
  "Eighty two thousand",
  "82k",
  "82 K",
  "82 thousand",
  "82,000",
  "82.000",
  "82 000",
  "82’000",
  "82000",
  "82 grand",
  "0.082 million",
  "82e3",
  "8.2e4",
  "8.2 × 10^4",
  "82 Tsd.",
  "zweiundachtzigtausend",
  "zwei und achtzig tausend",
  "82 Tausend",
  "quatre-vingt-deux mille",
  "82 mille",
  "ochenta y dos mil",
  "ottantaduemila",
  "oitenta e dois mil",
  "tweeëntachtigduizend",
  "８２０００",
  "٨٢٠٠٠",
  "八万二千",
  "8万2千",
  "LXXXII thousand",
  "åttiotvå tusen",
  "osiemdziesiąt dwa tysiące",
  "восемьдесят две тысячи",
];

describe("an amount that no source contains is held, with or without a currency", () => {
  test.each(EIGHTY_TWO_THOUSAND.filter((form) => form !== "82000"))("%s", (form) =>
    expect(reasons(`We can go up to ${form} for this.`)).toContain("The draft contains the amount"),
  );
  test.each([
    "17%",
    "17 percent",
    "17 per cent",
    "17 pct",
    "seventeen percent",
    "siebzehn Prozent",
    "17 Prozent",
    "dix-sept pour cent",
    "17 por ciento",
    "diciassette per cento",
    "dezessete por cento",
    "zeventien procent",
    "17 ٪",
    "12.5 %",
    "XVII percent",
    "17 percentage points",
    "170‰",
    "17-per-cent",
    "17 out of 100",
    "1700 basis points",
    "sjutton procent",
    "siedemnaście procent",
    "семнадцать процентов",
  ])("%s", (form) => expect(reasons(`We give ${form} off.`)).toContain("The draft contains the amount"));
  test.each(["CHF 1.2 Mio.", "three and a half million dollars", "2,5 Milliarden Euro", "five hundred quid", "3 lakh"])(
    "%s",
    (form) => expect(reasons(`It comes to ${form}.`)).toContain("The draft contains the amount"),
  );
});

describe("an amount that a source contains passes in every notation", () => {
  test.each(EIGHTY_TWO_THOUSAND)("82,000 as %s", (form) => {
    expect(reasons(`We can go up to ${form} for this.`, { thread: "Is 82,000 possible?" })).toBe("");
    expect(reasons("We can go up to 82,000.", { thread: `Is ${form} possible?` })).toBe("");
  });
  test.each(["17 percent", "17%", "seventeen per cent", "0.17", "siebzehn Prozent"])("17 %% as %s", (form) => {
    expect(reasons("We give 17% off.", { instructions: `offer ${form}` })).toBe("");
  });
  test("money in words equals the same money in digits", () => {
    expect(reasons("Nine thousand euros it is.", { thread: "It costs 9.000 €." })).toBe("");
    expect(reasons("It is 1.5 million dollars.", { thread: "We said $1,500,000." })).toBe("");
    expect(reasons("Nine thousand euros it is.", { thread: "It costs 9.000 $." })).toContain("the amount");
  });
});

test.each([
  "We meet on 12 March 2026 at 10.30 in room 214, for two hours.",
  "The three of us come, perhaps four; one of the two hundred seats is enough.",
  "Thanks a million, that is one in a thousand.",
  "In 1998 and 2024 it was the same; see ISO 9001, RFC 822 and page 204.",
  "Am 3. April um 14:30 Uhr, bis 2027, mit zwölf Leuten.",
  "I did mix civil things, sei so gut, once more, due to dos and don'ts.",
  "On 2026-03-02 at 9:30, on floor 12.",
  "Il y en a dix, et six sont ici. Vingt minutes.",
])("an everyday number is not an amount: %s", (body) => expect(reasons(body, { thread: "ISO 9001" })).toBe(""));

describe("the number of a variable is recognized in any notation", () => {
  const salary = { "salary.max": "82000" };
  test.each(EIGHTY_TWO_THOUSAND)("82000 as %s", (form) =>
    expect(reasons(`It may be ${form} at most.`, { variables: salary })).toContain("salary.max"),
  );
  test.each([
    ["backwards", "00028"],
    ["backwards in groups", "000 28"],
    ["backwards in words", "zero zero zero two eight"],
    ["Roman with bars", "L̅X̅X̅X̅I̅I̅"],
    ["in hexadecimal", "0x14050"],
    ["in binary", "0b10100000001010000"],
    ["with hyphens between the digits", "8-2-0-0-0"],
  ])("82000 %s", (_how, form) =>
    expect(reasons(`It may be ${form} at most.`, { variables: salary })).toContain("salary.max"),
  );
  test.each([
    ["Roman", "MMMMDCCXI"],
    ["Roman, lower case", "mmmmdccxi"],
    ["Roman, as Unicode numeral characters", "ⅯⅯⅯⅯⅮⅭⅭⅪ"],
    ["Roman, digit by digit", "IV VII I I"],
    ["Roman backwards", "IXCCDMMMM"],
    ["backwards", "1174"],
    ["in pairs", "forty-seven eleven"],
    ["in pairs, German", "siebenundvierzig elf"],
    ["as a number", "four thousand seven hundred and eleven"],
    ["as hundreds", "forty-seven hundred and eleven"],
    ["backwards in pairs", "eleven seventy-four"],
    ["with spaces", "4 7 1 1"],
    ["in Chinese digits", "四七一一"],
  ])("4711 %s", (_how, form) =>
    expect(reasons(`The code is ${form}, as you know.`, { variables: { "door.pin": "4711" } })).toContain("door.pin"),
  );
  test.each(["17 percent", "17%", "seventeen", "XVII", "0.17", "17 per hundred", "siebzehn", "17 v. H."])(
    "17 percent as %s",
    (form) =>
      expect(reasons(`We go down by ${form}.`, { variables: { "discount.max": "17 percent" } })).toContain(
        "discount.max",
      ),
  );
  test.each(["eighty-two thousand, five hundred", "82,500", "82 thousand five hundred", "82.5k", "82½ thousand"])(
    "82500 as %s",
    (form) => expect(reasons(`At most ${form}.`, { variables: { "salary.max": "82500" } })).toContain("salary.max"),
  );
  test.each(["0.17", "zero point one seven", "17%", "seventeen percent"])("0.17 as %s", (form) =>
    expect(reasons(`It is ${form}.`, { variables: { "rate.share": "0.17" } })).toContain("rate.share"),
  );
  test("a share as half or a quarter", () => {
    expect(reasons("We pay half.", { variables: { "discount.max": "50%" } })).toContain("discount.max");
    expect(reasons("You get a quarter off.", { variables: { "discount.max": "25 percent" } })).toContain(
      "discount.max",
    );
  });
  test("a number within the sentence that a variable contains", () => {
    const variables = { "client.limits": "Never more than EUR 48,500 and 12.5 percent discount" };
    expect(reasons("It may cost forty-eight thousand five hundred.", { variables })).toContain("client.limits");
    expect(reasons("Let us say 12,5 %.", { variables })).toContain("client.limits");
    expect(reasons("Let us meet at 12.", { variables })).toBe("");
  });
  test("but not if the thread contains it or the instructions ask for it", () => {
    expect(reasons("Eighty-two thousand is fine.", { variables: salary, thread: "We think of 82k." })).toBe("");
    expect(reasons("Eighty-two thousand is fine.", { variables: salary, instructions: "tell the salary" })).toBe("");
  });
});

describe("the day of a variable is recognized in any notation", () => {
  const variables = { "client.birthday": "1980-04-03" };
  test.each([
    "1980-04-03",
    "3 April",
    "April 3rd",
    "the 3rd of April",
    "3.4.1980",
    "03/04/1980",
    "04/03/80",
    "am 3. April",
    "le 3 avril",
    "3 de abril",
    "il 3 aprile",
    "op 3 april",
    "3 kwietnia",
    "3 апреля",
    "Apr 3",
    "4月3日",
  ])("%s", (form) => expect(reasons(`It is ${form}, I think.`, { variables })).toContain("client.birthday"));
  test("but not if the thread contains it, nor for another day", () => {
    expect(reasons("See you on 3 April.", { variables, thread: "Shall we meet on 2026-04-03?" })).toBe("");
    expect(reasons("See you on 4 April at 3, or on 3 May.", { variables })).toBe("");
  });
});

describe("the words of a variable are recognized in any order", () => {
  const variables = { "password.vault": "correct-horse-battery", "hint.code": "Kx9Q" };
  test.each([
    ["words backwards", "battery horse correct"],
    ["each word backwards", "tcerroc esroh yrettab"],
    ["letters backwards", "yrettab esroh tcerroc"],
    ["backwards, with digits for letters", "yr3tt4b esr0h tc3rr0c"],
  ])("%s", (_how, form) => expect(reasons(`It is ${form}.`, { variables })).toContain("password.vault"));
  test("a short one backwards", () => expect(reasons("It is Q9xK.", { variables })).toContain("hint.code"));
});

test("all notations of a number have the same value", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1_000, max: 999_999 }), (n) => {
      const forms = [String(n), n.toLocaleString("en-US"), n.toLocaleString("de-DE"), english(n), german(n)];
      for (const form of forms) expect(quantitiesOf(`x ${form}, y`).map(({ value }) => value)).toContain(n);
    }),
  );
});

test.each(["one ", "zweitausendund", "eighty-two thousand ", "MCM", "1 ", "17% ", "八万", "vingt-", "1e1", "half "])(
  "a message that repeats only %p is checked within the time limit",
  (piece) => {
    const long = piece.repeat(200_000 / piece.length);
    const work = workFromNow();
    judge("Fine.", { ...SOURCES, thread: long });
    judge(long.slice(0, 20_000), { ...SOURCES, variables: { pin: "4711", pay: "82000", cut: "17%" } });
    expect(work()).toBeLessThan(8_000);
  },
);

const UNITS =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const TENS = "- - twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
function english(n: number): string {
  if (n >= 1000) return [english(Math.floor(n / 1000)), "thousand", n % 1000 ? english(n % 1000) : ""].join(" ").trim();
  if (n >= 100) return `${UNITS[Math.floor(n / 100)]} hundred${n % 100 ? ` and ${english(n % 100)}` : ""}`;
  if (n >= 20) return TENS[Math.floor(n / 10)] + (n % 10 ? `-${UNITS[n % 10]}` : "");
  return UNITS[n]!;
}
const EINER =
  "null ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn".split(
    " ",
  );
const ZEHNER = "- - zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig".split(" ");
function german(n: number): string {
  if (n >= 1000) return `${german(Math.floor(n / 1000))}tausend${n % 1000 ? german(n % 1000) : ""}`;
  if (n >= 100) return `${EINER[Math.floor(n / 100)]}hundert${n % 100 ? german(n % 100) : ""}`;
  if (n >= 20) return (n % 10 ? `${EINER[n % 10]}und` : "") + ZEHNER[Math.floor(n / 10)];
  return EINER[n]!;
}
