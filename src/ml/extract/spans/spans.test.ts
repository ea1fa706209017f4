import { describe, expect, test } from "bun:test";
import { spansOf } from "./spans.ts";
import type { SpanKind } from "./typed-span.ts";

/** A Monday. */
const WRITTEN = Date.parse("2026-03-02T09:00:00Z");
const normals = (text: string, kind: SpanKind) => spansOf(text, kind, WRITTEN).map(({ normal }) => normal);
const texts = (text: string, kind: SpanKind) => spansOf(text, kind, WRITTEN).map((span) => span.text);

describe("dates", () => {
  test.each([
    ["We moved it to Friday 20 March at 9:40.", "2026-03-20"],
    ["am Dienstag, 17. März, zwischen 14 und 16 Uhr", "2026-03-17"],
    ["avant le 1er avril", "2026-04-01"],
    ["el 3 de enero de 2027", "2027-01-03"],
    ["até 10 de março", "2026-03-10"],
    ["entro il 16 marzo", "2026-03-16"],
    ["uiterlijk maandag 20 april", "2026-04-20"],
    ["出荷は3月25日（水）です", "2026-03-25"],
    ["bis 18.03.", "2026-03-18"],
    ["on 2026-05-04", "2026-05-04"],
    ["April 7th, 2026", "2026-04-07"],
    ["vom 4. bis 12. April", "2026-04-04"],
    ["I leave tomorrow", "2026-03-03"],
    ["on Thursday", "2026-03-05"],
    ["the 17th is fine", "2026-03-17"],
    ["in May 2027", "2027-05"],
  ])("%s", (text, day) => expect(normals(text, "date")).toEqual([day]));

  test.each(["72 hours", "version 1.2.3", "0176 5550 4821", "you may come", "€12.50"])("not in %s", (text) =>
    expect(normals(text, "date")).toEqual([]),
  );

  test("a day that was shortly before is in this year, an earlier one in the next", () => {
    expect(normals("on 12 February", "date")).toEqual(["2026-02-12"]);
    expect(normals("on 12 November", "date")).toEqual(["2026-11-12"]);
  });
});

describe("times", () => {
  test.each([
    ["at 9:40", "09:40"],
    ["7.30 pm.", "19:30"],
    ["à 14h20", "14:20"],
    ["ab 15 Uhr", "15:00"],
    ["om 7.30 uur", "07:30"],
    ["by half past eight", "08:30"],
    ["um halb acht", "07:30"],
    ["a las ocho y media", "08:30"],
    ["午後3時", "15:00"],
    ["16時10分", "16:10"],
    ["around three in the afternoon", "15:00"],
  ])("%s", (text, time) => expect(normals(text, "time")).toEqual([time]));

  test("durations, prices and numbers of people are not times", () => {
    for (const text of ["3時間", "€9.50", "at 12 people", "1.200"]) expect(normals(text, "time")).toEqual([]);
  });
});

test("numbers are money, durations, measures or counts, also as words", () => {
  const text = "Wir zahlen 0,11 € für 84.000 Wörter, in vier Wochen, an zwei Leute; das Paket wiegt 11,4 kg.";
  expect(normals(text, "amount")).toEqual(["0.11 EUR"]);
  expect(texts(text, "measure")).toEqual(["84.000 Wörter", "11,4 kg"]);
  expect(normals(text, "duration")).toEqual(["4 wochen"]);
  expect(normals(text, "count")).toEqual(["2"]);
  expect(texts("vingt-trois enfants et dreiundzwanzig Kinder", "count")).toEqual(["vingt-trois", "dreiundzwanzig"]);
  expect(normals("上映料は25,000円です", "amount")).toEqual(["25000 JPY"]);
});

test("telephone numbers, addresses and references are told apart", () => {
  const text =
    "Tel. 0221 555 0120, Berrenrather Str. 211, flight SV 2217, booking QW7T3L, contract VN-2026-0173, 12 rue du Puits";
  expect(texts(text, "phone")).toEqual(["0221 555 0120"]);
  expect(texts(text, "address")).toEqual(["Berrenrather Str. 211", "12 rue du Puits"]);
  expect(texts(text, "code")).toEqual(["SV 2217", "QW7T3L", "VN-2026-0173"]);
  expect(texts("in room 312, from platform 4", "code")).toEqual(["312", "4"]);
});

test("names are titled, of several words, or single within a sentence", () => {
  expect(texts("Yesterday we met Frau Yilmaz and Koen De Vos at the office of Optovia.", "name")).toEqual([
    "Frau Yilmaz",
    "Koen De Vos",
    "Optovia",
  ]);
  expect(texts("通訳は佐藤さんです", "name")).toEqual(["佐藤さん"]);
});

test("long and hostile texts are read in little time", () => {
  const began = performance.now();
  for (const piece of ["1 ", "12:", "A1-", "12. ", "a@a.", "März ", "€1.", "時1", "Str. "]) {
    const text = piece.repeat(20_000);
    for (const kind of ["date", "time", "amount", "count", "phone", "code", "name", "address"] as const) {
      spansOf(text, kind, WRITTEN);
    }
  }
  expect(performance.now() - began).toBeLessThan(3_000);
});
