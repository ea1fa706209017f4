import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { idleWebhooks } from "../../../test/support/all-routes.ts";
import { MemoryContent } from "../../../test/support/memory-content.ts";
import { type PeopleFixture, peopleFixture } from "../../../test/support/people-fixture.ts";
import { runDueJobs } from "../../../test/support/run-jobs.ts";
import { apiRoutes } from "../../app/routes.ts";
import type { Account } from "../../mailbox/accounts/accounts.ts";
import { OPERATORS } from "../../mailbox/search/operators.ts";
import { parseQuery } from "../../mailbox/search/query.ts";
import { createOutbound } from "../../outbound/outbound.ts";
import { COUNT_JOB, countHandler } from "../contacts/count-job.ts";

const DAY_MS = 86_400_000;

let s: PeopleFixture;
let home: Account;
/** A key that is bound to the second mailbox. */
let bound: string;

interface Suggested {
  kind: string;
  text: string;
  insert: string;
  detail: string;
}
const ask = (q: string, more: { limit?: number; key?: string } = {}) =>
  s.h.call("GET", `/search/suggest?${new URLSearchParams({ q, ...(more.limit && { limit: `${more.limit}` }) })}`, {
    key: more.key,
  });
const suggest = async (q: string, more = {}): Promise<Suggested[]> => (await ask(q, more)).json.data;
const inserts = async (q: string, more = {}) => (await suggest(q, more)).map(({ insert }) => insert);
const count = () => runDueJobs(s.h.platform, { [COUNT_JOB]: countHandler(s.h.platform) });

beforeAll(async () => {
  s = peopleFixture((people, platform, mailbox) =>
    apiRoutes(
      platform,
      mailbox,
      createOutbound(platform, mailbox),
      new MemoryContent(),
      idleWebhooks(platform),
      people,
    ),
  );
  const { h } = s;
  home = s.connect(h.user.id, "ada@home.example");
  bound = h.newKey({ account_id: home.id }).secret;
  const now = h.clock.now();
  const from = (name: string, email: string, daysAgo: number, more = {}, to = s.account) =>
    s.arrive({ from: { name, email }, at: now - daysAgo * DAY_MS, ...more }, to);
  from("Maya Costa", "maya@harbourline.example", 2, { subject: "Re: Invoice 1042", labels: ["Work"] });
  for (let i = 0; i < 40; i++) from("Marek Nowak", "marek@old.example", 400 + i, { subject: "Old news" });
  from("Dr. Zoë Márquez", "zoe@clinic.example", 1, { subject: "Meeting “Q3” plans", labels: ["To do", 'Odd "one"'] });
  from("", "tamara@shop.example", 3, { subject: "Fwd: Invoice 1042" });
  from("News", "no-reply@market.example", 0, { subject: `Sale ${"very ".repeat(40)}long` });
  from("Mark Spam", "mark@spam.example", 0, { role: "spam", subject: "Invoice of a stranger" });
  s.arrive({
    role: "sent",
    from: { name: "Ada", email: "ada@example.org" },
    to: [{ name: "Noor", email: "noor@x.example" }],
    at: now,
  });
  from("Marta Home", "marta@home-friend.example", 5, { subject: "Invitation home", labels: ["Family"] }, home);
  await suggest("ma");
  await suggest("ma", { key: bound });
  await count();
});
afterAll(() => s.h.close());

describe("operators", () => {
  test("are completed by their beginning, with what they find", async () => {
    const [first] = await suggest("fr");
    expect(first).toMatchObject({ kind: "operator", text: "from:", insert: "from:" });
    expect(first!.detail).toStartWith("A sender, by name, address");
    expect(await inserts("invoice -is")).toEqual(["-is:"]);
    expect((await inserts("older")).slice(0, 2)).toEqual(["older:", "older_than:"]);
    expect((await suggest("cat"))[0]!.detail).toBe("A category");
  });

  test.each([
    ["is:un", ["is:unread"]],
    ["-in:s", ["-in:sent", "-in:snoozed", "-in:spam"]],
    ["has:p", ["has:pdf", "has:presentation"]],
    ["category:PRO", ["category:promotions"]],
    ["filename:pd", ["filename:pdf"]],
    ["older_than:3", ["older_than:30d", "older_than:3m"]],
    ["larger:1", ["larger:100k", "larger:1M", "larger:10M"]],
    ["in:(inbox tr", ["trash"]],
    ["from:m", ["from:me"]],
    ["deliveredto:ada@h", ["deliveredto:ada@home.example"]],
    ["rfc822msgid:x", []],
    ["list:a", []],
  ])("the value of %s", async (q, expected) => {
    expect((await inserts(q, { limit: 20 })).slice(0, Math.max(1, expected.length))).toEqual(expected);
  });

  test("a day counts from today", async () => {
    const today = new Date(s.h.clock.now()).toISOString().slice(0, 10);
    expect((await inserts("before:"))[0]).toBe(`before:${today}`);
  });

  test("a place is a folder, and so is its name alone", async () => {
    expect((await suggest("in:inb"))[0]).toMatchObject({ kind: "folder", text: "in:inbox" });
    expect(await suggest("inbo")).toMatchObject([{ kind: "folder", insert: "in:inbox" }]);
    expect(await inserts("unre")).toEqual(["is:unread"]);
  });
});

describe("contacts", () => {
  test("are found by name and address, those with a recent or frequent contact first", async () => {
    expect(await suggest("from:mar")).toEqual([
      { kind: "contact", text: "Dr. Zoë Márquez", insert: "from:zoe@clinic.example", detail: "zoe@clinic.example" },
      expect.objectContaining({ text: "Marta Home" }),
      // Frequent, but long ago.
      expect.objectContaining({ text: "Marek Nowak" }),
      expect.objectContaining({ insert: "from:no-reply@market.example" }),
      // Within a word, so last.
      { kind: "contact", text: "tamara@shop.example", insert: "from:tamara@shop.example", detail: "" },
    ]);
    expect(await inserts("to:marquez")).toEqual(["to:zoe@clinic.example"]);
    expect(await inserts('cc:"zoë má')).toEqual(['cc:"zoe@clinic.example"']);
    expect(await inserts("from:(maya OR noo")).toEqual(["noor@x.example"]);
    expect(await inserts("-bcc:noor")).toEqual(["-bcc:noor@x.example"]);
  });

  test("are the latest ones for an operator without a value, without one's own addresses", async () => {
    const all = await inserts("from:", { limit: 20 });
    expect(all[0]).toBe("from:me");
    expect(all).toContain("from:noor@x.example");
    expect(all.join()).not.toContain("ada@");
  });

  test("leave out those that occur only in spam", async () => {
    expect((await inserts("from:mark", { limit: 20 })).join()).not.toContain("spam.example");
  });

  test("of new mail are suggested after they were counted in the background", async () => {
    s.arrive({ from: { name: "Quentin New", email: "quentin@new.example" } });
    s.h.clock.advance(11_000);
    expect(await inserts("from:quen")).toEqual([]);
    await count();
    expect(await inserts("from:quen")).toEqual(["from:quentin@new.example"]);
  });
});

describe("a word without an operator", () => {
  test("is completed to operators, contacts, labels, values and subjects, in this order", async () => {
    const kinds = (await suggest("in", { limit: 20 })).map(({ kind, insert }) => `${kind} ${insert}`);
    expect(kinds).toEqual([
      "operator in:",
      "folder in:inbox",
      'subject subject:"Invoice 1042"',
      'subject subject:"Invitation home"',
    ]);
    expect((await suggest("wor"))[0]).toEqual({
      kind: "label",
      text: "Work",
      insert: "label:Work",
      detail: "Messages with this label",
    });
  });

  test("finds subjects of recent threads without markers and duplicates, and none of spam", async () => {
    expect(await suggest("subject:invoi")).toEqual([
      { kind: "subject", text: "Invoice 1042", insert: 'subject:"Invoice 1042"', detail: "Maya Costa" },
    ]);
    expect(await inserts("q3 plan")).toEqual(['subject:"Meeting Q3 plans"']);
  });

  test("a long subject is cut between words, and its suggestion is a valid query", async () => {
    const [sale] = await suggest("subject:sale");
    expect(sale!.insert.length).toBeLessThan(100);
    expect(sale!.insert).toEndWith('very"');
    expect(() => parseQuery(sale!.insert, 0)).not.toThrow();
  });

  test("labels are quoted where necessary, and left out if a query cannot name them", async () => {
    expect(await inserts("label:")).toEqual(["label:Family", 'label:"To do"', "label:Work"]);
    expect(await inserts("label:do")).toEqual(['label:"To do"']);
    expect(await inserts('label:"wo')).toEqual(['label:"Work"']);
  });

  test("a complete query and one that says nothing have no suggestions", async () => {
    for (const q of ["invoice ", "-", '"', "from:(", "zzzzzz", "is:unread "])
      expect([q, await suggest(q)]).toEqual([q, []]);
  });
});

describe("the request", () => {
  test("returns at most limit suggestions, 10 by default", async () => {
    expect([(await suggest("older:")).length, (await suggest("older:", { limit: 3 })).length]).toEqual([10, 3]);
  });

  test.each([
    ["", "q"],
    ["?q=", "q"],
    [`?q=${"x".repeat(101)}`, "q"],
    ["?q=x&limit=0", "limit"],
    ["?q=x&limit=21", "limit"],
    ["?q=x&limit=many", "limit"],
  ])("%s is 400", async (query, param) => {
    const { status, json } = await s.h.call("GET", `/search/suggest${query}`);
    expect([status, json.error.code, json.error.param]).toEqual([400, "invalid_params", param]);
  });

  test("a bound key gets contacts, labels, subjects and addresses of its mailbox only", async () => {
    const of = (q: string) => inserts(q, { key: bound, limit: 20 });
    expect(await of("from:")).toEqual(["from:me", "from:marta@home-friend.example"]);
    expect(await of("label:")).toEqual(["label:Family"]);
    expect(await of("subject:in")).toEqual(['subject:"Invitation home"']);
    expect(await of("deliveredto:ada")).toEqual(["deliveredto:ada@home.example"]);
    expect((await of("ma")).join()).not.toContain("maya");
  });

  test("another user and the sandbox get nothing of this", async () => {
    const { h } = s;
    for (const key of [
      h.newKey({ user_id: h.newUser("eve@example.org").id }).secret,
      h.newKey({ test: true }).secret,
    ]) {
      expect(await inserts("from:", { key })).toEqual(["from:me"]);
      for (const q of ["label:", "subject:in", "maya"]) expect(await inserts(q, { key })).toEqual([]);
    }
  });

  test("spends no credit", async () => {
    const used = async () => (await s.h.call("GET", "/usage")).json.ai_credits;
    const before = await used();
    await suggest("invoice");
    expect(await used()).toEqual(before);
  });

  test("every suggestion is a query that the search accepts", async () => {
    const starts = fc.constantFrom("", "-", ...OPERATORS.keys().map((name) => `${name}:`), 'from:"', "in:(");
    await fc.assert(
      fc.asyncProperty(starts, fc.string({ maxLength: 3 }), async (start, text) => {
        for (const insert of await inserts(`${start}${text}`.slice(0, 100) || "x", { limit: 20 })) {
          const query = insert.endsWith(":") ? `${insert}x` : insert;
          if (!insert.endsWith(":")) expect(() => parseQuery(query, s.h.clock.now())).not.toThrow();
        }
      }),
      { numRuns: 60 },
    );
  });
});
