import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHarness, type Harness } from "../../../test/support/http-harness.ts";
import { type SeededMailbox, seedMailbox } from "../../../test/support/seed-mail.ts";
import { createMailbox, type Mailbox } from "../../mailbox/mailbox.ts";
import { threadRoutes } from "./routes.ts";

let h: Harness;
let mailbox: Mailbox;
let seed: SeededMailbox;
let thread_id: string;
let message_ids: string[];

const at = (time: string) => Date.parse(`2026-02-01T${time}Z`);

beforeAll(() => {
  h = createHarness({
    routes: (platform) => {
      mailbox = createMailbox(platform);
      return threadRoutes(mailbox);
    },
  });
  seed = seedMailbox(h.platform, h.user.id, { mailbox });
  ({ thread_id, message_ids } = seed.converse(
    {
      subject: "Plan",
      at: at("08:00:00"),
      labels: ["Work"],
      cc: [{ name: "Cleo", email: "cleo@example.net" }],
      text: "Shall we?",
    },
    {
      subject: "Re: Plan",
      at: at("09:00:00"),
      date: at("08:59:30"),
      role: "sent",
      from: { name: "Ada", email: "ADA@example.org" },
      to: [{ name: "", email: "bob@example.net" }],
      bcc: [{ name: "", email: "secret@example.net" }],
      text: "Yes.\n\n> Shall we?\n",
      bodyText: "Yes.\n\n-- \nAda",
      newText: "Yes.",
    },
    { subject: "Re: Plan", at: at("10:00:00"), date: Date.parse("2031-01-01T00:00:00Z"), flags: { seen: false } },
  ));
});
afterAll(() => h.close());

describe("GET /threads/{id}", () => {
  test("has the documented fields, and its messages oldest first", async () => {
    const { status, json } = await h.call("GET", `/threads/${thread_id}`);
    expect(status).toBe(200);
    expect(json).toEqual({
      id: thread_id,
      account_id: seed.account.id,
      subject: "Re: Plan",
      participants: ["bob@example.net", "ada@example.org", "cleo@example.net"],
      labels: ["Work"],
      state: "inbox",
      unread: true,
      starred: false,
      important: false,
      snooze_until: null,
      messages: [
        {
          id: message_ids[0],
          from: { name: "Bob", email: "bob@example.net" },
          date: "2026-02-01T08:00:00.000Z",
          snippet: "Shall we?",
        },
        {
          id: message_ids[1],
          from: { name: "Ada", email: "ADA@example.org" },
          date: "2026-02-01T08:59:30.000Z",
          snippet: "Yes.",
        },
        {
          id: message_ids[2],
          from: { name: "Bob", email: "bob@example.net" },
          // Its Date header is years in the future, so the time of receipt is used.
          date: "2026-02-01T10:00:00.000Z",
          snippet: "Text number 3.",
        },
      ],
    });
  });

  test("the id of a thread that was merged into another one still works and returns the merged thread's id", async () => {
    // A later message refers to both threads and thereby joins them.
    const a = seed.deliver({ subject: "One", messageId: "<one@x>" });
    const b = seed.deliver({ subject: "Two", messageId: "<two@x>" });
    expect(a.thread_id).not.toBe(b.thread_id);
    seed.deliver({ subject: "Both", messageId: "<both@x>", references: ["<one@x>", "<two@x>"] });
    const [first, second] = [
      await h.call("GET", `/threads/${a.thread_id}`),
      await h.call("GET", `/threads/${b.thread_id}`),
    ];
    expect(first.json.messages).toHaveLength(3);
    expect(second.json).toEqual(first.json);
    const messages = await h.call("GET", `/threads/${b.thread_id}/messages`);
    expect(messages.json.data).toHaveLength(3);
    const patched = await h.call("PATCH", `/threads/${b.thread_id}`, { body: { starred: true } });
    expect(patched.json.id).toBe(first.json.id);
  });

  test("unknown, foreign and malformed ids, and mail outside the key's mailbox, are 404 on every endpoint", async () => {
    const eve = h.newKey({ user_id: h.newUser("eve@example.org").id }).secret;
    const sandbox = h.newKey({ test: true }).secret;
    const bound = h.newKey({
      account_id: seedMailbox(h.platform, h.user.id, { mailbox, email: "b@x.example" }).account.id,
    }).secret;
    const alias = h.platform.db.sql.query<{ id: string }, []>("SELECT id FROM thread_aliases").get()!.id;
    for (const [id, key] of [
      ["thr_01jz4t9h2m8q5r7v3w6x0y1z2a", h.key],
      ["thr_nonsense", h.key],
      [thread_id, eve],
      [thread_id, sandbox],
      [thread_id, bound],
      [alias, eve],
      [alias, bound],
    ] as const) {
      for (const [method, path, body] of [
        ["GET", `/threads/${id}`, undefined],
        ["GET", `/threads/${id}/messages`, undefined],
        ["PATCH", `/threads/${id}`, { state: "trash", add_labels: ["x"] }],
      ] as const) {
        const answer = await h.call(method, path, { key, body });
        expect([method, answer.status, answer.json.error.code]).toEqual([method, 404, "not_found"]);
      }
    }
    expect((await h.call("GET", `/threads/${thread_id}`)).json.state).toBe("inbox");
  });
});

describe("GET /threads/{id}/messages", () => {
  test("leaves reply history out unless requested", async () => {
    const { json } = await h.call("GET", `/threads/${thread_id}/messages`);
    expect(json.has_more).toBe(false);
    expect(json).not.toHaveProperty("next_cursor");
    expect(json.data[1]).toEqual({
      id: message_ids[1],
      from: { name: "Ada", email: "ADA@example.org" },
      to: [{ name: "", email: "bob@example.net" }],
      authentication: { result: "unknown", from_domain: null, dmarc: null, spf: null, dkim: null },
      cc: [],
      date: "2026-02-01T08:59:30.000Z",
      body_text: "Yes.\n\n-- \nAda",
      new_text: "Yes.",
      truncated: false,
      attachments: [],
      unread: false,
      draft: false,
    });
    const quoted = await h.call("GET", `/threads/${thread_id}/messages?include_quoted=true`);
    expect(quoted.json.data[1].body_text).toBe("Yes.\n\n> Shall we?\n");
  });

  test("returns pages oldest first, with each message once", async () => {
    const walked: string[] = [];
    let cursor = "";
    do {
      const { json } = await h.call("GET", `/threads/${thread_id}/messages?limit=1${cursor && `&cursor=${cursor}`}`);
      walked.push(...json.data.map((row: { id: string }) => row.id));
      cursor = json.next_cursor ?? "";
    } while (cursor !== "");
    expect(walked).toEqual(message_ids);
  });

  test.each([
    ["include_quoted=1", "include_quoted"],
    ["limit=1000", "limit"],
  ])("?%s is 400", async (query, param) => {
    const { status, json } = await h.call("GET", `/threads/${thread_id}/messages?${query}`);
    expect([status, json.error.param]).toEqual([400, param]);
  });
});
