import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createSearchFixture, type SearchFixture } from "../../../test/support/search-fixture.ts";

const FILE = { index: 0, part: null, encoding: null, mime: "application/pdf", size: 10, contentId: null };

let s: SearchFixture;
beforeEach(() => {
  s = createSearchFixture();
});
afterEach(() => s.h.close());

describe("full-text search", () => {
  test("all words must match if any message has all of them; inflection, case and accents are ignored", async () => {
    s.deliver({ subject: "Invoices for March", text: "Please find our invoices attached." });
    s.deliver({ subject: "Lunch", text: "An invoice? No." });
    s.deliver({ subject: "Café in München", text: "Réservé à 19 h." });
    expect(await s.find("invoice march")).toEqual(["Invoices for March"]);
    expect((await s.find("INVOICE")).sort()).toEqual(["Invoices for March", "Lunch"]);
    expect(await s.find("cafe munchen reserve")).toEqual(["Café in München"]);
    expect(await s.find("lunch invoice")).toEqual(["Lunch"]);
    // No message has both words.
    expect((await s.find("invoice zebra")).sort()).toEqual(["Invoices for March", "Lunch"]);
    expect(await s.find('invoice "zebra"')).toEqual([]);
  });

  test("a hit in the subject or the sender ranks above one in the body", async () => {
    const filler = "Nothing to be said of it in this text at all.";
    s.deliver({ subject: "b", text: filler, from: { name: "Saturn", email: "s@example.net" } });
    s.deliver({ subject: "Saturn", text: filler });
    s.deliver({ subject: "a", text: `${filler} Saturn.` });
    expect((await s.find("saturn")).at(-1)).toBe("a");
  });

  test("phrases, negations, alternatives and prefixes restrict the results", async () => {
    s.deliver({ subject: "one", text: "the quick brown fox" });
    s.deliver({ subject: "two", text: "the brown quick fox" });
    s.deliver({ subject: "three", text: "a foxglove" });
    expect(await s.find('"quick brown"')).toEqual(["one"]);
    expect(await s.find('fox -"quick brown"')).toEqual(["two"]);
    expect((await s.find("foxglove OR brown")).sort()).toEqual(["one", "three", "two"]);
    expect((await s.find("fox*")).sort()).toEqual(["one", "three", "two"]);
    expect((await s.find("-quick")).sort()).toEqual(["three"]);
    expect(await s.find("brown -fox")).toEqual([]);
    expect(await s.find('"foxes"')).toEqual([]);
  });

  test("a quoted word or a prefix matches the literal form and not the stem of another word", async () => {
    s.deliver({ subject: "a", text: "The news of the organization, and you will like it." });
    s.deliver({ subject: "b", text: "A new organ for the church, and you will like it." });
    expect(await s.find('"new"')).toEqual(["b"]);
    expect(await s.find('"organ"')).toEqual(["b"]);
    expect(await s.find('like -"new"')).toEqual(["a"]);
    expect((await s.find("organ*")).sort()).toEqual(["a", "b"]);
  });

  test("a short word of another language that an English stemming rule would shorten is found", async () => {
    s.deliver({ subject: "de", text: "Der Bus ist noch nicht da, und das Gas wird auch nicht wieder billig." });
    for (const query of ["Bus", "gas", "Bus Gas"]) expect([query, await s.find(query)]).toEqual([query, ["de"]]);
  });

  test("addresses, links, numbers with units and order numbers match as a whole and in parts", async () => {
    s.deliver({
      subject: "parcel",
      text: "Order ORD-2024-0042 (10kg, 1,299.00 EUR): https://shop.example.org/track?id=77 for ada.lovelace@example.org",
    });
    s.deliver({ subject: "other", text: "Order ORD-2023-0042 weighs 12 kg; see example.com" });
    for (const query of [
      "ORD-2024-0042",
      "2024-0042",
      "ord-2024",
      "10kg",
      "10 kg",
      "1299.00",
      "1,299.00",
      "shop.example.org",
      "https://shop.example.org/track?id=77",
      "ada.lovelace@example.org",
      "lovelace",
      "track",
    ]) {
      expect([query, await s.find(query)]).toEqual([query, ["parcel"]]);
    }
  });

  test("languages without spaces and languages other than English work", async () => {
    s.deliver({ subject: "ja", text: "明日の会議の資料を東京に送ってください。" });
    s.deliver({ subject: "th", text: "พรุ่งนี้มีการประชุมที่กรุงเทพ" });
    s.deliver({
      subject: "de",
      text: "Die Rechnungen für den Monat sind noch nicht bezahlt, und ich bitte um Nachricht.",
    });
    s.deliver({ subject: "ru", text: "Мы отправили вам счета за март, пожалуйста, проверьте." });
    expect(await s.find("会議")).toEqual(["ja"]);
    expect(await s.find("東京 資料")).toEqual(["ja"]);
    expect(await s.find("ประชุม")).toEqual(["th"]);
    expect(await s.find("Rechnung")).toEqual(["de"]);
    expect(await s.find("счет")).toEqual(["ru"]);
  });

  test("a question matches messages that lack some of its words", async () => {
    s.deliver({ subject: "lens", text: "The crystalline lens of vertebrates grows for life." });
    s.deliver({ subject: "other", text: "Lunch is at noon." });
    expect(await s.find("what is known (at all) of how the crystalline lens of a bird grows?")).toEqual(["lens"]);
  });
});

describe("operators", () => {
  const DAY_MS = 86_400_000;

  test("operators for people, subject and file names search only their field", async () => {
    s.deliver({ subject: "from ada", text: "x", from: { name: "Ada L", email: "ada@lovelace.example" } });
    s.deliver({ subject: "to ada", text: "x", to: [{ name: "", email: "ada@lovelace.example" }] });
    s.deliver({ subject: "cc ada", text: "x", cc: [{ name: "", email: "ada@lovelace.example" }] });
    s.deliver({
      subject: "says ada",
      text: "ada@lovelace.example",
      attachments: [{ ...FILE, name: "Report-2024.pdf", disposition: "attachment" }],
    });
    expect(await s.find("from:ada@lovelace.example")).toEqual(["from ada"]);
    expect(await s.find("from:lovelace.example")).toEqual(["from ada"]);
    expect(await s.find("to:ada@lovelace.example")).toEqual(["to ada"]);
    expect(await s.find("cc:lovelace")).toEqual(["cc ada"]);
    expect(await s.find("subject:says")).toEqual(["says ada"]);
    expect(await s.find("filename:report-2024.pdf")).toEqual(["says ada"]);
    expect(await s.find('from:"ada l"')).toEqual(["from ada"]);
    expect((await s.find("lovelace -from:ada")).sort()).toEqual(["cc ada", "says ada", "to ada"]);
    expect((await s.find("from:lovelace OR cc:lovelace")).sort()).toEqual(["cc ada", "from ada"]);
  });

  test("operators for flags, locations, labels, attachments and time filter the results", async () => {
    const now = s.h.clock.now();
    s.deliver({ subject: "old", text: "word", at: now - 400 * DAY_MS });
    s.deliver({ subject: "new unread", text: "word", at: now - DAY_MS, flags: { seen: false } });
    s.deliver({
      subject: "starred",
      text: "word",
      at: now - 2 * DAY_MS,
      flags: { flagged: true },
      labels: ["Work stuff"],
    });
    s.deliver({ subject: "sent", text: "word", at: now - 3 * DAY_MS, role: "sent" });
    s.deliver({ subject: "junk", text: "word", at: now - 4 * DAY_MS, role: "spam" });
    s.deliver({
      subject: "filed",
      text: "word",
      at: now - 5 * DAY_MS,
      role: "archive",
      attachments: [{ ...FILE, name: "a.pdf", disposition: "attachment" }],
    });
    expect(await s.find("word is:unread")).toEqual(["new unread"]);
    expect(await s.find("is:starred")).toEqual(["starred"]);
    expect(await s.find('label:"Work stuff"')).toEqual(["starred"]);
    expect(await s.find("label:nothing")).toEqual([]);
    expect(await s.find("in:sent word")).toEqual(["sent"]);
    expect(await s.find("in:spam")).toEqual(["junk"]);
    expect(await s.find("in:archived has:attachment")).toEqual(["filed"]);
    expect(await s.find("word older_than:1y")).toEqual(["old"]);
    expect(await s.find("word newer_than:36h")).toEqual(["new unread"]);
    expect(await s.find("in:anywhere word")).toHaveLength(6);
    expect(await s.find("word")).not.toContain("junk");
    const day = new Date(now - 3 * DAY_MS).toISOString().slice(0, 10);
    expect((await s.find(`word before:${day}`)).sort()).toEqual(["filed", "old"]);
    expect(await s.find(`word after:${day} -in:inbox`)).toEqual(["sent"]);
    // Excluding a location does not request another one.
    expect((await s.find("word -in:inbox")).sort()).toEqual(["filed", "sent"]);
    // Without words, the newest first.
    expect(await s.find("-is:unread in:inbox")).toEqual(["starred", "old"]);
  });

  test("an invalid value is an error that states what is expected", async () => {
    for (const query of [
      "is:foo",
      "has:x",
      "in:nowhere",
      "before:soon",
      "after:2026-02-31",
      "older_than:3",
      "newer_than:99999999d",
      "-a ".repeat(40),
      Array.from({ length: 12 }, (_, i) => `from:"one two three${i}"`).join(" "),
      Array.from({ length: 20 }, (_, i) => `is:read newer_than:${i}d`).join(" OR "),
    ]) {
      const { status, json } = await s.h.call("POST", "/search", { body: { query, mode: "keyword" } });
      expect([query, status, json.error?.code, json.error?.param]).toEqual([query, 400, "invalid_params", "query"]);
    }
    for (const query of [
      "ab*",
      "from:",
      "abc* bcd* cde* def* efg*",
      Array.from({ length: 12 }, (_, i) => `"one two three${i}"`).join(" "),
      "foo:bar",
      "http://example.org",
      "a:b:c",
      "::",
      "re: lunch",
      "-",
      "- -",
      '"',
      "OR",
      "OR OR",
      "*",
      "()",
      "💥",
    ]) {
      expect([query, (await s.h.call("POST", "/search", { body: { query, mode: "keyword" } })).status]).toEqual([
        query,
        200,
      ]);
    }
  });
});
