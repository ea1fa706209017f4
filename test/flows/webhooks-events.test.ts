import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { EVENT_NAMES, type EventData, type EventName } from "../../src/kernel/events.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { percentile } from "../bench/measure.ts";
import { type Authority, createAuthority, OPENSSL } from "../support/certificates.ts";
import { DOVECOT, type Dovecot, startDovecot } from "../support/dovecot.ts";
import { eventually } from "../support/eventually.ts";
import { expectGolden } from "../support/golden-file.ts";
import { type HttpsReceiver, type ReceivedRequest, startReceiver } from "../support/https-receiver.ts";
import { type LiveApp, startLiveApp } from "../support/live-app.ts";
import { type ScriptedSmtp, startScriptedSmtp } from "../support/smtp-server.ts";

/** The whole program: real actions on real servers, and the events that a webhook receiver gets. */

const WAIT_MS = 15_000;

const missing = !DOVECOT ? "Dovecot" : !OPENSSL ? "openssl" : null;
if (missing) console.info(`skipped: every event from a real action to a receiver (${missing} is not installed)`);

describe.skipIf(missing !== null)("every event, from a real action to a receiver", () => {
  let authority: Authority;
  let receiver: HttpsReceiver;
  let dovecot: Dovecot;
  let smtp: ScriptedSmtp;
  let live: LiveApp;
  let account_id: string;
  let secret: string;
  /** Ids of the events that arrived over `GET /events` as server-sent events. */
  const streamed: string[] = [];

  beforeAll(async () => {
    authority = createAuthority();
    receiver = await startReceiver(authority.issue(["127.0.0.1"]));
    receiver.behave = ({ path }) => ({ status: path === "/gone" ? 410 : 200 });
    smtp = await startScriptedSmtp();
    dovecot = await startDovecot();
    dovecot.loadMaildir("alice", "INBOX", [
      { raw: letter("old-1", "History") },
      { raw: letter("old-2", "More of it") },
    ]);
    const allowed = { "webhooks.allow": "127.0.0.1", "webhooks.ca_file": authority.ca_file };
    live = await startLiveApp({ ...allowed, "mcp.enabled": "true" });
    secret = (await addEndpoint("/all", EVENT_NAMES)).secret;
    void follow();
    await addEndpoint("/sandbox", EVENT_NAMES, live.newKey({ test: true }));
    const { username, password } = dovecot.logins.alice;
    const { host, port, security } = smtp.login;
    const imap = { host: "127.0.0.1", port: dovecot.imapPort, security: "none" as const };
    const connection = { imap, smtp: { host, port, security }, username, password };
    account_id = live.connect({ email: "alice@mail.test", connection }).id;
    await eventually(() => live.app.mailbox.accounts.get(account_id)!.sync.phase === "live", WAIT_MS);
  }, 60_000);
  afterAll(async () => {
    await live?.close();
    await dovecot?.stop();
    await smtp?.stop();
    await receiver?.stop();
    authority?.remove();
  }, 30_000);

  function letter(id: string, subject: string, headers: readonly string[] = []): string {
    const head = [
      "From: Bob <bob@mail.test>",
      "To: alice@mail.test",
      `Subject: ${subject}`,
      `Message-ID: <${id}@mail.test>`,
    ];
    return [...head, ...headers, "Date: Mon, 02 Mar 2026 08:00:00 +0000", "", "Hello.", ""].join("\r\n");
  }

  /** Reads the event stream until the server closes it. */
  async function follow(): Promise<void> {
    const { body } = await fetch(`http://127.0.0.1:${live.app.server.port}/v1/events`, {
      headers: { Authorization: `Bearer ${live.key}`, Accept: "text/event-stream" },
    });
    for await (const chunk of body!.pipeThrough(new TextDecoderStream() as never) as unknown as AsyncIterable<string>) {
      for (const [, id] of chunk.matchAll(/^data: \{"id":"(ntf_\w+)"/gm)) streamed.push(id!);
    }
  }

  async function addEndpoint(path: string, events: readonly EventName[], key?: string) {
    const { json, text, status } = await live.call("POST", "/webhooks", {
      body: { url: receiver.origin + path, events },
      ...(key ? { key } : {}),
    });
    if (status !== 200) throw new Error(text);
    return json.data as { id: string; secret: string };
  }

  const arrived = () => receiver.received.filter(({ path }) => path === "/all");
  const payload = ({ body }: ReceivedRequest) => JSON.parse(body) as { id: string; event: string; data: object };
  /** Returns the events of one kind that receivers got. */
  function received<N extends EventName>(name: N): EventData[N][] {
    return arrived()
      .map(payload)
      .filter(({ event }) => event === name)
      .map(({ data }) => data as EventData[N]);
  }
  /** Waits until there is at least one. */
  async function soon<T>(list: () => T[]): Promise<T[]> {
    await eventually(() => list().length > 0, WAIT_MS);
    return list();
  }
  const send = (body: object) =>
    live.call("POST", "/messages/send", {
      body: { subject: "Hi", body: "Hello.", undo_window_s: 0, ...body },
      headers: { "Idempotency-Key": crypto.randomUUID() },
    });

  test("message.received is emitted after triage, within two seconds, and never for history", async () => {
    await dovecot.deliver(
      "alice",
      letter("fresh", "Fresh", ["List-Id: <news.mail.test>", "List-Unsubscribe: <https://x.test/>"]),
    );
    const [data] = await soon(() => received("message.received"));
    const { json } = await live.call("GET", `/messages/${data!.message_id}`);
    expect(data).toEqual({
      thread_id: json.thread_id,
      message_id: json.id,
      account_id,
      from: { email: "bob@mail.test" },
      subject: "Fresh",
      tags: [expect.stringMatching(/^(updates|promotions|social|primary)$/)],
    });
    expect(received("message.received").map(({ subject }) => subject)).toEqual(["Fresh"]);
  }, 30_000);

  test("thread.updated is emitted for a visible change with all its aspects, and not for a no-op", async () => {
    const [{ thread_id } = { thread_id: "" }] = received("message.received");
    const body = { read: true, starred: true, add_labels: ["project"], state: "archived" };
    await live.call("PATCH", `/threads/${thread_id}`, { body });
    await eventually(() => received("thread.updated").length === 1, WAIT_MS);
    expect(received("thread.updated")).toEqual([{ thread_id, changed: ["state", "labels", "read", "starred"] }]);
    await live.call("PATCH", `/threads/${thread_id}`, { body });
    // Mirroring it to the mail server and reading it back emits no event.
    const other = await dovecot.connect("alice");
    await eventually(async () => {
      const { messages } = (await other.status("Archive", { messages: true })) || {};
      return messages === 1;
    }, WAIT_MS);
    await other.logout();
  }, 30_000);

  test("draft.created is emitted for a draft created over the API", async () => {
    const { json } = await live.call("POST", "/drafts", {
      body: { to: ["bob@mail.test"], subject: "Later", body: "x" },
    });
    await eventually(() => received("draft.created").length === 1, WAIT_MS);
    expect(received("draft.created")).toEqual([{ draft_id: json.id, thread_id: null }]);
  }, 30_000);

  test("send.completed is emitted, and send.bounced when the message bounces", async () => {
    const { send_id } = (await send({ to: ["bob@mail.test"] })).json;
    const [completed] = await soon(() => received("send.completed"));
    const view = (await live.call("GET", `/sends/${send_id}`)).json;
    expect(completed).toEqual({ send_id, thread_id: view.thread_id, message_id: view.message_id });
    await dovecot.deliver("alice", bounceOf(send_id));
    await eventually(() => received("send.bounced").length === 1, WAIT_MS);
    expect(received("send.bounced")[0]).toMatchObject({ send_id, recipient: "bob@mail.test" });
  }, 30_000);

  test("send.failed is emitted when the mail server refuses the message", async () => {
    smtp.refuses.set("nobody@mail.test", "550 5.1.1 no such user");
    const { send_id } = (await send({ to: ["nobody@mail.test"] })).json;
    await eventually(() => received("send.failed").length === 1, WAIT_MS);
    expect(received("send.failed")[0]).toMatchObject({ send_id, detail: expect.stringContaining("no such user") });
    expect(received("send.completed").length).toBe(1);
  }, 30_000);

  test("agent.action is emitted when the agent sorts a message that a rule covers", async () => {
    const rule = {
      name: "Bob",
      kind: "agent",
      conditions: [{ field: "from_domain", op: "equals", value: "mail.test" }],
      actions: [
        { type: "setMode", value: "autopilot" },
        { type: "allow", value: "label" },
      ],
    };
    expect((await live.call("POST", "/rules", { body: rule })).status).toBeLessThan(300);
    // From today: the agent leaves old mail alone.
    const question = letter("question", "The contract")
      .replace(/^Date: .*$/m, `Date: ${new Date(systemClock.now()).toUTCString()}`)
      .replace("Hello.", "Can you sign the contract by Friday?");
    await dovecot.deliver("alice", question);
    const asked = () => received("message.received").filter(({ subject }) => subject === "The contract");
    const [{ thread_id } = { thread_id: "" }] = await soon(asked);
    expect((await live.call("POST", "/agent/run")).status).toBe(200);
    await eventually(() => received("agent.action").length > 0, WAIT_MS);
    expect(received("agent.action")).toContainEqual({ thread_id, action: "triaged", mode: "autopilot" });
  }, 30_000);

  test("brief.ready is emitted for a requested brief", async () => {
    const { json } = await live.call("POST", "/brief/generate", { body: {} });
    const [ready] = await soon(() => received("brief.ready"));
    expect(ready).toEqual({ date: json.date, needs_reply_count: expect.any(Number) });
  }, 30_000);

  test("approval.requested is emitted when an assistant wants to send to someone new", async () => {
    const draft = await tool("save_draft", { to: ["stranger@mail.test"], subject: "Hello", body: "Hello." });
    const { confirmation } = await tool("prepare_send", { draft_id: draft.id });
    const { approval_id } = await tool("send_draft", { draft_id: draft.id, confirmation });
    const [asked] = await soon(() => received("approval.requested"));
    const asked_by = { id: expect.stringMatching(/^key_/), name: expect.any(String) };
    expect(asked).toEqual({ approval_id, draft_id: draft.id, asked_by, recipients: 1 });
  }, 30_000);

  /** Calls a tool of the tool server. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads answers of every shape
  async function tool(name: string, args: object): Promise<any> {
    const headers = {
      Authorization: `Bearer ${live.key}`,
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
    };
    const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } };
    const url = `http://127.0.0.1:${live.app.server.port}/mcp`;
    const text = await (await fetch(url, { method: "POST", headers, body: JSON.stringify(call) })).text();
    const json = /^data: (.*)$/m.exec(text)?.[1] ?? text;
    return JSON.parse(json).result.structuredContent;
  }

  test("every event of the catalog was emitted once, and the log has the same events", async () => {
    const kinds = new Set(arrived().map((request) => payload(request).event));
    expect(EVENT_NAMES.filter((name) => !kinds.has(name))).toEqual([]);
    const ids = arrived().map((request) => payload(request).id);
    expect(new Set(ids).size).toBe(ids.length);
    const { json } = await live.call("GET", "/events?limit=100");
    const logged = json.data.map(({ id }: { id: string }) => id);
    expect(logged.toSorted()).toEqual(ids.toSorted());
    await eventually(() => streamed.length === logged.length, WAIT_MS);
    expect(streamed).toEqual(logged);
    const byId = new Map(arrived().map((request) => [payload(request).id, payload(request)]));
    for (const event of json.data) expect(byId.get(event.id)).toEqual(event);
  });

  test("changes that sync read back from the mail server emitted no events", () => {
    expect(received("thread.updated").map(({ changed }) => changed)).toEqual([
      ["state", "labels", "read", "starred"],
      ["labels"], // by the agent
    ]);
  });

  test("every delivery passes an independent verifier of each kind: the documented signature and Standard Webhooks", () => {
    expect(arrived().length).toBeGreaterThan(5);
    const lateMs: number[] = [];
    for (const { body, headers, atMs } of arrived()) {
      const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(headers["x-service-signature"]!)!;
      expect(createHmac("sha256", secret).update(`${t}.${body}`).digest("hex")).toBe(v1!);
      expect(Math.abs(Date.now() / 1000 - Number(t))).toBeLessThan(300);
      expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
      expect(headers["content-type"]).toBe("application/json");
      // What the mail worker writes is delivered as fast as what the API writes: neither waits for a poll.
      lateMs.push(performance.timeOrigin + atMs - Date.parse(JSON.parse(body).created_at));
    }
    expect(percentile(lateMs, 0.5)).toBeLessThan(900);
    console.info(`webhooks: ${lateMs.map((ms) => Math.round(ms)).join(", ")} ms after the change`);
  });

  test("each event has its published shape", async () => {
    const shape = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.length === 0 ? [] : [shape(value[0])];
      if (value === null || typeof value !== "object") return value === null ? "null" : typeof value;
      return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, shape(part)]));
    };
    const shapes = Object.fromEntries(
      EVENT_NAMES.flatMap((name) => {
        const one = arrived().find((request) => payload(request).event === name);
        return one ? [[name, shape(payload(one))]] : [];
      }),
    );
    await expectGolden("events.json", `${JSON.stringify(shapes, null, 2)}\n`);
  });

  test("an endpoint made with a test key receives events of the sandbox only", async () => {
    expect(receiver.received.filter(({ path }) => path === "/sandbox")).toEqual([]);
    const before = arrived().length;
    const key = live.newKey({ test: true });
    await live.call("POST", "/drafts", { key, body: { to: ["maria@acme.example"], subject: "Hi", body: "x" } });
    const receivedThere = await soon(() => receiver.received.filter(({ path }) => path === "/sandbox"));
    expect(receivedThere.map((request) => payload(request).event)).toEqual(["draft.created"]);
    expect(arrived().length).toBe(before);
  }, 30_000);

  test("the owner of an endpoint that is disabled gets a mail through their own account", async () => {
    const before = smtp.accepted.length;
    const { id } = await addEndpoint("/gone", ["draft.created"]);
    await live.call("POST", "/drafts", { body: { to: ["bob@mail.test"], subject: "x", body: "x" } });
    await eventually(() => smtp.accepted.length > before, WAIT_MS);
    const mail = smtp.accepted.at(-1)!;
    expect([mail.from, mail.to]).toEqual(["alice@mail.test", ["alice@mail.test"]]);
    expect(mail.raw).toContain("was disabled");
    expect(mail.raw).toContain(id);
    expect((await live.call("GET", `/webhooks/${id}`)).json.data.status).toBe("disabled");
    const { data } = (await live.call("GET", "/audit?limit=100")).json;
    const sent = data.find(
      ({ action }: { action: string }) => action === "send.schedule" || action === "webhook.disable",
    );
    expect(sent.actor).toEqual({ kind: "system", id: null });
  }, 30_000);
});

/** A bounce as Postfix writes it (RFC 3464). */
function bounceOf(send_id: string): string {
  return [
    "From: MAILER-DAEMON@mail.test (Mail Delivery System)",
    "To: alice@mail.test",
    "Subject: Undelivered Mail Returned to Sender",
    "Message-ID: <bounce@mail.test>",
    "Auto-Submitted: auto-replied",
    "MIME-Version: 1.0",
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
    "",
    "--b",
    "Content-Type: text/plain",
    "",
    "Your message could not be delivered.",
    "--b",
    "Content-Type: message/delivery-status",
    "",
    "Reporting-MTA: dns; mail.test",
    "",
    "Final-Recipient: rfc822; bob@mail.test",
    "Action: failed",
    "Status: 5.2.2",
    "Diagnostic-Code: smtp; 552 5.2.2 mailbox full",
    "--b",
    "Content-Type: text/rfc822-headers",
    "",
    "From: alice@mail.test",
    "Subject: Hi",
    `Message-ID: <${send_id}@mail.test>`,
    "--b--",
    "",
  ].join("\r\n");
}
