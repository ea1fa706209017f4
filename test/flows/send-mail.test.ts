import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Account } from "../../src/mailbox/accounts/accounts.ts";
import { eventually } from "../support/eventually.ts";
import { type LiveApp, startLiveApp } from "../support/live-app.ts";
import { POSTFIX, type Postfix, startPostfix } from "../support/postfix.ts";

/** The whole program, a real SMTP server (Postfix) and a real IMAP server behind it (Dovecot). */
describe.skipIf(!POSTFIX)("sending through Postfix, and back through Dovecot", () => {
  let postfix: Postfix;
  let live: LiveApp;
  let account: Account;

  beforeAll(async () => {
    postfix = await startPostfix();
    const ca_file = join(postfix.dovecot.base, "tls", "cert.pem");
    live = await startLiveApp({ "mail.ca_file": ca_file });
    const { host, port, security, username, password } = postfix.login("alice", "starttls");
    account = live.connect({
      email: "alice@mail.test",
      connection: {
        imap: { host: "127.0.0.1", port: postfix.dovecot.imapPort, security: "none" },
        smtp: { host, port, security },
        username,
        password,
      },
    });
    await eventually(() => live.app.mailbox.accounts.get(account.id)!.sync.phase === "live", 15_000);
  }, 60_000);
  afterAll(async () => {
    await live?.close();
    await postfix?.stop();
  }, 30_000);

  const send = (path: string, body: object, key: string = crypto.randomUUID()) =>
    live.call("POST", path, { body: { undo_window_s: 0, ...body }, headers: { "Idempotency-Key": key } });
  const view = async (id: string) => (await live.call("GET", `/sends/${id}`)).json;
  const ended = (id: string) =>
    eventually(async () => {
      const found = await view(id);
      return ["sent", "failed", "undone"].includes(found.status) ? found : null;
    }, 15_000);

  /** Returns the contents of a user's folder, as the server has it. */
  async function onServer(user: "alice" | "bob", folder: string, text: string) {
    const client = await postfix.dovecot.connect(user);
    await client.mailboxOpen(folder, { readOnly: true });
    const uids = (await client.search({ text }, { uid: true })) || [];
    const found =
      uids.length === 0 ? [] : await client.fetchAll(uids.join(","), { flags: true, source: true }, { uid: true });
    await client.logout();
    return found.map(({ flags, source }) => ({ flags: flags!, source: source! }));
  }

  const arrivedAt = (user: "alice" | "bob", text: string) =>
    eventually(async () => (await onServer(user, "INBOX", text))[0], 15_000).then((found) => found!);

  test("the same text, attachments and thread arrive", async () => {
    const question = await live.call("POST", "/drafts", {
      body: {
        to: ["Bob <bob@mail.test>"],
        subject: "Grüße & Käse",
        body: "Wie viel? Zeile eins\n\n> zitiert\n.\n-- \nAda",
      },
    });
    const draft_id = question.json.id;
    const bytes = new Uint8Array(200_000).map((_, i) => i * 37);
    const form = new FormData();
    form.set("file", new File([bytes], "Übersicht 1.pdf", { type: "application/pdf" }));
    expect((await live.call("POST", `/drafts/${draft_id}/attachments`, { body: form })).status).toBe(200);
    const { send_id } = (await send(`/drafts/${draft_id}/send`, { confirm: true })).json;
    const sent = await ended(send_id);
    expect(sent).toMatchObject({ status: "sent", attempts: 1, rejected: [] });
    // At once, before any IMAP server has seen it.
    const listed = (await live.call("GET", `/threads/${sent.thread_id}/messages`)).json.data;
    expect(listed).toMatchObject([
      { id: sent.message_id, attachments: [{ name: "Übersicht 1.pdf", size: bytes.length }] },
    ]);
    expect(live.events("send.completed")).toContainEqual({
      send_id,
      thread_id: sent.thread_id,
      message_id: sent.message_id,
    });

    const arrived = await arrivedAt("bob", send_id);
    expect(Buffer.from(arrived.source).toString()).toContain(`Message-ID: <${send_id}@mail.test>`);

    // One copy in Sent, read; here it is still one message, now with its source on the server.
    await eventually(async () => {
      const copies = await onServer("alice", "Sent", send_id);
      return copies.length === 1 && copies[0]!.flags.has("\\Seen");
    }, 15_000);
    await eventually(async () => (await live.call("GET", `/messages/${sent.message_id}/raw`)).text.includes(send_id));
    const copy = live.app.platform.db.sql.query<{ copy: string }, [string]>("SELECT copy FROM sends WHERE id = ?");
    await eventually(() => copy.get(send_id)!.copy === "placed", 15_000);

    // Bob answers; the conversation grows, and its earlier messages stay as written.
    const answer =
      `From: Bob <bob@mail.test>\r\nTo: alice@mail.test\r\nSubject: =?utf-8?Q?Re:_Gr=C3=BC=C3=9Fe_&_K=C3=A4se?=\r\n` +
      `Message-ID: <answer@mail.test>\r\nIn-Reply-To: <${send_id}@mail.test>\r\n\r\nDrei.\r\n`;
    await postfix.dovecot.deliver("alice", answer);
    const messages = await eventually(async () => {
      const { data } = (await live.call("GET", `/threads/${sent.thread_id}/messages?include_quoted=true`)).json;
      return data.filter((one: { draft?: boolean }) => !one.draft).length === 2 && data;
    }, 15_000);
    expect(messages[0]).toMatchObject({
      id: sent.message_id,
      body_text: "Wie viel? Zeile eins\n\n> zitiert\n.\n-- \nAda",
      to: [{ email: "bob@mail.test" }],
    });
    const attachment = messages[0].attachments[0];
    const download = await fetch(
      `http://127.0.0.1:${live.app.server.port}/v1/messages/${sent.message_id}/attachments/${attachment.id}`,
      { headers: { Authorization: `Bearer ${live.key}` } },
    );
    expect(download.status).toBe(200);
    const hash = (data: Uint8Array) => createHash("sha256").update(data).digest("hex");
    expect(hash(new Uint8Array(await download.arrayBuffer()))).toBe(hash(bytes));

    const reply = (await live.call("POST", "/drafts", { body: { reply_to_thread_id: sent.thread_id, body: "Danke" } }))
      .json;
    expect(reply).toMatchObject({ to: ["bob@mail.test"], subject: "Re: Grüße & Käse", thread_id: sent.thread_id });
    const second = await ended((await send(`/drafts/${reply.id}/send`, { confirm: true })).json.send_id);
    expect(second.thread_id).toBe(sent.thread_id);
    const last = await arrivedAt("bob", second.send_id);
    const source = Buffer.from(last.source)
      .toString()
      .replace(/\r\n[ \t]/g, " ");
    expect(source).toContain("In-Reply-To: <answer@mail.test>");
    expect(source).toContain(`References: <${send_id}@mail.test> <answer@mail.test>`);
  }, 60_000);

  test("reports a refused recipient, one refused recipient of two, and a later bounce", async () => {
    const refused = await ended((await send("/messages/send", { to: ["x@reject.test"], subject: "R" })).json.send_id);
    expect(refused).toMatchObject({ status: "failed", reason: "recipient_rejected" });
    expect(refused.detail).toContain("mailbox unavailable");
    expect((await live.call("GET", `/drafts/${refused.draft_id}`)).json).toMatchObject({
      subject: "R",
      status: "draft",
    });
    const body = { to: ["x@reject.test", "bob@mail.test"], subject: "Half" };
    const half = await ended((await send("/messages/send", body)).json.send_id);
    expect(half).toMatchObject({ status: "sent", rejected: [{ recipient: "x@reject.test" }] });
    const gone = await ended(
      (await send("/messages/send", { to: ["gone@bounce.test"], subject: "Gone" })).json.send_id,
    );
    expect(gone).toMatchObject({ status: "sent", bounced: null });
    const bounced = await eventually(async () => (await view(gone.send_id)).bounced, 15_000);
    expect(bounced).toMatchObject({ recipients: [{ recipient: "gone@bounce.test", status: "5.1.1" }] });
    expect(live.events("send.bounced")).toMatchObject([{ send_id: gone.send_id, recipient: "gone@bounce.test" }]);
    expect((await view(gone.send_id)).status).toBe("sent");
    expect(live.events("send.failed")).toHaveLength(1);
  }, 60_000);

  test("50 parallel requests with one Idempotency-Key send one message", async () => {
    const body = { to: ["bob@mail.test"], subject: "Once and only once" };
    const answers = await Promise.all(Array.from({ length: 50 }, () => send("/messages/send", body, "fifty")));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const ids = new Set(answers.map(({ json }) => json.send_id));
    expect(ids.size).toBe(1);
    const [id] = [...ids];
    await ended(id);
    await eventually(async () => (await onServer("bob", "INBOX", id)).length === 1, 15_000);
  }, 30_000);

  test("of 200 cancels at the end of the window, each send is either undone or sent, and the server agrees", async () => {
    const sends = await Promise.all(
      Array.from({ length: 200 }, (_, i) =>
        send("/messages/send", { to: ["edge@elsewhere.example"], subject: `Edge ${i}`, undo_window_s: 4 }),
      ),
    );
    const cancelled = await Promise.all(
      sends.map(async ({ json: { send_id, undo_until } }, i) => {
        // From 150 ms before the end of the window to 50 ms after it.
        await Bun.sleep(Math.max(0, Date.parse(undo_until) - Date.now() - 150 + i));
        return { send_id, ...(await live.call("POST", `/sends/${send_id}/cancel`)) };
      }),
    );
    const count = { undone: 0, sent: 0 };
    for (const { send_id, status, json } of cancelled) {
      const final = await ended(send_id);
      if (status === 200) {
        expect([json.status, final.status]).toEqual(["undone", "undone"]);
        expect((await live.call("GET", `/drafts/${json.draft_id}`)).status).toBe(200);
      } else {
        expect([status, json.error.code, final.status]).toEqual([409, "undo_window_elapsed", "sent"]);
      }
      count[final.status as keyof typeof count]++;
    }
    await eventually(() => edges().length >= count.sent, 30_000);
    const arrived = edges().map(({ raw }) => /^Message-ID: <([^@]+)@/im.exec(raw)![1]!);
    const sent = cancelled.filter(({ status }) => status === 409).map(({ send_id }) => send_id);
    expect(arrived.sort()).toEqual(sent.sort());
    console.info(`200 cancels at the end of the window: ${count.undone} undone, ${count.sent} sent`);
    expect(Math.min(count.undone, count.sent)).toBeGreaterThan(0);
  }, 90_000);

  const edges = () => postfix.internet.accepted.filter(({ to }) => to.includes("edge@elsewhere.example"));
});
