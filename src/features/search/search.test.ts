import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readIndex } from "../../../test/support/index-content.ts";
import { createSearchFixture, type SearchFixture } from "../../../test/support/search-fixture.ts";
import { seedMailbox } from "../../../test/support/seed-mail.ts";

let s: SearchFixture;
beforeEach(() => {
  s = createSearchFixture();
});
afterEach(() => s.h.close());

describe("a result", () => {
  test("has a snippet of the matching words, escaped", async () => {
    s.deliver({
      subject: "s",
      text: `${"Blah blah. ".repeat(100)}Then <b>the invoices</b> & more by ada@example.org. ${"Blah. ".repeat(100)}`,
    });
    const { json } = await s.h.call("POST", "/search", {
      body: { query: "invoice from:bob ada@example.org", mode: "keyword" },
    });
    const { snippet } = json.data[0];
    expect(snippet).toContain(
      "&lt;b&gt;the <mark>invoices</mark>&lt;/b&gt; &amp; more by <mark>ada@example.org</mark>.",
    );
    expect(snippet.length).toBeLessThan(400);
    expect(json.data[0]).toMatchObject({ score: 1, matched_by: ["keyword"], other_matches: 0 });
  });

  test("is the best match of its thread, with the number of other matches", async () => {
    const first = s.deliver({ subject: "Plans", text: "picnic", messageId: "<p1@x>" });
    s.deliver({
      subject: "Re: Plans",
      text: "picnic picnic",
      messageId: "<p2@x>",
      inReplyTo: ["<p1@x>"],
      references: ["<p1@x>"],
    });
    const { json } = await s.h.call("POST", "/search", { body: { query: "picnic", mode: "keyword" } });
    expect(json.data).toMatchObject([{ thread_id: first.thread_id, other_matches: 1 }]);
  });

  test("is on exactly one page, and all pages together cost one credit", async () => {
    for (let i = 0; i < 7; i++) s.deliver({ subject: `n${i}`, text: "same words" });
    s.semantic = s.knowing({});
    const seen: string[] = [];
    let cursor: string | undefined;
    let spent = 0;
    do {
      const body = { query: "same words", mode: "hybrid", limit: 3, ...(cursor ? { cursor } : {}) };
      const { json } = await s.h.call("POST", "/search", { body });
      seen.push(...json.data.map((row: { subject: string }) => row.subject));
      spent += json.credits_spent;
      cursor = json.next_cursor;
      // Mail that arrives in between does not change the pages.
      s.deliver({ subject: "late", text: "same words same words" });
    } while (cursor);
    expect([seen.length, new Set(seen).size, seen.includes("late"), spent]).toEqual([7, 7, false, 1]);
    const other = await s.h.call("POST", "/search", { body: { query: "same words", mode: "hybrid", limit: 3 } });
    const mixed = await s.h.call("POST", "/search", {
      body: { query: "other", mode: "hybrid", cursor: other.json.next_cursor },
    });
    expect([mixed.status, mixed.json.error.param]).toEqual([400, "cursor"]);
  });

  test("follows the previous pages, newest first among equal scores, while mail is added and deleted", async () => {
    // The first stored messages are the newest, as in a first sync, and all have the same score.
    const base = s.h.clock.now();
    for (let i = 0; i < 330; i++)
      s.deliver({ subject: `n${i}`, text: "same", at: base - i * 60_000, messageId: `<${i}@x>` });
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const body = { query: "same", mode: "keyword", limit: 100, ...(cursor ? { cursor } : {}) };
      const { json } = await s.h.call("POST", "/search", { body });
      expect(json.has_more).toBe(json.next_cursor !== undefined);
      seen.push(...json.data.map((row: { subject: string }) => row.subject));
      cursor = json.next_cursor;
      s.deliver({ subject: `z${seen.length}`, text: "same", at: base + seen.length });
    } while (cursor);
    expect(seen.filter((subject) => subject.startsWith("n"))).toEqual(Array.from({ length: 330 }, (_, i) => `n${i}`));
    expect(new Set(seen).size).toBe(seen.length);
  }, 120_000);

  test("is never from another user, or from another mailbox than the key's", async () => {
    const eve = s.h.newUser("eve@example.org");
    const theirs = seedMailbox(s.h.platform, eve.id, { mailbox: s.mailbox, email: "eve@example.org" });
    s.deliver({ subject: "theirs", text: "secret plan" }, theirs);
    const second = seedMailbox(s.h.platform, s.h.user.id, { mailbox: s.mailbox, email: "second@example.org" });
    s.deliver({ subject: "mine", text: "secret plan" });
    s.deliver({ subject: "second", text: "secret plan" }, second);
    expect((await s.find("secret")).sort()).toEqual(["mine", "second"]);
    expect(await s.find("secret", { account_id: second.account.id })).toEqual(["second"]);
    const bound = s.h.newKey({ account_id: second.account.id }).secret;
    const { json } = await s.h.call("POST", "/search", { key: bound, body: { query: "secret", mode: "keyword" } });
    expect(json.data.map((row: { subject: string }) => row.subject)).toEqual(["second"]);
    for (const account_id of [theirs.account.id, "acc_nonsense"]) {
      expect((await s.h.call("POST", "/search", { body: { query: "secret", account_id } })).status).toBe(404);
    }
    const foreign = await s.h.call("POST", "/search", {
      key: bound,
      body: { query: "secret", account_id: s.seeded.account.id },
    });
    expect(foreign.status).toBe(404);
  });

  test("disappears with its message, for every way of deleting it", async () => {
    const { id } = s.deliver({ subject: "gone", text: "ephemeral" });
    s.deliver({ subject: "kept", text: "ephemeral" });
    s.h.platform.db.sql.query("DELETE FROM messages WHERE id = ?").run(id);
    expect(await s.find("ephemeral")).toEqual(["kept"]);
    s.mailbox.accounts.remove(s.seeded.account);
    expect(await s.find("ephemeral")).toEqual([]);
    expect(readIndex(s.h.platform, s.h.user.id)).toEqual([]);
  });

  test("disappears with its message when segments are merged", async () => {
    const { fullText } = s.mailbox;
    const maintenance = { rest: async () => {}, flush: true, compact: true };
    const { id } = s.deliver({ subject: "gone", text: "ephemeral secret" });
    s.deliver({ subject: "kept", text: "ephemeral" });
    await fullText.maintain(s.h.user.id, maintenance);
    s.h.platform.db.sql.query("DELETE FROM messages WHERE id = ?").run(id);
    expect(await s.find("ephemeral")).toEqual(["kept"]);
    expect(readIndex(s.h.platform, s.h.user.id, { deleted: true }).length).toBe(2);
    await fullText.maintain(s.h.user.id, maintenance);
    const [left, ...more] = readIndex(s.h.platform, s.h.user.id, { deleted: true });
    expect([left!.terms.has("ephemeral"), left!.terms.has("secret"), more]).toEqual([true, false, []]);
    expect(await s.find("ephemeral")).toEqual(["kept"]);
  });
});

describe("semantic search", () => {
  test("adds messages with other words, and ranks messages with the same words", async () => {
    s.deliver({ subject: "reschedule", text: "Could we find another day for our appointment?" });
    s.deliver({ subject: "meeting", text: "meeting" });
    s.deliver({ subject: "unrelated", text: "kernel panic" });
    s.semantic = s.knowing({ reschedule: 0.7, meeting: 0.9, unrelated: 0.05 });
    const ask = async (mode: string) =>
      (await s.h.call("POST", "/search", { body: { query: "meeting", mode } })).json.data.map(
        (row: { subject: string; matched_by: string[] }) => [row.subject, row.matched_by],
      );
    expect(await ask("keyword")).toEqual([["meeting", ["keyword"]]]);
    expect(await ask("hybrid")).toEqual([
      ["meeting", ["keyword", "semantic"]],
      ["reschedule", ["semantic"]],
    ]);
    expect(await ask("semantic")).toEqual([
      ["meeting", ["semantic"]],
      ["reschedule", ["semantic"]],
    ]);
  });

  test("spam does not displace other results", async () => {
    for (let i = 0; i < 310; i++) s.deliver({ subject: "win", text: "lottery", role: "spam" });
    s.deliver({ subject: "mine", text: "a raffle at school" });
    s.semantic = s.knowing({ win: 0.9, mine: 0.5 });
    expect(await s.find("prize draw", { mode: "semantic" })).toEqual(["mine"]);
  }, 60_000);

  test("indexed messages are counted only in the searched mailbox", async () => {
    const second = seedMailbox(s.h.platform, s.h.user.id, { mailbox: s.mailbox, email: "second@example.org" });
    s.deliver({ subject: "first", text: "word" });
    s.deliver({ subject: "second", text: "word" }, second);
    s.semantic = s.knowing({ first: 0.5, second: 0.5 });
    const bound = s.h.newKey({ account_id: second.account.id }).secret;
    const { json } = await s.h.call("POST", "/search", { key: bound, body: { query: "word" } });
    expect(json).toMatchObject({ indexed: 1, waiting: 0, partial: false });
  });

  test("operators apply in every mode", async () => {
    s.deliver({ subject: "a", text: "x", flags: { seen: false } });
    s.deliver({ subject: "b", text: "x" });
    s.deliver({ subject: "c", text: "forbidden", flags: { seen: false } });
    s.semantic = s.knowing({ a: 0.5, b: 0.9, c: 0.9 });
    for (const mode of ["semantic", "hybrid"])
      expect(await s.find("anything is:unread -forbidden", { mode })).toEqual(["a"]);
  });

  test("if the model is not ready, keyword results are returned and marked as partial", async () => {
    s.deliver({ subject: "a", text: "word" });
    const { status, json } = await s.h.call("POST", "/search", { body: { query: "word" } });
    expect(status).toBe(200);
    expect(json).toMatchObject({ mode: "hybrid", partial: true, indexed: 0, credits_spent: 0 });
    expect(json.data).toHaveLength(1);
    const semantic = await s.h.call("POST", "/search", { body: { query: "word", mode: "semantic" } });
    expect([semantic.status, semantic.json.partial]).toEqual([200, true]);
    s.semantic = s.knowing({});
    const waiting = await s.h.call("POST", "/search", { body: { query: "word", mode: "semantic" } });
    expect(waiting.json).toMatchObject({ partial: true, indexed: 0, waiting: 1 });
  });
});

test("the pages of a search without a model include every row", async () => {
  for (let i = 0; i < 20; i++) s.deliver({ subject: `a${i}`, text: "word" });
  const found = new Set<string>();
  let cursor: string | undefined;
  do {
    const body = { query: "word", mode: "hybrid", limit: 2, ...(cursor && { cursor }) };
    const { json } = await s.h.call("POST", "/search", { body });
    for (const { subject } of json.data) found.add(subject);
    cursor = json.next_cursor;
  } while (cursor);
  expect(found.size).toBe(20);
});

describe("credits", () => {
  const used = (fixture: SearchFixture) => fixture.h.platform.meters.used("ai_credits", fixture.h.user.id);

  test("keyword search costs none, semantic search costs one, and a refused query costs none", async () => {
    s.deliver({ subject: "a", text: "word" });
    await s.find("word");
    for (const mode of ["semantic", "hybrid"]) await s.find("word", { mode });
    // An answer without the semantic model costs nothing, either.
    expect(used(s)).toBe(0);
    s.semantic = s.knowing({});
    for (const mode of ["semantic", "hybrid"]) await s.find("word", { mode });
    expect(used(s)).toBe(2);
    const refused = await s.h.call("POST", "/search", { body: { query: "is:nonsense", mode: "semantic" } });
    expect([refused.status, used(s)]).toEqual([400, 2]);
  });

  test("a query of operators alone does not use the model and costs none", async () => {
    s.deliver({ subject: "a", text: "word" });
    s.semantic = s.knowing({});
    for (const query of ["is:unread", "subject:a", "???"]) await s.find(query, { mode: "hybrid" });
    expect(used(s)).toBe(0);
  });

  test("if credits are limited and used up, the default becomes keyword, and an explicit semantic search is refused", async () => {
    const metered = createSearchFixture({ "ai.metered": true, "limits.autopilot.ai_credits_per_month": 1 });
    try {
      for (let i = 0; i < 3; i++) metered.deliver({ subject: `a${i}`, text: "word" });
      metered.semantic = metered.knowing({ a0: 0.9 });
      const ask = (mode?: string) =>
        metered.h.call("POST", "/search", { body: { query: "word", ...(mode && { mode }) } });
      expect((await ask()).json).toMatchObject({ mode: "hybrid", credits_spent: 1 });
      expect((await ask()).json).toMatchObject({ mode: "keyword", credits_spent: 0, partial: false });
      const refused = await ask("semantic");
      expect([refused.status, refused.json.error.code]).toEqual([402, "insufficient_credits"]);
      expect(used(metered)).toBe(1);
      // Further pages keep the mode of the first, even when credits are available again.
      const page = { query: "word", limit: 2 };
      const first = await metered.h.call("POST", "/search", { body: page });
      metered.h.clock.advance(40 * 86_400_000);
      const next = await metered.h.call("POST", "/search", { body: { ...page, cursor: first.json.next_cursor } });
      expect(next.json).toMatchObject({ mode: "keyword", credits_spent: 0, has_more: false });
      expect(next.json.data).toHaveLength(1);
    } finally {
      metered.h.close();
    }
  });
});

describe("GET /threads?q=", () => {
  const list = async (q: string, more = "") => {
    const { status, json } = await s.h.call("GET", `/threads?q=${encodeURIComponent(q)}${more}`);
    return status === 200 ? json.data.map((row: { subject: string }) => row.subject) : json.error.param;
  };

  test("filters the list with the same query language, newest first, within the state", async () => {
    s.deliver({ subject: "first", text: "invoice for march" });
    s.deliver({ subject: "second", text: "invoice for april" });
    s.deliver({ subject: "third", text: "lunch" });
    s.deliver({ subject: "filed", text: "invoice", role: "archive" });
    expect(await list("invoices")).toEqual(["second", "first"]);
    expect(await list("invoice -april")).toEqual(["first"]);
    expect(await list("invoice OR lunch", "&limit=2")).toEqual(["third", "second"]);
    expect(await list("invoice", "&state=archived")).toEqual(["filed"]);
    expect(await list("what is there to be seen of an invoice for april?")).toEqual([]);
    expect(await list("where is the invoice for april")).toEqual(["second"]);
    expect(await list("is:whatever")).toBe("q");
    expect(await list("nothingatall")).toEqual([]);
  });

  test("does not correct spelling, because a list cannot report it", async () => {
    s.deliver({ subject: "Payment", text: "Please find the invoice for September attached." });
    expect(await list("invocie")).toEqual([]);
    expect(await list("invocie september")).toEqual([]);
    expect(await list("invoices septembers")).toEqual(["Payment"]);
  });
});
