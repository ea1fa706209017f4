import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHarness, type Harness } from "../../../test/support/http-harness.ts";
import { type SeededMailbox, seedMailbox } from "../../../test/support/seed-mail.ts";
import { createMailbox, type Mailbox } from "../../mailbox/mailbox.ts";
import { accountRoutes } from "../accounts/routes.ts";
import { threadRoutes } from "./routes.ts";

let h: Harness;
let mailbox: Mailbox;
let work: SeededMailbox;
let home: SeededMailbox;
/** Subjects by thread id, which keep expectations readable. */
let foreign: { thread_id: string };

const day = (n: number) => Date.parse("2026-02-01T00:00:00Z") + n * 86_400_000;

beforeAll(() => {
  h = createHarness({
    routes: (platform) => {
      mailbox = createMailbox(platform);
      return [
        ...threadRoutes(mailbox),
        ...accountRoutes(mailbox.accounts, () => ({ done: 0, total: 0, full_text: { done: 0, total: 0 } })),
      ];
    },
  });
  const { platform, user } = h;
  work = seedMailbox(platform, user.id, { mailbox, email: "ada@work.example" });
  home = seedMailbox(platform, user.id, { mailbox, email: "ada@home.example" });
  work.deliver({ subject: "plain", at: day(1) });
  work.deliver({ subject: "unread", at: day(2), flags: { seen: false }, labels: ["Grün", "Urgent"] });
  work.deliver({ subject: "starred", at: day(3), flags: { flagged: true }, category: "updates" });
  work.deliver({ subject: "with file", at: day(4), labels: ["Urgent"], attachments: [attachment("a.pdf")] });
  work.deliver({ subject: "archived", at: day(5), role: "archive", labels: ["Urgent"] });
  work.deliver({ subject: "thrown away", at: day(6), role: "trash" });
  work.deliver({ subject: "junk", at: day(7), role: "spam" });
  work.deliver({ subject: "waiting", at: day(8), role: "snoozed" });
  work.deliver({ subject: "written", at: day(9), role: "sent", from: { name: "Ada", email: "ada@work.example" } });
  work.converse({ subject: "answered", at: day(10) }, { subject: "Re: answered", at: day(11), role: "sent" });
  home.deliver({ subject: "home news", at: day(12), category: "promotions" });
  home.deliver({ subject: "home friends", at: day(13), category: "social", flags: { seen: false } });
  const other = h.newUser("eve@example.org");
  foreign = seedMailbox(platform, other.id, { mailbox }).deliver({
    subject: "not yours",
    at: day(20),
    labels: ["Urgent"],
  });
});
afterAll(() => h.close());

function attachment(name: string) {
  const kind = { mime: "application/pdf", size: 3, contentId: null, disposition: "attachment" as const };
  return { index: 0, part: "2", encoding: "base64", name, ...kind };
}

async function subjects(query: string, key?: string): Promise<string[]> {
  const answer = await h.call("GET", `/threads?${query}`, { key });
  expect(answer.status).toBe(200);
  return answer.json.data.map((row: { subject: string }) => row.subject);
}

describe("GET /threads", () => {
  test.each([
    ["", ["home friends", "home news", "Re: answered", "with file", "starred", "unread", "plain"]],
    ["state=archived", ["archived"]],
    ["state=snoozed", ["waiting"]],
    ["state=trash", ["thrown away"]],
    ["state=spam", ["junk"]],
    ["state=sent", ["Re: answered", "written"]],
    ["tab=social", ["home friends"]],
    ["tab=updates", ["starred"]],
    ["tab=promotions", ["home news"]],
    ["label=Urgent", ["with file", "unread"]],
    ["label=Gr%C3%BCn", ["unread"]],
    ["label=Gru%CC%88n", ["unread"]],
    ["label=urgent", []],
    ["label=%20Urgent%20", ["with file", "unread"]],
    ["label=", []],
    ["label=Urgent&state=archived", ["archived"]],
    ["unread=true", ["home friends", "unread"]],
    ["unread=false", ["home news", "Re: answered", "with file", "starred", "plain"]],
    ["starred=true", ["starred"]],
    ["starred=false", ["home friends", "home news", "Re: answered", "with file", "unread", "plain"]],
    ["has_attachment=true", ["with file"]],
    ["has_attachment=false", ["home friends", "home news", "Re: answered", "starred", "unread", "plain"]],
    ["starred=false&has_attachment=false&unread=true", ["home friends", "unread"]],
    ["before=2026-02-05T00:00:00Z", ["starred", "unread", "plain"]],
    ["after=2026-02-05T00:00:00Z", ["home friends", "home news", "Re: answered", "with file"]],
    ["after=2026-02-04T00:00:00Z&before=2026-02-05T01:00:00%2B01:00", ["starred"]],
    ["unread=true&label=Urgent&tab=primary", ["unread"]],
    ["limit=2", ["home friends", "home news"]],
  ])("?%s", async (query, expected) => {
    expect(await subjects(query)).toEqual(expected);
  });

  test("account_id restricts the list to one mailbox", async () => {
    expect(await subjects(`account_id=${home.account.id}`)).toEqual(["home friends", "home news"]);
    expect(await subjects(`account_id=${home.account.id}&unread=true`)).toEqual(["home friends"]);
    expect(await subjects(`account_id=${work.account.id}&state=sent`)).toEqual(["Re: answered", "written"]);
  });

  test.each(["acc_01jz4t9h2m8q5r7v3w6x0y1z2a", "nonsense", ""])("an unknown account_id %p is 404", async (id) => {
    const answer = await h.call("GET", `/threads?account_id=${id}`);
    expect([answer.status, answer.json.error.code]).toEqual([404, "not_found"]);
  });

  test.each([
    ["state=all", "state"],
    ["tab=news", "tab"],
    ["unread=yes", "unread"],
    ["starred=1", "starred"],
    ["has_attachment=", "has_attachment"],
    ["limit=101", "limit"],
    ["limit=0", "limit"],
    ["before=today", "before"],
    ["cursor=forged", "cursor"],
  ])("?%s is 400 and names %s", async (query, param) => {
    const answer = await h.call("GET", `/threads?${query}`);
    expect(answer.status).toBe(400);
    expect(answer.json.error).toMatchObject({ code: "invalid_params", param });
  });

  test("a row has the documented fields", async () => {
    const { json } = await h.call("GET", "/threads?label=Urgent&unread=true");
    expect(json).toEqual({
      data: [
        {
          id: expect.stringMatching(/^thr_/),
          account_id: work.account.id,
          subject: "unread",
          from: { name: "Bob", email: "bob@example.net" },
          snippet: "Text number 2.",
          labels: ["Grün", "Urgent"],
          unread: true,
          message_count: 1,
          updated_at: "2026-02-03T00:00:00.000Z",
          state: "inbox",
          starred: false,
          important: false,
          has_attachment: false,
          category: "primary",
        },
      ],
      has_more: false,
    });
  });

  test("a key bound to one mailbox sees only that mailbox", async () => {
    const { secret } = h.newKey({ account_id: home.account.id });
    expect(await subjects("", secret)).toEqual(["home friends", "home news"]);
    expect(await subjects("label=Urgent", secret)).toEqual([]);
    const other = await h.call("GET", `/threads?account_id=${work.account.id}`, { key: secret });
    expect(other.status).toBe(404);
    const accounts = await h.call("GET", "/accounts", { key: secret });
    expect(accounts.json.data.map((row: { id: string }) => row.id)).toEqual([home.account.id]);
  });

  test("a cursor walk returns every thread once, and the last page has no cursor", async () => {
    const walked: string[] = [];
    let cursor = "";
    for (let page = 0; page < 20; page++) {
      const { json } = await h.call("GET", `/threads?limit=2${cursor && `&cursor=${cursor}`}`);
      walked.push(...json.data.map((row: { subject: string }) => row.subject));
      expect(json.has_more).toBe("next_cursor" in json);
      if (!json.has_more) break;
      cursor = json.next_cursor;
    }
    expect(walked).toEqual(await subjects("limit=100"));
  });

  test("a cursor of another user is refused", async () => {
    const { json } = await h.call("GET", "/threads?limit=1");
    const eve = h.newKey({ user_id: h.newUser("eve@example.org").id }).secret;
    const answer = await h.call("GET", `/threads?cursor=${json.next_cursor}`, { key: eve });
    expect(answer.json.error).toMatchObject({ code: "invalid_params", param: "cursor" });
  });

  test("another user's threads are in no list", async () => {
    const { json } = await h.call("GET", "/threads?limit=100");
    expect(json.data.map((row: { id: string }) => row.id)).not.toContain(foreign.thread_id);
    const eve = h.newKey({ user_id: h.newUser("eve@example.org").id }).secret;
    expect(await subjects("label=Urgent", eve)).toEqual(["not yours"]);
  });
});

describe("GET /accounts", () => {
  test("returns the caller's mailboxes in the order of connection", async () => {
    mailbox.accounts.setStatus(home.account.id, "unreachable", "The server does not answer.");
    const { json } = await h.call("GET", "/accounts");
    expect(json).toEqual({
      data: [
        {
          id: work.account.id,
          provider: "imap",
          email: "ada@work.example",
          status: "connecting",
          last_sync_at: null,
          last_error: null,
          sync: { phase: "waiting", done: 0, total: 0 },
          search: { done: 0, total: 0, full_text: { done: 0, total: 0 } },
        },
        expect.objectContaining({
          email: "ada@home.example",
          status: "unreachable",
          last_error: "The server does not answer.",
        }),
      ],
      has_more: false,
    });
  });
});
