import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { Webhook } from "standardwebhooks";
import { type Authority, createAuthority, OPENSSL } from "../../../test/support/certificates.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { startReceiver } from "../../../test/support/https-receiver.ts";
import { createWebhookFixture, receivedAt, type WebhookFixture } from "../../../test/support/webhook-fixture.ts";
import { openPlatform } from "../../platform/platform.ts";
import { EndpointStore } from "./endpoints-store.ts";
import { verifyWebhook } from "./verify.ts";

if (!OPENSSL) console.info("skipped: webhook deliveries (openssl is not installed)");

describe.skipIf(!OPENSSL)("deliveries", () => {
  let authority: Authority;
  let fixture: WebhookFixture;
  beforeAll(() => {
    authority = createAuthority();
  });
  afterAll(() => authority?.remove());
  beforeEach(async () => {
    fixture = await createWebhookFixture(authority);
  });
  afterEach(() => fixture.close());

  const last = () => fixture.receiver.received.at(-1)!;
  const now = () => fixture.h.clock.now();
  const attempt = async (id: string) => {
    const [delivery] = await fixture.deliveries(id);
    const { json } = await fixture.h.call("GET", `/webhooks/${id}/deliveries/${delivery!.id}`);
    return json.data.attempts.at(-1);
  };

  test("an event is delivered, with a signature over exactly the bytes that were sent", async () => {
    const { id, secret } = await fixture.endpoint("/hook?x=1");
    fixture.emit("thr_7");
    await fixture.settle();
    const { body, headers, method, path } = last();
    expect([method, path, headers["content-type"]]).toEqual(["POST", "/hook?x=1", "application/json"]);
    const event = JSON.parse(body);
    expect(event).toEqual({
      id: expect.stringMatching(/^ntf_/),
      event: "thread.updated",
      created_at: "2026-03-02T09:00:00.000Z",
      data: { thread_id: "thr_7", changed: ["read"] },
    });
    const signature = headers["x-service-signature"]!;
    expect(verifyWebhook(body, signature, secret, now())).toBe(true);
    expect(verifyWebhook(body, signature, secret, now() + 301_000)).toBe(false);
    expect(headers["webhook-id"]).toBe(event.id);
    expect(headers["webhook-timestamp"]).toBe(String(now() / 1000));
    // The library uses the machine's clock, which is far from the fixture's.
    expect(() => new Webhook(secret).verify(body, headers)).toThrow("too old");
    const [delivery] = await fixture.deliveries(id);
    expect(delivery).toMatchObject({
      event_id: event.id,
      status: "delivered",
      attempt_count: 1,
      next_attempt_at: null,
    });
    expect(delivery!.last_attempt).toMatchObject({ response_status: 200, error: null });
  });

  test("an endpoint receives only subscribed events of its user, from its creation on", async () => {
    fixture.emit("thr_before");
    const { id } = await fixture.endpoint("/");
    await fixture.endpoint("/drafts", ["draft.created"]);
    fixture.emit("thr_mine");
    fixture.emit("thr_bob", fixture.h.newUser("bob@example.org").id);
    fixture.emit("thr_sandbox", fixture.h.platform.users.sandboxOf(fixture.h.user.id).id);
    fixture.h.platform.events.emit(fixture.h.user.id, "draft.created", { draft_id: "drf_1", thread_id: null });
    await fixture.settle();
    expect(receivedAt(fixture.receiver, "/").map(({ body }) => JSON.parse(body).data.thread_id)).toEqual(["thr_mine"]);
    expect(receivedAt(fixture.receiver, "/drafts").map(({ body }) => JSON.parse(body).event)).toEqual([
      "draft.created",
    ]);
    // Events from before a new subscription are not delivered.
    await fixture.h.call("PATCH", `/webhooks/${id}`, { body: { events: ["thread.updated", "draft.created"] } });
    await fixture.settle();
    expect(receivedAt(fixture.receiver, "/").length).toBe(1);
  });

  test("the response of the receiver is stored, with up to 4 KiB of its body", async () => {
    const { id } = await fixture.endpoint();
    fixture.receiver.behave = () => ({ status: 500, headers: { "X-Why": "disk" }, body: "é".repeat(5_000) });
    fixture.emit();
    await fixture.settle();
    const kept = await attempt(id);
    expect(kept).toMatchObject({ attempt: 1, response_status: 500, error: "the receiver answered 500" });
    expect(kept.response_headers["x-why"]).toBe("disk");
    expect(kept.response_body).toBe("é".repeat(2_048));
    expect(fixture.h.platform.db.sql.query("SELECT detail FROM webhook_attempts").all().toString()).not.toContain(
      "disk",
    );
  });

  test("a failed delivery is retried on schedule, with the same body and id and a new signature each time", async () => {
    const { id, secret } = await fixture.endpoint();
    fixture.receiver.behave = () => ({ status: 503 });
    fixture.emit();
    await fixture.settle();
    await fixture.advance(4_999);
    expect(fixture.receiver.received.length).toBe(1);
    await fixture.advance(1);
    expect(fixture.receiver.received.length).toBe(2);
    await fixture.advance(299_999);
    expect(fixture.receiver.received.length).toBe(2);
    expect(await fixture.view(id)).toMatchObject({ failure_count: 2, last_failure_at: "2026-03-02T09:00:05.000Z" });
    fixture.receiver.behave = () => ({ status: 204 });
    await fixture.advance(1);
    const [first, second, third] = fixture.receiver.received;
    expect(third!.body).toBe(first!.body);
    expect(third!.headers["webhook-id"]).toBe(first!.headers["webhook-id"]!);
    expect(second!.headers["x-service-signature"]).not.toBe(first!.headers["x-service-signature"]!);
    expect(verifyWebhook(third!.body, third!.headers["x-service-signature"]!, secret, now())).toBe(true);
    expect(await fixture.view(id)).toMatchObject({ failure_count: 0, last_failure_at: "2026-03-02T09:00:05.000Z" });
    expect((await fixture.deliveries(id))[0]).toMatchObject({ status: "delivered", attempt_count: 3 });
  });

  test("redirects count as failures and are not followed", async () => {
    const { id } = await fixture.endpoint("/old");
    fixture.receiver.behave = () => ({ status: 308, headers: { Location: "/new" } });
    fixture.emit();
    await fixture.settle();
    expect(fixture.receiver.received.map(({ path }) => path)).toEqual(["/old"]);
    expect((await fixture.deliveries(id))[0]).toMatchObject({ status: "pending", attempt_count: 1 });
  });

  test("Retry-After of 429 and 503 is respected, and also delays other events", async () => {
    const { id } = await fixture.endpoint();
    fixture.receiver.behave = () => ({ status: 429, headers: { "Retry-After": "60" } });
    fixture.emit("thr_1");
    await fixture.settle();
    fixture.emit("thr_2");
    await fixture.advance(59_999);
    expect(fixture.receiver.received.length).toBe(1);
    expect((await fixture.deliveries(id)).at(-1)!.next_attempt_at).toBe("2026-03-02T09:01:00.000Z");
    fixture.receiver.behave = () => ({ status: 200 });
    await fixture.advance(1);
    expect(fixture.receiver.received.length).toBe(3);
  });

  test("410 disables the endpoint immediately, and the owner is notified", async () => {
    const { id } = await fixture.endpoint();
    fixture.receiver.behave = () => ({ status: 410 });
    fixture.emit();
    await fixture.settle();
    fixture.emit();
    await fixture.advance(3_600_000);
    expect(fixture.receiver.received.length).toBe(1);
    expect(await fixture.view(id)).toMatchObject({ status: "disabled", disabled_at: "2026-03-02T09:00:00.000Z" });
    expect(fixture.mails).toMatchObject([
      { user_id: fixture.h.user.id, subject: expect.stringContaining("was disabled") },
    ]);
    expect(fixture.mails[0]!.text).toContain("410 Gone");
    // Both events are delivered after reactivation.
    fixture.receiver.behave = () => ({ status: 200 });
    await fixture.h.call("PATCH", `/webhooks/${id}`, { body: { status: "active" } });
    await fixture.settle();
    expect(fixture.receiver.received.length).toBe(3);
    expect((await fixture.deliveries(id)).map(({ status }) => status)).toEqual(["delivered", "delivered"]);
  });

  test.each([
    ["hangs", "hang" as const, true, /no response within 15 seconds/],
    ["cuts the connection", "reset" as const, false, /closed the connection/],
    ["speaks another protocol", { bytes: "SSH-2.0-x\r\n" }, false, /not valid HTTP/],
    [
      "sends its headers byte by byte",
      { drip: `HTTP/1.1 200 OK\r\nX: ${"y".repeat(9_999)}\r\n\r\n` },
      true,
      /within 15 s/,
    ],
  ])("an attempt fails if the receiver %s", async (_, behavior, isSlow, why) => {
    const { id } = await fixture.endpoint();
    fixture.receiver.behave = () => behavior;
    fixture.emit();
    await eventually(() => fixture.receiver.received.length === 1);
    if (isSlow) fixture.h.clock.advance(15_000);
    await fixture.settle();
    expect((await attempt(id)).error).toMatch(why);
    expect((await fixture.view(id)).failure_count).toBe(1);
  });

  test("an untrusted certificate fails with a specific reason", async () => {
    const { id } = await fixture.endpoint();
    await fixture.receiver.stop();
    const elsewhere = createAuthority();
    fixture.receiver = await startReceiver(elsewhere.issue(["127.0.0.1"]));
    elsewhere.remove();
    const url = fixture.receiver.origin;
    await fixture.h.call("PATCH", `/webhooks/${id}`, { body: { url } });
    fixture.emit();
    await fixture.settle();
    expect((await attempt(id)).error).toContain("unknown authority");
    expect(fixture.receiver.received).toEqual([]);
  });

  test("first attempts keep their order within a thread, but not between threads", async () => {
    await fixture.endpoint();
    fixture.receiver.behave = () => (fixture.receiver.received.length === 1 ? "hang" : { status: 200 });
    fixture.emit("thr_slow");
    fixture.emit("thr_slow");
    fixture.emit("thr_other");
    await eventually(() => fixture.receiver.received.length === 2);
    const threads = () => fixture.receiver.received.map(({ body }) => JSON.parse(body).data.thread_id);
    expect(threads()).toEqual(["thr_slow", "thr_other"]);
    fixture.h.clock.advance(15_000);
    await eventually(() => fixture.receiver.received.length === 3);
    expect(threads()[2]).toBe("thr_slow");
    const ids = fixture.receiver.received.map(({ headers }) => headers["webhook-id"]);
    expect(ids[2]).not.toBe(ids[0]!);
  });

  test("an endpoint that hangs does not delay the others", async () => {
    await fixture.endpoint("/dead");
    await fixture.endpoint("/well");
    fixture.receiver.behave = ({ path }) => (path === "/dead" ? "hang" : { status: 200 });
    for (let i = 0; i < 200; i++) fixture.emit(`thr_${i}`);
    await eventually(() => receivedAt(fixture.receiver, "/well").length === 200);
    expect(receivedAt(fixture.receiver, "/dead").length).toBe(16);
  });

  test("after a rotation, both secrets sign for 24 hours, then only the new one", async () => {
    const { id, secret: old } = await fixture.endpoint();
    const fresh = (await fixture.h.call("POST", `/webhooks/${id}/rotate-secret`)).json.data.secret as string;
    const accepted = async () => {
      fixture.emit();
      await fixture.settle();
      const { body, headers } = last();
      return [old, fresh].map((secret) => verifyWebhook(body, headers["x-service-signature"]!, secret, now()));
    };
    expect(await accepted()).toEqual([true, true]);
    expect(last().headers["x-service-signature"]!.match(/v1=/g)!.length).toBe(2);
    expect(last().headers["webhook-signature"]!.split(" ").length).toBe(2);
    await fixture.advance(24 * 3_600_000 - 1);
    expect(await accepted()).toEqual([true, true]);
    await fixture.advance(1);
    expect(await accepted()).toEqual([false, true]);
    expect(last().headers["x-service-signature"]!.match(/v1=/g)!.length).toBe(1);
    // After two more rotations within a day, three secrets are valid.
    await fixture.h.call("POST", `/webhooks/${id}/rotate-secret`);
    await fixture.h.call("POST", `/webhooks/${id}/rotate-secret`);
    await accepted();
    expect(last().headers["x-service-signature"]!.match(/v1=/g)!.length).toBe(3);
  });

  test("a manual redelivery uses the same id", async () => {
    const { id } = await fixture.endpoint();
    fixture.emit();
    await fixture.settle();
    const [delivery] = await fixture.deliveries(id);
    const again = await fixture.h.call("POST", `/webhooks/${id}/deliveries/${delivery!.id}/redeliver`);
    expect(again.json.data).toMatchObject({ id: delivery!.id, status: "pending", attempt_count: 1 });
    await fixture.settle();
    const [first, second] = fixture.receiver.received;
    expect(second!.headers["webhook-id"]).toBe(first!.headers["webhook-id"]!);
    expect(second!.body).toBe(first!.body);
    expect((await fixture.deliveries(id))[0]).toMatchObject({ status: "delivered", attempt_count: 2 });
  });

  test("a ping is sent immediately, even to a disabled endpoint, and is stored, but not retried, counted or logged as an event", async () => {
    const { id, secret } = await fixture.endpoint();
    await fixture.h.call("PATCH", `/webhooks/${id}`, { body: { status: "disabled" } });
    const by = {
      user_id: fixture.h.user.id,
      actor: { kind: "user", id: fixture.h.user.id } as const,
      request_id: null,
    };
    const good = await fixture.webhooks.service.ping(by, id);
    expect(good.delivery).toMatchObject({ event: "webhook.test", status: "delivered", attempts: 1 });
    const { body, headers } = last();
    expect(JSON.parse(body)).toMatchObject({ event: "webhook.test", data: { endpoint_id: id } });
    expect(verifyWebhook(body, headers["x-service-signature"]!, secret, now())).toBe(true);
    fixture.receiver.behave = () => ({ status: 500 });
    const bad = await fixture.webhooks.service.ping(by, id);
    expect(bad.delivery.status).toBe("failed");
    await fixture.h.call("PATCH", `/webhooks/${id}`, { body: { status: "active" } });
    await fixture.advance(3_600_000);
    expect(fixture.receiver.received.length).toBe(2);
    expect((await fixture.view(id)).failure_count).toBe(0);
    expect((await fixture.h.call("GET", "/events")).json.data).toEqual([]);
    await expect(fixture.webhooks.service.ping({ ...by, user_id: "usr_x" }, id)).rejects.toThrow("webhook endpoint");
  });

  test("pending deliveries survive a restart in order, and completed ones are not repeated", async () => {
    const { id } = await fixture.endpoint();
    fixture.emit("thr_done");
    await fixture.settle();
    fixture.receiver.behave = ({ body }) => (JSON.parse(body).data.thread_id === "thr_1" ? "hang" : { status: 500 });
    fixture.emit("thr_1");
    fixture.emit("thr_1");
    fixture.emit("thr_2");
    await eventually(async () => (await fixture.deliveries(id)).some(({ attempt_count }) => attempt_count === 1));
    await eventually(() => fixture.receiver.received.length === 3);
    const before = fixture.receiver.received.length;
    fixture.receiver.behave = () => ({ status: 200 });
    await fixture.restart();
    const threads = fixture.receiver.received.slice(before).map(({ body }) => JSON.parse(body).data.thread_id);
    expect(threads).toEqual(["thr_1", "thr_1"]); // The third waits for its retry.
    await fixture.advance(5_000);
    expect((await fixture.deliveries(id)).map(({ status }) => status)).toEqual(Array(4).fill("delivered"));
    expect(fixture.receiver.received.length).toBe(before + 3);
  });

  test("stopping aborts attempts under way, which do not count", async () => {
    const { id } = await fixture.endpoint();
    fixture.receiver.behave = () => "hang";
    fixture.emit();
    await eventually(() => fixture.receiver.received.length === 1);
    fixture.receiver.behave = () => ({ status: 200 });
    await fixture.restart();
    expect((await fixture.deliveries(id))[0]).toMatchObject({ status: "delivered", attempt_count: 1 });
    expect((await fixture.view(id)).failure_count).toBe(0);
  });

  test("an endpoint that another process removes receives nothing more", async () => {
    const { id } = await fixture.endpoint();
    fixture.webhooks.endpoints.remove(id);
    fixture.emit();
    await fixture.advance(1_000);
    await fixture.advance(1_000);
    fixture.emit();
    await fixture.settle();
    expect(fixture.h.platform.db.sql.query("SELECT count(*) AS c FROM webhook_deliveries").get()).toEqual({ c: 0 });
  });

  test("changes by another process are noticed within a second, even under load", async () => {
    const { id } = await fixture.endpoint("/old");
    const { config, log } = fixture.h.platform;
    const other = openPlatform({ config, log, clock: fixture.h.clock });
    new EndpointStore(other).remove(id);
    other.close();
    for (let tenth = 0; tenth < 11; tenth++) {
      await fixture.advance(100);
      fixture.emit();
    }
    await fixture.settle();
    const before = fixture.receiver.received.length;
    fixture.emit();
    await fixture.settle();
    expect(fixture.receiver.received.length).toBe(before);
  });

  test("an event that cannot be decrypted does not affect other deliveries", async () => {
    const { id } = await fixture.endpoint();
    fixture.receiver.behave = () => ({ status: 500 });
    fixture.emit("thr_bad");
    fixture.emit("thr_good");
    await fixture.settle();
    fixture.receiver.behave = () => ({ status: 200 });
    fixture.h.platform.db.sql.run("UPDATE events SET payload = zeroblob(60) WHERE thread_id = 'thr_bad'");
    await fixture.advance(5_000);
    expect((await fixture.deliveries(id)).map(({ status }) => status)).toEqual(["delivered", "failed"]);
  });

  test("no outcome is lost while the database cannot be written", async () => {
    const { id } = await fixture.endpoint();
    const { sql } = fixture.h.platform.db;
    sql.run("CREATE TRIGGER full BEFORE INSERT ON webhook_attempts BEGIN SELECT raise(ABORT, 'disk is full'); END");
    fixture.emit("thr_1");
    await eventually(() => fixture.h.log.some((line) => line.includes("could not be recorded")));
    fixture.emit("thr_2");
    await eventually(() => fixture.receiver.received.length === 2);
    sql.run("DROP TRIGGER full");
    fixture.h.clock.advance(1_000);
    await fixture.settle();
    expect((await fixture.deliveries(id)).map(({ status, attempt_count }) => [status, attempt_count])).toEqual([
      ["delivered", 1],
      ["delivered", 1],
    ]);
    expect(fixture.receiver.received.length).toBe(2);
  });

  test("history is deleted with the events after 30 days", async () => {
    const { id } = await fixture.endpoint();
    fixture.emit();
    await fixture.settle();
    fixture.h.clock.set(now() + 30 * 86_400_000);
    fixture.webhooks.service.prune();
    expect((await fixture.deliveries(id)).length).toBe(1);
    fixture.h.clock.set(now() + 1);
    fixture.webhooks.service.prune();
    expect(await fixture.deliveries(id)).toEqual([]);
    expect(fixture.h.platform.db.sql.query("SELECT count(*) AS c FROM webhook_attempts").get()).toEqual({ c: 0 });
  });

  test("many events to one endpoint all arrive, each once", async () => {
    await fixture.endpoint();
    for (let i = 0; i < 500; i++) fixture.emit(`thr_${i % 50}`);
    await eventually(() => fixture.receiver.received.length === 500);
    await fixture.settle();
    expect(new Set(fixture.receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(500);
    expect(fixture.receiver.connections).toBeLessThanOrEqual(16);
    const byThread = Map.groupBy(fixture.receiver.received, ({ body }) => JSON.parse(body).data.thread_id);
    for (const list of byThread.values()) {
      const ids = list.map(({ body }) => JSON.parse(body).id as string);
      expect(ids).toEqual(ids.toSorted());
    }
  }, 30_000);
});
