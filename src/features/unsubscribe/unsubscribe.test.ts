import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { type Authority, createAuthority, OPENSSL } from "../../../test/support/certificates.ts";
import { createHarness, type Harness } from "../../../test/support/http-harness.ts";
import { type HttpsReceiver, startReceiver } from "../../../test/support/https-receiver.ts";
import { type SeededMailbox, seedMailbox } from "../../../test/support/seed-mail.ts";
import { Unsubscribes } from "../../mailbox/changes/unsubscribes.ts";
import { createMailbox, type Mailbox } from "../../mailbox/mailbox.ts";
import { systemClock } from "../../platform/clock.ts";
import { EgressClient } from "../../platform/egress/client.ts";
import { EgressGuard } from "../../platform/egress/guard.ts";
import { unsubscribeRoutes } from "./routes.ts";
import { Unsubscriber } from "./service.ts";

describe.skipIf(!OPENSSL)("POST /messages/{id}/unsubscribe", () => {
  let h: Harness;
  let seed: SeededMailbox;
  let mailbox: Mailbox;
  let authority: Authority;
  let sender: HttpsReceiver;
  let egress: EgressClient;

  beforeAll(async () => {
    authority = createAuthority();
    sender = await startReceiver(authority.issue(["127.0.0.1"]));
    egress = new EgressClient({ guard: new EgressGuard(["127.0.0.1"]), clock: systemClock, ca: authority.ca });
    h = createHarness({
      routes: (platform) => {
        mailbox = createMailbox(platform);
        const unsubscribes = new Unsubscribes(platform);
        const messages = mailbox.messageQueries;
        return unsubscribeRoutes(new Unsubscriber({ messages, unsubscribes, egress, user_agent: "Postroom/test" }));
      },
    });
    seed = seedMailbox(h.platform, h.user.id, { mailbox });
  });
  afterAll(async () => {
    h?.close();
    egress?.close();
    await sender?.stop();
    authority?.remove();
  });
  beforeEach(() => {
    sender.received.length = 0;
    sender.behave = () => ({ status: 200 });
  });

  let n = 0;
  const newsletter = (url = `${sender.origin}/u?id=${++n}`, into = seed) =>
    into.deliver({
      subject: `news ${n}`,
      headers: new Map([
        ["list-unsubscribe", [`<mailto:u@x.example>, <${url}>`]],
        ["list-unsubscribe-post", ["List-Unsubscribe=One-Click"]],
      ]),
    }).message_id;
  const unsubscribe = (id: string, more: Parameters<Harness["call"]>[2] = {}) =>
    h.call("POST", `/messages/${id}/unsubscribe`, { body: { confirm: true }, ...more });
  const audited = () => h.platform.audit.list(h.user.id, { limit: 50, action: "message.unsubscribe" });

  test("sends one POST according to RFC 8058, which reveals only the URL in the mail", async () => {
    const id = newsletter();
    const { status, json } = await unsubscribe(id);
    expect(status).toBe(200);
    expect(json).toEqual({ message_id: id, host: "127.0.0.1", unsubscribed_at: h.clock.now() && expect.any(String) });
    expect(sender.received).toHaveLength(1);
    const { method, path, headers, body } = sender.received[0]!;
    expect({ method, path, body }).toEqual({ method: "POST", path: `/u?id=${n}`, body: "List-Unsubscribe=One-Click" });
    expect(headers).toEqual({
      host: `127.0.0.1:${sender.port}`,
      "content-type": "application/x-www-form-urlencoded",
      "user-agent": "Postroom/test",
      "content-length": "26",
    });
    expect(audited()[0]).toMatchObject({ target: id, actor: { kind: "key" }, after: { host: "127.0.0.1" } });
    expect(JSON.stringify(audited()[0])).not.toContain("/u?id=");
  });

  test("asks the sender once, with and without an Idempotency-Key", async () => {
    const id = newsletter();
    const first = await unsubscribe(id);
    h.clock.advance(60_000);
    expect((await unsubscribe(id)).json).toEqual(first.json);
    const headers = { "Idempotency-Key": "u-1" };
    const keyed = await unsubscribe(newsletter(), { headers });
    expect((await unsubscribe(keyed.json.message_id, { headers })).json).toEqual(keyed.json);
    expect(sender.received).toHaveLength(2);
  });

  test("asks the sender once if a person clicks twice", async () => {
    const id = newsletter();
    const answers = await Promise.all([unsubscribe(id), unsubscribe(id), unsubscribe(id)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(answers.map(({ json }) => json.unsubscribed_at)).size).toBe(1);
    expect([sender.received.length, audited().filter(({ target }) => target === id).length]).toEqual([1, 1]);
  });

  test("does nothing without confirmation, or if the message does not offer it", async () => {
    const id = newsletter();
    for (const body of [{}, { confirm: false }, { confirm: "true" }]) {
      const { status, json } = await unsubscribe(id, { body });
      expect([status, json.error.param]).toEqual([400, "confirm"]);
    }
    const { status, json } = await unsubscribe(seed.deliver({ subject: "a letter" }).message_id);
    expect([status, json.error.code]).toEqual([409, "unsubscribe_unavailable"]);
    expect(sender.received).toEqual([]);
  });

  test("reports a refusal by the sender, and can be tried again", async () => {
    const id = newsletter();
    for (const answer of [
      { status: 404 },
      { status: 302, headers: { Location: `${sender.origin}/elsewhere` } },
      { status: 500 },
    ]) {
      sender.behave = () => answer;
      const { status, json } = await unsubscribe(id);
      expect([status, json.error.code]).toEqual([502, "unsubscribe_failed"]);
      expect(json.error.message).toContain(String(answer.status));
    }
    expect(sender.received.map(({ path }) => path)).not.toContain("/elsewhere");
    sender.behave = () => "reset";
    expect((await unsubscribe(id)).json.error.message).toContain("closed the connection");
    sender.behave = () => ({ status: 202 });
    expect((await unsubscribe(id)).status).toBe(200);
  });

  test.each([
    "https://192.168.1.1/u",
    "https://169.254.169.254/u",
    "https://localhost:8025/u",
    "https://[::1]/u",
    "https://user:pw@x.example/u",
  ])("never connects to %s", async (url) => {
    const { status, json } = await unsubscribe(newsletter(url));
    expect([status, json.error.code]).toEqual([502, "unsubscribe_failed"]);
  });

  test("is refused for keys that may only read and for other users' mail", async () => {
    const id = newsletter();
    expect((await unsubscribe(id, { key: h.newKey({ scopes: ["mail:read"] }).secret })).status).toBe(403);
    expect((await unsubscribe(id, { key: h.newKey({ user_id: h.newUser("eve@example.org").id }).secret })).status).toBe(
      404,
    );
    expect(sender.received).toEqual([]);
  });

  test("sends nothing from the sandbox", async () => {
    const sandbox = h.platform.users.sandboxOf(h.user.id).id;
    const samples = seedMailbox(h.platform, sandbox, { mailbox, email: "sample@example.org" });
    const { status } = await unsubscribe(newsletter(undefined, samples), { key: h.newKey({ test: true }).secret });
    expect([status, sender.received.length]).toEqual([200, 0]);
  });
});
