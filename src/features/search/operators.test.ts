import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createSearchFixture, type SearchFixture } from "../../../test/support/search-fixture.ts";
import { seedMailbox } from "../../../test/support/seed-mail.ts";

let s: SearchFixture;
beforeEach(() => {
  s = createSearchFixture();
});
afterEach(() => s.h.close());

const sorted = async (query: string) => (await s.find(query)).sort();

describe("operators on message properties", () => {
  test("larger: is exclusive, smaller: is exclusive, size: is a minimum", async () => {
    s.deliver({ subject: "small", text: "word", size: 1_023 });
    s.deliver({ subject: "exact", text: "word", size: 1_024 });
    s.deliver({ subject: "large", text: "word", size: 3 * 1_024 * 1_024 });
    expect(await sorted("word larger:1k")).toEqual(["large"]);
    expect(await sorted("word smaller:1k")).toEqual(["small"]);
    expect(await sorted("size:1k")).toEqual(["exact", "large"]);
    expect(await sorted("larger:1023 smaller:1MB")).toEqual(["exact"]);
    expect(await sorted("-larger:2m")).toEqual(["exact", "small"]);
    expect(await sorted("smaller:0")).toEqual([]);
  });

  test("category: accepts the names of tabs, and those of Gmail", async () => {
    for (const category of ["primary", "social", "promotions", "updates"] as const) {
      s.deliver({ subject: category, text: "word", category });
    }
    expect(await sorted("category:social")).toEqual(["social"]);
    expect(await sorted("word category:{promotions forums}")).toEqual(["promotions", "updates"]);
    expect(await sorted("word -category:(promotions OR social)")).toEqual(["primary", "updates"]);
  });

  test("is:important finds the messages that the server marked as important", async () => {
    s.deliver({ subject: "important", text: "word", flags: { important: true } });
    s.deliver({ subject: "other", text: "word" });
    expect(await sorted("is:important")).toEqual(["important"]);
    expect(await sorted("word -is:important")).toEqual(["other"]);
  });

  test("rfc822msgid: finds one message, for any notation of the header, and only the user's own", async () => {
    s.deliver({ subject: "angled", text: "word", messageId: "<a.B{1}@x.example>" });
    s.deliver({ subject: "bare", text: "word", messageId: "bare@x.example" });
    const eve = s.h.newUser("eve@example.org");
    const theirs = seedMailbox(s.h.platform, eve.id, { mailbox: s.mailbox, email: "eve@example.org" });
    s.deliver({ subject: "theirs", text: "word", messageId: "<a.B{1}@x.example>" }, theirs);
    expect(await s.find("rfc822msgid:<a.B{1}@x.example>")).toEqual(["angled"]);
    expect(await s.find('rfc822msgid:"a.B{1}@x.example"')).toEqual(["angled"]);
    expect(await s.find("word rfc822msgid:<bare@x.example>")).toEqual(["bare"]);
    expect(await s.find("rfc822msgid:bare@x.example.")).toEqual(["bare"]);
    expect(await s.find("rfc822msgid:a.b{1}@x.example")).toEqual([]);
    expect(await sorted("word -rfc822msgid:bare@x.example")).toEqual(["angled"]);
  });

  test("older: and newer: accept days and periods, and days in common notations", async () => {
    const at = (day: string) => Date.parse(`${day}T12:00:00Z`);
    s.deliver({ subject: "november", text: "word", at: at("2025-11-20") });
    s.deliver({ subject: "december", text: "word", at: at("2025-12-05") });
    for (const day of ["2025-12-01", "12/1/2025", "1.12.2025", "2025/12/01"]) {
      for (const name of ["before", "older"]) expect(await s.find(`word ${name}:${day}`)).toEqual(["november"]);
      for (const name of ["after", "newer"]) expect(await s.find(`word ${name}:${day}`)).toEqual(["december"]);
    }
    expect(await s.find("word before:21/11/2025")).toEqual(["november"]);
    const days = Math.ceil((s.h.clock.now() - at("2025-12-01")) / 86_400_000);
    expect(await s.find(`word older:${days}d`)).toEqual(["november"]);
    expect(await s.find(`word newer:${days}d`)).toEqual(["december"]);
  });
});

describe("groups", () => {
  test("of words work in fields and when excluded", async () => {
    s.deliver({ subject: "red apple", text: "fruit" });
    s.deliver({
      subject: "green apple",
      text: "fruit and red leaves",
      from: { name: "Ada", email: "ada@example.net" },
    });
    s.deliver({ subject: "red car", text: "apple sticker", from: { name: "Carl", email: "carl@example.net" } });
    expect(await sorted("subject:(red apple)")).toEqual(["red apple"]);
    expect(await sorted("subject:(car OR green)")).toEqual(["green apple", "red car"]);
    expect(await sorted("from:(ada OR carl)")).toEqual(["green apple", "red car"]);
    expect(await sorted("apple -subject:(red apple)")).toEqual(["green apple", "red car"]);
    expect(await sorted("apple -(red fruit)")).toEqual(["red car"]);
    expect(await sorted("apple -{leaves sticker}")).toEqual(["red apple"]);
    expect(await sorted("{leaves sticker}")).toEqual(["green apple", "red car"]);
    expect(await sorted("(red fruit) OR sticker")).toEqual(["green apple", "red apple", "red car"]);
    expect(await sorted("(leaves OR sticker) AND red")).toEqual(["green apple", "red car"]);
    expect(await sorted("(leaves OR (red car)) from:carl")).toEqual(["red car"]);
  });

  test("of locations count as a requested location", async () => {
    s.deliver({ subject: "in", text: "word" });
    s.deliver({ subject: "out", text: "word", role: "trash" });
    expect(await sorted("word in:(inbox OR trash)")).toEqual(["in", "out"]);
    expect(await sorted("word -in:(inbox OR archived)")).toEqual([]);
  });
});

test("list: and deliveredto: find a message that was reindexed from its stored text", async () => {
  const headers = new Map([
    ["list-id", ["Dev list <dev.lists.example>"]],
    ["delivered-to", ["ada+shop@example.org"]],
  ]);
  const { n } = s.deliver({ subject: "a", headers });
  s.mailbox.fileTexts.store(s.h.user.id, n, "text of an attachment");
  for (const query of ["attachment", "list:dev.lists.example", "deliveredto:ada+shop@example.org"]) {
    expect([query, await s.find(query)]).toEqual([query, ["a"]]);
  }
});
