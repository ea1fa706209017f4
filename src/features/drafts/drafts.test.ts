import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createSendFixture, type SendFixture } from "../../../test/support/send-fixture.ts";
import { ATTACHMENTS_BYTES } from "../../outbound/drafts/files.ts";

let fixture: SendFixture;
beforeEach(() => {
  fixture = createSendFixture();
});
afterEach(() => fixture.h.close());

const create = async (body: unknown) => (await fixture.h.call("POST", "/drafts", { body })).json;

describe("POST /drafts", () => {
  test("creates a draft of the primary mailbox and emits an event", async () => {
    const answer = await fixture.h.call("POST", "/drafts", {
      body: { to: ["Maria <maria@acme.example>"], subject: "Lunch", body: "At one?" },
    });
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({
      account_id: fixture.seeded.account.id,
      thread_id: null,
      from: "ada@example.org",
      to: ["Maria <maria@acme.example>"],
      subject: "Lunch",
      body: "At one?",
      status: "draft",
      attachments: [],
      credits_spent: 0,
    });
    expect(fixture.events("draft.created")).toEqual([{ draft_id: answer.json.id, thread_id: null }]);
    const audit = fixture.h.platform.audit.list(fixture.h.user.id, { limit: 10, target: answer.json.id });
    expect(audit.map(({ action }) => action)).toEqual(["draft.create"]);
    expect((await fixture.h.call("GET", `/drafts/${answer.json.id}`)).json).toEqual(answer.json);
  });

  test("a reply inherits recipients, a single Re:, and the thread's references", async () => {
    const { thread_id } = fixture.seeded.converse(
      { subject: "Re: RE: Budget", from: { name: "Bob", email: "bob@example.net" } },
      { subject: "Re: Budget", from: { name: "Carol", email: "carol@example.net" } },
    );
    const draft = await create({ reply_to_thread_id: thread_id, body: "Fine." });
    expect(draft).toMatchObject({ thread_id, to: ["carol@example.net"], cc: [], subject: "Re: Budget" });
    expect(fixture.events("draft.created")).toEqual([{ draft_id: draft.id, thread_id }]);
    const stored = fixture.outbound.draftStore.get(draft.id)!;
    expect(stored.references).toHaveLength(2);
    expect(stored.in_reply_to).toBe(stored.references[1]!);
  });

  test("a reply to one's own message is addressed to that message's recipients", async () => {
    const { thread_id } = fixture.seeded.converse({
      role: "sent",
      from: { name: "Ada", email: "ada@example.org" },
      to: [{ name: "Bob", email: "bob@example.net" }],
    });
    expect((await create({ reply_to_thread_id: thread_id })).to).toEqual(["bob@example.net"]);
  });

  test("recipients and subject given with a reply replace the inherited ones", async () => {
    const { thread_id } = fixture.seeded.converse({});
    const draft = await create({
      reply_to_thread_id: thread_id,
      to: ["x@example.org"],
      cc: ["y@example.org"],
      subject: "New",
    });
    expect(draft).toMatchObject({ to: ["x@example.org"], cc: ["y@example.org"], subject: "New", thread_id });
  });

  test("a reply uses the alias that received the message", async () => {
    const { account, mailbox } = { account: fixture.seeded.account, mailbox: fixture.mailbox };
    mailbox.accounts.setProfile(account, { ...account, aliases: ["shop@example.org"] });
    const { thread_id } = fixture.seeded.converse({ to: [{ name: "", email: "Shop@example.org" }] });
    expect((await create({ reply_to_thread_id: thread_id })).from).toBe("shop@example.org");
  });

  test.each([
    [{ to: ["ok@example.org", "nonsense"] }, "to[1]"],
    [{ cc: ["a@b.example\r\nBcc: evil@example.org"] }, "cc[0]"],
    [{ bcc: ["a@example.org, b@example.org"] }, "bcc[0]"],
    [{ from: "mallory@example.org" }, "from"],
    [{ to: "ada@example.org" }, "to"],
    [{ use_ai: true }, "use_ai"],
  ])("refuses %j and names %s", async (body, param) => {
    const answer = await fixture.h.call("POST", "/drafts", { body });
    expect([answer.status, answer.json.error.code, answer.json.error.param]).toEqual([400, "invalid_params", param]);
    expect(fixture.events("draft.created")).toEqual([]);
  });

  test("another user's thread is not found", async () => {
    const answer = await fixture.h.call("POST", "/drafts", {
      body: { reply_to_thread_id: "thr_01kp7a3v9w8x5y2z4b6c1d0e7k" },
    });
    expect([answer.status, answer.json.error.code]).toEqual([404, "not_found"]);
  });

  test("a repeated Idempotency-Key creates one draft", async () => {
    const headers = { "Idempotency-Key": "once" };
    const [first, second] = await Promise.all(
      [1, 2].map(() => fixture.h.call("POST", "/drafts", { body: { subject: "Once" }, headers })),
    );
    expect(second!.json.id).toBe(first!.json.id);
    expect((await fixture.h.call("GET", "/drafts")).json.data).toHaveLength(1);
  });
});

describe("PATCH and DELETE /drafts/{id}", () => {
  test("change the given fields and keep the others", async () => {
    const { id } = await create({ to: ["maria@acme.example"], subject: "Lunch", body: "At one?" });
    fixture.h.clock.advance(5_000);
    const answer = await fixture.h.call("PATCH", `/drafts/${id}`, {
      body: { body: "At two?", cc: ["bob@example.net"] },
    });
    expect(answer.json).toEqual({ id, status: "draft", send_id: null, updated_at: "2026-03-02T09:00:05.000Z" });
    expect((await fixture.h.call("GET", `/drafts/${id}`)).json).toMatchObject({
      to: ["maria@acme.example"],
      cc: ["bob@example.net"],
      subject: "Lunch",
      body: "At two?",
    });
  });

  test("change every field; another mailbox changes the sender and drops the thread", async () => {
    const { thread_id } = fixture.seeded.converse({});
    const second = fixture.mailbox.accounts.add({
      user_id: fixture.h.user.id,
      provider: "imap",
      email: "b@example.org",
      connection: null,
    });
    const { id } = await create({ reply_to_thread_id: thread_id, from: "Ada <ada@example.org>" });
    const edit = { to: ["x@y.example"], cc: ["c@y.example"], bcc: ["d@y.example"], subject: "S", body: "<p>B</p>" };
    const body = { ...edit, account_id: second.id };
    expect((await fixture.h.call("PATCH", `/drafts/${id}`, { body })).status).toBe(200);
    expect((await fixture.h.call("GET", `/drafts/${id}`)).json).toMatchObject({
      ...edit,
      account_id: second.id,
      from: "b@example.org",
      thread_id: null,
    });
    const foreign = await fixture.h.call("PATCH", `/drafts/${id}`, { body: { from: "ada@example.org" } });
    expect([foreign.status, foreign.json.error.param]).toEqual([400, "from"]);
  });

  test("delete a draft", async () => {
    const { id } = await create({});
    expect((await fixture.h.call("DELETE", `/drafts/${id}`)).json).toEqual({ id, deleted: true });
    expect((await fixture.h.call("GET", `/drafts/${id}`)).status).toBe(404);
    expect((await fixture.h.call("DELETE", `/drafts/${id}`)).status).toBe(404);
  });

  test("are refused while the draft is being sent", async () => {
    const { id } = await create({ to: ["maria@acme.example"] });
    const { send_id } = (await fixture.send(`/drafts/${id}/send`, { confirm: true })).json;
    const form = new FormData();
    form.set("file", new File(["x"], "x.txt"));
    for (const [method, path, body] of [
      ["PATCH", `/drafts/${id}`, { body: "Other" }],
      ["DELETE", `/drafts/${id}`, undefined],
      ["POST", `/drafts/${id}/attachments`, form],
    ] as const) {
      const answer = await fixture.h.call(method, path, { body });
      expect([answer.status, answer.json.error.code]).toEqual([409, "draft_locked"]);
    }
    expect((await fixture.h.call("GET", `/drafts/${id}`)).json).toMatchObject({ status: "draft", send_id });
  });
});

test("GET /drafts lists the last changed first, page by page", async () => {
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) {
    ids.push((await create({ subject: `Number ${i}` })).id);
    fixture.h.clock.advance(1_000);
  }
  await fixture.h.call("PATCH", `/drafts/${ids[1]}`, { body: { subject: "Changed" } });
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = (await fixture.h.call("GET", `/drafts?limit=2${cursor ? `&cursor=${cursor}` : ""}`)).json;
    seen.push(...page.data.map((draft: { id: string }) => draft.id));
    cursor = page.next_cursor;
  } while (cursor);
  expect(seen).toEqual([ids[1]!, ids[4]!, ids[3]!, ids[2]!, ids[0]!]);
});

test("a key bound to one mailbox does not see drafts of another", async () => {
  const { id } = await create({ subject: "Mine" });
  const other = fixture.mailbox.accounts.add({
    user_id: fixture.h.user.id,
    provider: "imap",
    email: "b@example.org",
    connection: null,
  });
  const { secret } = fixture.h.newKey({ account_id: other.id });
  expect((await fixture.h.call("GET", "/drafts", { key: secret })).json.data).toEqual([]);
  expect((await fixture.h.call("GET", `/drafts/${id}`, { key: secret })).status).toBe(404);
});

describe("attachments", () => {
  const upload = (id: string, file: File, more: Record<string, string> = {}) => {
    const form = new FormData();
    form.set("file", file);
    for (const [name, value] of Object.entries(more)) form.set(name, value);
    return fixture.h.call("POST", `/drafts/${id}/attachments`, { body: form });
  };
  const blobs = () =>
    readdirSync(join(fixture.h.platform.config.data_dir, "blobs", "messages"), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));

  test("are stored encrypted and listed with the draft", async () => {
    const { id } = await create({});
    const secret = "the secret menu ".repeat(5_000);
    const answer = await upload(id, new File([secret], "../menü.pdf", { type: "application/pdf" }));
    expect(answer.json).toMatchObject({
      name: "menü.pdf",
      size: secret.length,
      mime: "application/pdf",
      content_id: null,
    });
    expect((await fixture.h.call("GET", `/drafts/${id}`)).json.attachments).toEqual([answer.json]);
    expect(blobs()).toHaveLength(1);
    expect(readFileSync(blobs()[0]!).includes("secret menu")).toBe(false);
    const [opened] = await fixture.outbound.draftFiles.open(fixture.outbound.draftStore.get(id)!);
    const content = opened!.content as () => ReadableStream<Uint8Array>;
    expect(await new Response(content()).text()).toBe(secret);
  });

  test("can be removed, and are deleted with their draft", async () => {
    const { id } = await create({});
    const first = (await upload(id, new File(["one"], "1.txt"))).json;
    const second = (await upload(id, new File(["two"], "2.txt"))).json;
    expect((await fixture.h.call("DELETE", `/drafts/${id}/attachments/${first.id}`)).json).toEqual({
      id: first.id,
      deleted: true,
    });
    expect((await fixture.h.call("GET", `/drafts/${id}`)).json.attachments).toEqual([second]);
    expect(blobs()).toHaveLength(1);
    await fixture.h.call("DELETE", `/drafts/${id}`);
    expect(blobs()).toHaveLength(0);
  });

  test("are limited to 25 MiB in total", async () => {
    const { id } = await create({});
    const half = new Uint8Array(ATTACHMENTS_BYTES / 2);
    expect((await upload(id, new File([half], "a.bin"))).status).toBe(200);
    expect((await upload(id, new File([half], "b.bin"))).status).toBe(200);
    const answer = await upload(id, new File(["x"], "c.bin"));
    expect([answer.status, answer.json.error.code]).toEqual([413, "payload_too_large"]);
    expect(blobs()).toHaveLength(2);
  });

  test("a body without a file, and a Content-ID that would break headers, are refused", async () => {
    const { id } = await create({});
    const nothing = await fixture.h.call("POST", `/drafts/${id}/attachments`, { body: new FormData() });
    expect([nothing.status, nothing.json.error.param]).toEqual([400, "file"]);
    const evil = await upload(id, new File(["x"], "x.png"), { content_id: "a>\r\nX: y" });
    expect([evil.status, evil.json.error.param]).toEqual([400, "content_id"]);
  });
});
