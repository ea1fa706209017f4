import { expect, test } from "bun:test";
import { groupedNumbers } from "./grouped-numbers.ts";
import { unitsOf, unitsOfQuery } from "./units.ts";

const indexed = (text: string) => groupedNumbers(text, unitsOf(text), false).flatMap(({ terms }) => terms);

test.each([
  ["Call me on 020 7946 0958.", ["02079460958"]],
  ["Tel. 030 / 901820-45", ["03090182045"]],
  ["06.12.34.56.78", ["0612345678"]],
  ["(503) 203-1539", ["5032031539"]],
  ["+49 171 2345678", ["01712345678", "491712345678"]],
  ["+49 (0)171 2345678", ["01712345678", "4901712345678"]],
  ["+1 503-203-1539", ["5032031539", "15032031539"]],
  ["+351 21 123 4567", ["0211234567", "351211234567"]],
  ["+442079460958", ["02079460958", "442079460958"]],
  ["DE44 5001 0517 5407 3249 31", ["44500105175407324931"]],
  ["PH-2026-118834", ["2026118834"]],
])("the numbers of %p are %p", (text, terms) => expect(indexed(text)).toEqual(terms));

test.each([
  ["a single run of digits", "4500038812"],
  ["a date", "on 2026-03-12 at 10:30"],
  ["an amount", "1 234 567,00 € and $2,450,000"],
  ["an IP address", "192.168.100.200"],
  ["too few digits", "12 34 56"],
  ["single digits", "1 2 3 4 5 6 7 8"],
  ["a table", "12 34 56 78 90 12 34 56 78 90 12 34"],
])("%s is not a grouped number", (_, text) => expect(indexed(text)).toEqual([]));

test.each([
  ["02079460958", "02079460958", "020 7946 0958"],
  ["+442079460958", "02079460958", "020 7946 0958"],
  ["01712345678", "01712345678", "+49 (0) 171 2345678"],
  ["PH2026118834", "2026118834", "PH-2026-118834"],
  ["DE44500105175407324931", "44500105175407324931", "DE44 5001 0517 5407 3249 31"],
])("%s in a query searches for %s, which is a term of %s", (query, term, text) => {
  const [unit, ...others] = unitsOfQuery(query);
  expect(others).toEqual([]);
  expect([unit!.start, unit!.end]).toEqual([0, query.length]);
  expect(unit!.terms).toContain(term);
  expect(indexed(text)).toContain(term);
});

test("takes time linear in the length of the text", () => {
  for (const text of ["1 ".repeat(100_000), "12-34 ".repeat(50_000), "+(".repeat(100_000), "1".repeat(200_000)]) {
    const began = performance.now();
    groupedNumbers(text, [], true);
    expect(performance.now() - began).toBeLessThan(1_000);
  }
});
