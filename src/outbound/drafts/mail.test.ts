import { describe, expect, test } from "bun:test";
import type { Account } from "../../mailbox/accounts/accounts.ts";
import { parseMessage } from "../../wire/mime/parse.ts";
import { draftMessage, ownRevision, readDraft } from "./mail.ts";
import { contentOf, type Draft } from "./store.ts";

const ACCOUNT = {
  id: "acc_1",
  user_id: "usr_1",
  email: "ada@example.org",
  aliases: ["shop@example.org"],
} as unknown as Account;
const DRAFT: Draft = {
  id: "drf_01kp7a3v9w8x5y2z4b6c1d0e7g",
  user_id: "usr_1",
  account_id: "acc_1",
  thread_id: null,
  send_id: null,
  hidden: false,
  context_reader: false,
  revision: 3,
  placed: 2,
  location: null,
  missing_at: null,
  created_at: 0,
  updated_at: Date.parse("2026-03-02T09:00:00Z"),
  from: null,
  to: [],
  cc: [],
  bcc: [],
  subject: "",
  body: "",
  in_reply_to: null,
  references: [],
  message_id: "<one@example.org>",
};
const ID = "<one@example.org>";
const rawDraft = (draft: Partial<Draft>, files: Parameters<typeof draftMessage>[3] = []) =>
  draftMessage({ ...DRAFT, ...draft }, ACCOUNT, ID, files);
const roundTrip = async (draft: Partial<Draft>) =>
  readDraft(await parseMessage(await rawDraft(draft)), ACCOUNT).content;

describe("a draft that was stored on the server and read back has the same content", () => {
  test.each<[string, Partial<Draft>]>([
    ["nothing at all", {}],
    [
      "all fields",
      { to: ["Maria <maria@acme.example>"], cc: ["c@d.example"], bcc: ["Eve <e@f.example>"], subject: "Grüße 🎉" },
    ],
    ["a name that needs quotes", { to: ['"Doe, Jane" <jane@acme.example>'] }],
    ["an alias with a name", { from: "Shop <shop@example.org>" }],
    ["plain text", { body: "Hello,\n\n  indented\n> quoted\n-- \nAda" }],
    ["a long line", { body: `${"word ".repeat(60)}end` }],
    ["HTML", { body: "<p>Hello <b>you</b></p>" }],
    ["text about HTML", { body: "Use <b> for bold, and a < b." }],
    ["a reply", { in_reply_to: "<b@x.example>", references: ["<a@x.example>", "<b@x.example>"] }],
  ])("%s", async (_what, draft) => {
    expect(await roundTrip(draft)).toEqual(contentOf({ ...DRAFT, ...draft }));
  });

  test("attachments and pictures", async () => {
    const content = new Uint8Array([1, 2, 3]);
    const raw = await rawDraft({ body: '<p>Look: <img src="cid:pic@x"></p>' }, [
      { name: "a.pdf", mime: "application/pdf", content },
      { name: "p.png", mime: "image/png", content, content_id: "pic@x" },
    ]);
    const { parts } = readDraft(await parseMessage(raw), ACCOUNT);
    const found = parts.map(({ name, mime, content_id, content }) => [name, mime, content_id, [...content]]);
    expect(found.sort()).toEqual([
      ["a.pdf", "application/pdf", null, [1, 2, 3]],
      ["p.png", "image/png", "pic@x", [1, 2, 3]],
    ]);
  });
});

describe("ownRevision", () => {
  test("recognizes messages that were written here, byte for byte", async () => {
    expect(ownRevision(await rawDraft({ body: "Hi" }))).toEqual({ draft_id: DRAFT.id, revision: 3 });
  });

  test("rejects messages that were changed or not written here", async () => {
    const raw = Buffer.from(await rawDraft({ body: "Hi" })).toString();
    expect(ownRevision(Buffer.from(raw.replace("Hi", "Ho")))).toBeNull();
    expect(ownRevision(Buffer.from("Subject: x\r\n\r\nHi"))).toBeNull();
    expect(ownRevision(new Uint8Array())).toBeNull();
  });
});

describe("drafts of other programs", () => {
  const read = async (text: string) =>
    readDraft(await parseMessage(Buffer.from(text.replaceAll("\n", "\r\n"))), ACCOUNT).content;

  test("Thunderbird's HTML is read without its document and styles", async () => {
    const { body } = await read(
      'From: ada@example.org\nContent-Type: text/html\n\n<!DOCTYPE html><html><head><style>p{}</style></head><body><p>Hi <b class="x">you</b></p></body></html>',
    );
    expect(body).toBe("<p>Hi <b>you</b></p>");
  });

  test("plain text that looks like HTML stays text", async () => {
    const { body } = await read("From: ada@example.org\n\nUse <b>x</b> here");
    expect(body).toBe("<div>Use &lt;b&gt;x&lt;/b&gt; here</div>");
  });

  test("an incomplete recipient is left out, and so is a foreign sender", async () => {
    const content = await read("From: Eve <eve@evil.example>\nTo: bob, Carol <carol@x.example>\n\nHi");
    expect([content.from, content.to]).toEqual([null, ["Carol <carol@x.example>"]]);
  });
});
