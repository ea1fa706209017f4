import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Unit } from "./unit.ts";
import { MAX_UNITS, unitsOf, unitsOfQuery } from "./units.ts";

const BOTH = [unitsOf, unitsOfQuery];
const termsOf = (units: readonly Unit[]) => units.flatMap(({ terms }) => terms);
const two = (value: number) => String(value).padStart(2, "0");

const SPANS: [text: string, units: string[]][] = [
  ["Pay £575.00, please", ["£575.00"]],
  ["(EUR 8,200.00)", ["EUR 8,200.00"]],
  ["about US$5 million each", ["US$5 million"]],
  ["8.200,-- € netto", ["8.200,-- €"]],
  ["12 EUR 500", ["12 EUR", "500"]],
  ["5 €20 bills", ["€20"]],
  ["On Thu, 12 Mar 2026 at 10:30 Ada wrote:", ["12 Mar 2026"]],
  ["March 12, 2026, 5 pm", ["March 12, 2026"]],
  ["am 12. März 2.000 €", ["12. März", "2.000 €"]],
  ["am 12. März 2000 €", ["12. März", "2000 €"]],
  ["on March 12 EUR 500", ["March 12", "EUR 500"]],
  ["12 March-15 March", ["12 March", "15 March"]],
  ["2026年3月12日(木)", ["2026年3月12日"]],
  ["31.02.2026, 2026-13-01, 00/00/2026, 32 March", []],
  ["B12 EUR500 x€5y", ["EUR500", "€5"]],
  ["x_eur5 ?sum=eur5 0o+CZK3 rs7DRx", []],
  ["10:30 €, 10:30-12:00 €", []],
  ["", []],
];

test.each(SPANS)("the units of %p are %p", (text, units) => {
  expect(unitsOf(text).map(({ start, end }) => text.slice(start, end))).toEqual(units);
});

describe("terms", () => {
  test("a date is indexed under its day and month, and with a year also under both with the year", () => {
    expect(termsOf(unitsOf("12 March"))).toEqual(["@0312", "@m03"]);
    expect(termsOf(unitsOf("12 March 2026"))).toEqual(["@0312", "@m03", "@2026-03", "@2026-03-12"]);
    expect(termsOf(unitsOf("March 2026"))).toEqual(["@m03", "@2026-03"]);
  });

  test("a query searches for the most exact term first, and for a day with a year also without the year", () => {
    expect(termsOf(unitsOfQuery("12 March 2026"))).toEqual(["@2026-03-12", "@0312"]);
    expect(termsOf(unitsOfQuery("12 March"))).toEqual(["@0312"]);
    expect(termsOf(unitsOfQuery("March 2026"))).toEqual(["@2026-03"]);
    expect(termsOf(unitsOfQuery("invoice from March"))).toEqual(["@m03"]);
  });

  test("both readings of a date are indexed and searched for", () => {
    expect(termsOf(unitsOf("03/04/2026"))).toEqual([
      "@0403",
      "@m04",
      "@2026-04",
      "@2026-04-03",
      "@0304",
      "@m03",
      "@2026-03",
      "@2026-03-04",
    ]);
    expect(termsOf(unitsOfQuery("03/04/2026"))).toEqual(["@2026-04-03", "@0403", "@2026-03-04", "@0304"]);
    expect(termsOf(unitsOf("03/03/2026"))).toEqual(["@0303", "@m03", "@2026-03", "@2026-03-03"]);
  });

  test("names of months alone are months only in a query", () => {
    for (const text of ["March", "may", "mars", "Mai 24h", "Dezember", "一月", "sept"]) {
      expect(unitsOf(text)).toEqual([]);
      expect(unitsOfQuery(text)).toHaveLength(1);
    }
    for (const text of ["mar", "jan", "set", "out", "marco", "Maja", "des"]) expect(unitsOfQuery(text)).toEqual([]);
  });

  test("codes that are words in lower case count in capitals, and always in a query", () => {
    expect(unitsOf("try 5, rub 5, 5 ils, 30 sek")).toEqual([]);
    expect(termsOf(unitsOf("TRY 5, RUB 5, 5 ILS, 30 SEK"))).toEqual(["$5try", "$5rub", "$5ils", "$30sek"]);
    expect(termsOf(unitsOfQuery("30 sek"))).toContain("$30sek");
  });
});

describe("any amount", () => {
  const GROUPINGS = [",", ".", "'", "’", " ", "\u00a0", "\u202f", ""];
  const CURRENCIES: [code: string, before: string[], behind: string[]][] = [
    ["eur", ["€", "EUR ", "eur ", "EUR", "€ ", "Euro "], ["€", " €", "\u00a0€", " EUR", " euro", " Euros", "EUR"]],
    ["gbp", ["£", "GBP ", "£ "], [" GBP", " pounds", "£"]],
    ["usd", ["$", "US$", "USD ", "$ "], [" USD", " dollars", "$", " $"]],
    ["chf", ["CHF ", "SFr. "], [" CHF", " Franken"]],
    ["sek", ["SEK "], [" SEK", " kronor"]],
    ["kr", ["kr ", "kr. "], [" kr", " kr.", "kr"]],
    ["pln", ["PLN "], [" zł", " PLN", " złotych"]],
    ["jpy", ["JPY "], ["円", " yen"]],
    ["inr", ["₹", "Rs. ", "INR "], [" INR", " rupees"]],
    ["brl", ["R$ ", "R$"], [" BRL", " reais"]],
  ];

  function grouped(whole: number, mark: string): string {
    return String(whole).replace(/\B(?=(\d{3})+$)/g, mark);
  }

  const style = fc.record({
    whole: fc.oneof(fc.nat({ max: 2_000 }), fc.nat({ max: 999_999_999 })),
    cents: fc.option(fc.integer({ min: 0, max: 99 })),
    grouping: fc.constantFrom(...GROUPINGS),
    currency: fc.constantFrom(...CURRENCIES),
    isBefore: fc.boolean(),
    which: fc.nat(),
    around: fc.constantFrom(["", ""], ["paid ", " today"], ["(", ")"], ["Total: ", "."], ["line\n", "\nline"]),
  });

  test("has one term, in any style of writing", () => {
    fc.assert(
      fc.property(style, ({ whole, cents, grouping, currency: [code, before, behind], isBefore, which, around }) => {
        const mark = grouping === "," ? "." : grouping === "." ? "," : which % 2 === 0 ? "." : ",";
        const number = `${grouped(whole, grouping)}${cents === null ? "" : `${mark}${two(cents)}`}`;
        const affixes = isBefore ? before : behind;
        const affix = affixes[which % affixes.length]!;
        const text = `${around[0]}${isBefore ? affix + number : number + affix}${around[1]}`;
        const form = `${whole}${cents ? `.${two(cents)}`.replace(/0$/, "") : ""}`;
        expect([text, termsOf(unitsOf(text))]).toEqual([text, [`$${form}${code}`]]);
        expect(termsOf(unitsOfQuery(text))).toContain(`$${form}${code}`);
      }),
      { numRuns: 3_000 },
    );
  });

  test("has the same term with a scale", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 999 }),
        fc.integer({ min: 1, max: 9 }),
        fc.constantFrom(["k", 3], [" thousand", 3], ["m", 6], [" Mio.", 6], [" millions", 6], ["bn", 9], [" Mrd", 9]),
        (whole, tenths, [scale, power]) => {
          const value = BigInt(whole * 10 + tenths) * 10n ** BigInt(Number(power) - 1);
          expect(termsOf(unitsOf(`€${whole}.${tenths}${scale}`))).toEqual([`$${value}eur`]);
          expect(termsOf(unitsOf(`${whole},${tenths}${scale} €`))).toEqual([`$${value}eur`]);
        },
      ),
    );
  });
});

describe("any date", () => {
  const LOCALES = ["en-GB", "en-US", "de", "fr", "es", "it", "nl", "pt", "pl", "sv", "da", "nb"];
  const day = fc.date({
    min: new Date("1990-01-01"),
    max: new Date("2049-12-31"),
    noInvalidDate: true,
  });
  const STYLES: ((date: Date) => string)[] = [
    ...LOCALES.flatMap((locale) =>
      (["long", "short"] as const).map((month) => {
        const format = new Intl.DateTimeFormat(locale, {
          day: "numeric",
          month,
          year: "numeric",
          timeZone: "UTC",
        });
        return (date: Date) => format.format(date);
      }),
    ),
    (date) => date.toISOString(),
    (date) => date.toISOString().slice(0, 10),
    (date) => date.toISOString().slice(0, 10).replace(/-/g, ""),
    (date) => date.toUTCString(),
    (date) => `${date.getUTCDate()}.${date.getUTCMonth() + 1}.${date.getUTCFullYear()}`,
    (date) => `${two(date.getUTCDate())}/${two(date.getUTCMonth() + 1)}/${date.getUTCFullYear()}`,
    (date) => `${date.getUTCMonth() + 1}/${date.getUTCDate()}/${date.getUTCFullYear()}`,
    (date) => `${two(date.getUTCDate())}-${two(date.getUTCMonth() + 1)}-${date.getUTCFullYear()}`,
    (date) => `${two(date.getUTCDate())}.${two(date.getUTCMonth() + 1)}.${two(date.getUTCFullYear() % 100)}`,
    (date) => `${date.getUTCFullYear()}年${date.getUTCMonth() + 1}月${date.getUTCDate()}日`,
  ];

  test("has the same terms in any style of writing", () => {
    fc.assert(
      fc.property(day, fc.constantFrom(...STYLES), fc.constantFrom("", "on ", "Re: "), (date, style, before) => {
        const text = `${before}${style(date)}`;
        const iso = date.toISOString();
        const [month, dayOfMonth] = [iso.slice(5, 7), iso.slice(8, 10)];
        const terms = termsOf(unitsOf(text));
        const wanted = [`@${month}${dayOfMonth}`, `@m${month}`, iso.slice(0, 7), iso.slice(0, 10)];
        for (const term of wanted)
          expect([text, terms]).toEqual([text, expect.arrayContaining([term.replace(/^\d/, "@$&")])]);
        expect([text, termsOf(unitsOfQuery(text))]).toEqual([text, expect.arrayContaining([`@${iso.slice(0, 10)}`])]);
      }),
      { numRuns: 5_000 },
    );
  });

  test("every month is found by its name", () => {
    for (const locale of LOCALES) {
      for (let month = 0; month < 12; month++) {
        const name = new Intl.DateTimeFormat(locale, {
          month: "long",
          timeZone: "UTC",
        }).format(Date.UTC(2026, month, 3));
        expect([name, termsOf(unitsOfQuery(name))]).toEqual([name, [`@m${two(month + 1)}`]]);
      }
    }
  });
});

describe("any text", () => {
  const PIECES =
    "1 12 2026 1.234 08 31 € $ £ kr EUR euros k Mio . , - – / : ' ( ) 月 年 日 万 円 March may mars de of the d' th 1er m 5 1 000 %".split(
      " ",
    );
  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 60 }),
    fc
      .array(fc.constantFrom(...PIECES, " ", " ", " ", "\n", "\u00a0", "１２"), { maxLength: 30 })
      .map((all) => all.join("")),
  );

  test("has units in order, inside the text, without overlaps or surrounding spaces, and never throws", () => {
    fc.assert(
      fc.property(text, (text) => {
        for (const read of BOTH) {
          let floor = 0;
          for (const { start, end, terms } of read(text)) {
            expect(start).toBeGreaterThanOrEqual(floor);
            expect(end).toBeGreaterThan(start);
            expect(end).toBeLessThanOrEqual(text.length);
            const covered = text.slice(start, end);
            expect(covered.trim()).toBe(covered);
            expect(terms).not.toBeEmpty();
            expect(new Set(terms).size).toBe(terms.length);
            for (const term of terms) {
              expect(term).toMatch(
                /^(\$(0|[1-9]\d*|\d+\.\d*[1-9])[a-z]{2,3}|@\d{4}|@m\d\d|@\d{4}-\d\d(-\d\d)?|\d{7,25})$/,
              );
            }
            floor = end;
          }
        }
      }),
      { numRuns: 20_000 },
    );
  });

  test("is read the same in a query and in the index, where both find a unit at the same position", () => {
    fc.assert(
      fc.property(text, (text) => {
        const asked = new Map(unitsOfQuery(text).map((unit) => [`${unit.start}-${unit.end}`, unit]));
        for (const { start, end, terms } of unitsOf(text)) {
          const unit = asked.get(`${start}-${end}`);
          if (unit) expect(unit.terms.some((term) => terms.includes(term))).toBe(true);
        }
      }),
      { numRuns: 5_000 },
    );
  });
});

describe("hostile text", () => {
  const PIECES = [
    "1,",
    "1",
    "€",
    "1 ",
    "1-",
    "1.",
    "000 ",
    "1 000 ",
    "€1",
    "1€",
    "12 March ",
    "March ",
    "March 12 ",
    "1/",
    "1:",
    "12€50",
    "a1",
    "1a",
    "$ ",
    "EUR ",
    "EUR 1 ",
    "1 EUR ",
    "1 k",
    "1 de ",
    "d'",
    "1 d'",
    "年",
    "3月",
    "2026年",
    "１",
    "é1",
    "1\u0301",
    "12.03.",
    "fr. ",
    "10-20 €",
    "k",
    "'",
  ];

  /** Counts how often characters are read, because the time would depend on the machine. */
  test.each(PIECES)("%p repeated is read in linear time", (piece) => {
    const reads = (chars: number) => {
      const text = piece.repeat(Math.ceil(chars / piece.length));
      let count = 0;
      const original = String.prototype.charCodeAt;
      String.prototype.charCodeAt = function (this: string, at: number) {
        count++;
        return original.call(this, at);
      };
      try {
        for (const read of BOTH) read(text);
      } finally {
        String.prototype.charCodeAt = original;
      }
      return count;
    };
    expect(reads(8_192)).toBeLessThan(200 * 8_192);
    expect(reads(32_768)).toBeLessThanOrEqual(4.5 * reads(8_192));
  });

  test.each(PIECES)("256 KB of %p are read within the limit of units", (piece) => {
    const text = piece.repeat(Math.ceil(262_144 / piece.length));
    for (const read of BOTH) expect(read(text).length).toBeLessThanOrEqual(2 * MAX_UNITS);
  });
});
