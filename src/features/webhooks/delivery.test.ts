import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { Webhook } from "standardwebhooks";
import { type Authority, createAuthority, OPENSSL } from "../../../test/certificates.ts";
import { eventually } from "../../../test/eventually.ts";
import { startReceiver } from "../../../test/https-receiver.ts";
import { createWebhookScene, receivedAt, type WebhookScene } from "../../../test/webhook-scene.ts";
import { openPlatform } from "../../platform/platform.ts";
import { EndpointStore } from "./endpoints-store.ts";
import { verifyWebhook } from "./verify.ts";

if (!OPENSSL) console.info("skipped: webhook deliveries (openssl is not installed)");

describe.skipIf(!OPENSSL)("deliveries", () => {
  let authority: Authority;
  let scene: WebhookScene;
  beforeAll(() => {
    authority = createAuthority();
  });
  afterAll(() => authority?.remove());
  beforeEach(async () => {
    scene = await createWebhookScene(authority);
  });
  afterEach(() => scene.close());

  const last = () => scene.receiver.received.at(-1)!;
  const attempt = async (id: string) => {
    const [delivery] = await scene.deliveries(id);
    const { json } = await scene.h.call("GET", `/webhooks/${id}/deliveries/${delivery!.id}`);
    return json.data.attempts.at(-1);
  };

  test("an event arrives, signed over exactly the bytes that were sent", async () => {
    const { id, secret } = await scene.endpoint("/hook?x=1");
    scene.emit("thr_7");
    await scene.settle();
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
    expect(verifyWebhook(body, signature, secret, scene.h.clock.now())).toBe(true);
    expect(verifyWebhook(body, signature, secret, scene.h.clock.now() + 301_000)).toBe(false);
    expect(headers["webhook-id"]).toBe(event.id);
    expect(headers["webhook-timestamp"]).toBe(String(scene.h.clock.now() / 1000));
    // The library compares with the machine's clock, which the scene's is far from.
    expect(() => new Webhook(secret).verify(body, headers)).toThrow("too old");
    const [delivery] = await scene.deliveries(id);
    expect(delivery).toMatchObject({
      event_id: event.id,
      status: "delivered",
      attempt_count: 1,
      next_attempt_at: null,
    });
    expect(delivery!.last_attempt).toMatchObject({ response_status: 200, error: null });
  });

  test("only what the endpoint wants, from its creation on, and only of its user", async () => {
    scene.emit("thr_before");
    const { id } = await scene.endpoint("/");
    await scene.endpoint("/drafts", ["draft.created"]);
    scene.emit("thr_mine");
    scene.emit("thr_bob", scene.h.newUser("bob@example.org").id);
    scene.emit("thr_sandbox", scene.h.platform.users.sandboxOf(scene.h.user.id).id);
    scene.h.platform.events.emit(scene.h.user.id, "draft.created", { draft_id: "drf_1", thread_id: null });
    await scene.settle();
    expect(receivedAt(scene.receiver, "/").map(({ body }) => JSON.parse(body).data.thread_id)).toEqual(["thr_mine"]);
    expect(receivedAt(scene.receiver, "/drafts").map(({ body }) => JSON.parse(body).event)).toEqual(["draft.created"]);
    // A wider subscription does not reach back.
    await scene.h.call("PATCH", `/webhooks/${id}`, { body: { events: ["thread.updated", "draft.created"] } });
    await scene.settle();
    expect(receivedAt(scene.receiver, "/").length).toBe(1);
  });

  test("what the receiver answered is kept, its body as far as 4 KiB", async () => {
    const { id } = await scene.endpoint();
    scene.receiver.behave = () => ({ status: 500, headers: { "X-Why": "disk" }, body: "é".repeat(5_000) });
    scene.emit();
    await scene.settle();
    const kept = await attempt(id);
    expect(kept).toMatchObject({ attempt: 1, response_status: 500, error: "the receiver answered 500" });
    expect(kept.response_headers["x-why"]).toBe("disk");
    expect(kept.response_body).toBe("é".repeat(2_048));
    expect(scene.h.platform.db.sql.query("SELECT detail FROM webhook_attempts").all().toString()).not.toContain("disk");
  });

  test("a failure is tried again by the schedule, each time with the same body and id and a fresh signature", async () => {
    const { id, secret } = await scene.endpoint();
    scene.receiver.behave = () => ({ status: 503 });
    scene.emit();
    await scene.settle();
    await scene.advance(4_999);
    expect(scene.receiver.received.length).toBe(1);
    await scene.advance(1);
    expect(scene.receiver.received.length).toBe(2);
    await scene.advance(299_999);
    expect(scene.receiver.received.length).toBe(2);
    expect(await scene.view(id)).toMatchObject({ failure_count: 2, last_failure_at: "2026-03-02T09:00:05.000Z" });
    scene.receiver.behave = () => ({ status: 204 });
    await scene.advance(1);
    const [first, second, third] = scene.receiver.received;
    expect(third!.body).toBe(first!.body);
    expect(third!.headers["webhook-id"]).toBe(first!.headers["webhook-id"]!);
    expect(second!.headers["x-service-signature"]).not.toBe(first!.headers["x-service-signature"]!);
    expect(verifyWebhook(third!.body, third!.headers["x-service-signature"]!, secret, scene.h.clock.now())).toBe(true);
    expect(await scene.view(id)).toMatchObject({ failure_count: 0, last_failure_at: "2026-03-02T09:00:05.000Z" });
    expect((await scene.deliveries(id))[0]).toMatchObject({ status: "delivered", attempt_count: 3 });
  });

  test("redirects are failures, and are not followed", async () => {
    const { id } = await scene.endpoint("/old");
    scene.receiver.behave = () => ({ status: 308, headers: { Location: "/new" } });
    scene.emit();
    await scene.settle();
    expect(scene.receiver.received.map(({ path }) => path)).toEqual(["/old"]);
    expect((await scene.deliveries(id))[0]).toMatchObject({ status: "pending", attempt_count: 1 });
  });

  test("429 and 503 get the time that they ask for, and other events wait as well", async () => {
    const { id } = await scene.endpoint();
    scene.receiver.behave = () => ({ status: 429, headers: { "Retry-After": "60" } });
    scene.emit("thr_1");
    await scene.settle();
    scene.emit("thr_2");
    await scene.advance(59_999);
    expect(scene.receiver.received.length).toBe(1);
    expect((await scene.deliveries(id)).at(-1)!.next_attempt_at).toBe("2026-03-02T09:01:00.000Z");
    scene.receiver.behave = () => ({ status: 200 });
    await scene.advance(1);
    expect(scene.receiver.received.length).toBe(3);
  });

  test("410 disables at once, and the owner is told", async () => {
    const { id } = await scene.endpoint();
    scene.receiver.behave = () => ({ status: 410 });
    scene.emit();
    await scene.settle();
    scene.emit();
    await scene.advance(3_600_000);
    expect(scene.receiver.received.length).toBe(1);
    expect(await scene.view(id)).toMatchObject({ status: "disabled", disabled_at: "2026-03-02T09:00:00.000Z" });
    expect(scene.mails).toMatchObject([{ user_id: scene.h.user.id, subject: expect.stringContaining("was disabled") }]);
    expect(scene.mails[0]!.text).toContain("410 Gone");
    // Both events go when it is back.
    scene.receiver.behave = () => ({ status: 200 });
    await scene.h.call("PATCH", `/webhooks/${id}`, { body: { status: "active" } });
    await scene.settle();
    expect(scene.receiver.received.length).toBe(3);
    expect((await scene.deliveries(id)).map(({ status }) => status)).toEqual(["delivered", "delivered"]);
  });

  test.each([
    ["hangs", "hang" as const, true, /no response within 15 seconds/],
    ["cuts the connection", "reset" as const, false, /closed the connection/],
    ["speaks something else", { bytes: "SSH-2.0-x\r\n" }, false, /not valid HTTP/],
    [
      "sends its headers byte by byte",
      { drip: `HTTP/1.1 200 OK\r\nX: ${"y".repeat(9_999)}\r\n\r\n` },
      true,
      /within 15 s/,
    ],
  ])("a receiver that %s has failed", async (_, behaviour, is_slow, why) => {
    const { id } = await scene.endpoint();
    scene.receiver.behave = () => behaviour;
    scene.emit();
    await eventually(() => scene.receiver.received.length === 1);
    if (is_slow) scene.h.clock.advance(15_000);
    await scene.settle();
    expect((await attempt(id)).error).toMatch(why);
    expect((await scene.view(id)).failure_count).toBe(1);
  });

  test("a certificate that is not trusted fails with a reason that says so", async () => {
    const { id } = await scene.endpoint();
    await scene.receiver.stop();
    const elsewhere = createAuthority();
    scene.receiver = await startReceiver(elsewhere.issue(["127.0.0.1"]));
    elsewhere.remove();
    const url = scene.receiver.origin;
    await scene.h.call("PATCH", `/webhooks/${id}`, { body: { url } });
    scene.emit();
    await scene.settle();
    expect((await attempt(id)).error).toContain("unknown authority");
    expect(scene.receiver.received).toEqual([]);
  });

  test("first attempts keep their order within a thread, and only there", async () => {
    await scene.endpoint();
    scene.receiver.behave = () => (scene.receiver.received.length === 1 ? "hang" : { status: 200 });
    scene.emit("thr_slow");
    scene.emit("thr_slow");
    scene.emit("thr_other");
    await eventually(() => scene.receiver.received.length === 2);
    const threads = () => scene.receiver.received.map(({ body }) => JSON.parse(body).data.thread_id);
    expect(threads()).toEqual(["thr_slow", "thr_other"]);
    scene.h.clock.advance(15_000);
    await eventually(() => scene.receiver.received.length === 3);
    expect(threads()[2]).toBe("thr_slow");
    const ids = scene.receiver.received.map(({ headers }) => headers["webhook-id"]);
    expect(ids[2]).not.toBe(ids[0]!);
  });

  test("an endpoint that hangs holds up nobody else", async () => {
    await scene.endpoint("/dead");
    await scene.endpoint("/well");
    scene.receiver.behave = ({ path }) => (path === "/dead" ? "hang" : { status: 200 });
    for (let i = 0; i < 200; i++) scene.emit(`thr_${i}`);
    await eventually(() => receivedAt(scene.receiver, "/well").length === 200);
    expect(receivedAt(scene.receiver, "/dead").length).toBe(16);
  });

  test("rotation: either secret for 24 hours, then the new one alone", async () => {
    const { id, secret: old } = await scene.endpoint();
    const fresh = (await scene.h.call("POST", `/webhooks/${id}/rotate-secret`)).json.data.secret as string;
    const accepted = async () => {
      scene.emit();
      await scene.settle();
      const { body, headers } = last();
      return [old, fresh].map((secret) =>
        verifyWebhook(body, headers["x-service-signature"]!, secret, scene.h.clock.now()),
      );
    };
    expect(await accepted()).toEqual([true, true]);
    expect(last().headers["x-service-signature"]!.match(/v1=/g)!.length).toBe(2);
    expect(last().headers["webhook-signature"]!.split(" ").length).toBe(2);
    await scene.advance(24 * 3_600_000 - 1);
    expect(await accepted()).toEqual([true, true]);
    await scene.advance(1);
    expect(await accepted()).toEqual([false, true]);
    expect(last().headers["x-service-signature"]!.match(/v1=/g)!.length).toBe(1);
    // Two rotations within a day: three secrets.
    await scene.h.call("POST", `/webhooks/${id}/rotate-secret`);
    await scene.h.call("POST", `/webhooks/${id}/rotate-secret`);
    await accepted();
    expect(last().headers["x-service-signature"]!.match(/v1=/g)!.length).toBe(3);
  });

  test("a delivery can be repeated by hand, with the same id", async () => {
    const { id } = await scene.endpoint();
    scene.emit();
    await scene.settle();
    const [delivery] = await scene.deliveries(id);
    const again = await scene.h.call("POST", `/webhooks/${id}/deliveries/${delivery!.id}/redeliver`);
    expect(again.json.data).toMatchObject({ id: delivery!.id, status: "pending", attempt_count: 1 });
    await scene.settle();
    const [first, second] = scene.receiver.received;
    expect(second!.headers["webhook-id"]).toBe(first!.headers["webhook-id"]!);
    expect(second!.body).toBe(first!.body);
    expect((await scene.deliveries(id))[0]).toMatchObject({ status: "delivered", attempt_count: 2 });
  });

  test("the ping: told at once, kept, not repeated, not counted, also to a disabled endpoint, not in the log", async () => {
    const { id, secret } = await scene.endpoint();
    await scene.h.call("PATCH", `/webhooks/${id}`, { body: { status: "disabled" } });
    const by = { user_id: scene.h.user.id, actor: { kind: "user", id: scene.h.user.id } as const, request_id: null };
    const good = await scene.webhooks.service.ping(by, id);
    expect(good.delivery).toMatchObject({ event: "webhook.test", status: "delivered", attempts: 1 });
    const { body, headers } = last();
    expect(JSON.parse(body)).toMatchObject({ event: "webhook.test", data: { endpoint_id: id } });
    expect(verifyWebhook(body, headers["x-service-signature"]!, secret, scene.h.clock.now())).toBe(true);
    scene.receiver.behave = () => ({ status: 500 });
    const bad = await scene.webhooks.service.ping(by, id);
    expect(bad.delivery.status).toBe("failed");
    await scene.h.call("PATCH", `/webhooks/${id}`, { body: { status: "active" } });
    await scene.advance(3_600_000);
    expect(scene.receiver.received.length).toBe(2);
    expect((await scene.view(id)).failure_count).toBe(0);
    expect((await scene.h.call("GET", "/events")).json.data).toEqual([]);
    await expect(scene.webhooks.service.ping({ ...by, user_id: "usr_x" }, id)).rejects.toThrow("webhook endpoint");
  });

  test("what waits survives a restart, in its order, and nothing that arrived comes again", async () => {
    const { id } = await scene.endpoint();
    scene.emit("thr_done");
    await scene.settle();
    scene.receiver.behave = ({ body }) => (JSON.parse(body).data.thread_id === "thr_1" ? "hang" : { status: 500 });
    scene.emit("thr_1");
    scene.emit("thr_1");
    scene.emit("thr_2");
    await eventually(async () => (await scene.deliveries(id)).some(({ attempt_count }) => attempt_count === 1));
    await eventually(() => scene.receiver.received.length === 3);
    const before = scene.receiver.received.length;
    scene.receiver.behave = () => ({ status: 200 });
    await scene.restart();
    const threads = scene.receiver.received.slice(before).map(({ body }) => JSON.parse(body).data.thread_id);
    expect(threads).toEqual(["thr_1", "thr_1"]); // the third waits for its time
    await scene.advance(5_000);
    expect((await scene.deliveries(id)).map(({ status }) => status)).toEqual(Array(4).fill("delivered"));
    expect(scene.receiver.received.length).toBe(before + 3);
  });

  test("a stop gives up what is under way, and its end is not counted", async () => {
    const { id } = await scene.endpoint();
    scene.receiver.behave = () => "hang";
    scene.emit();
    await eventually(() => scene.receiver.received.length === 1);
    scene.receiver.behave = () => ({ status: 200 });
    await scene.restart();
    expect((await scene.deliveries(id))[0]).toMatchObject({ status: "delivered", attempt_count: 1 });
    expect((await scene.view(id)).failure_count).toBe(0);
  });

  test("an endpoint that another process removes gets nothing more", async () => {
    const { id } = await scene.endpoint();
    scene.webhooks.endpoints.remove(id);
    scene.emit();
    await scene.advance(1_000);
    await scene.advance(1_000);
    scene.emit();
    await scene.settle();
    expect(scene.h.platform.db.sql.query("SELECT count(*) AS c FROM webhook_deliveries").get()).toEqual({ c: 0 });
  });

  test("what another process changed is noticed within a second, however much is going on", async () => {
    const { id } = await scene.endpoint("/old");
    const { config, log } = scene.h.platform;
    const other = openPlatform({ config, log, clock: scene.h.clock });
    new EndpointStore(other).remove(id);
    other.close();
    for (let tenth = 0; tenth < 11; tenth++) {
      await scene.advance(100);
      scene.emit();
    }
    await scene.settle();
    const before = scene.receiver.received.length;
    scene.emit();
    await scene.settle();
    expect(scene.receiver.received.length).toBe(before);
  });

  test("an event that does not open any more fails alone", async () => {
    const { id } = await scene.endpoint();
    scene.receiver.behave = () => ({ status: 500 });
    scene.emit("thr_bad");
    scene.emit("thr_good");
    await scene.settle();
    scene.receiver.behave = () => ({ status: 200 });
    scene.h.platform.db.sql.run("UPDATE events SET payload = zeroblob(60) WHERE thread_id = 'thr_bad'");
    await scene.advance(5_000);
    expect((await scene.deliveries(id)).map(({ status }) => status)).toEqual(["delivered", "failed"]);
  });

  test("a database that does not take the outcome for a while: nothing is lost", async () => {
    const { id } = await scene.endpoint();
    const { sql } = scene.h.platform.db;
    sql.run("CREATE TRIGGER full BEFORE INSERT ON webhook_attempts BEGIN SELECT raise(ABORT, 'disk is full'); END");
    scene.emit("thr_1");
    await eventually(() => scene.h.log.some((line) => line.includes("could not be noted")));
    scene.emit("thr_2");
    await eventually(() => scene.receiver.received.length === 2);
    sql.run("DROP TRIGGER full");
    scene.h.clock.advance(1_000);
    await scene.settle();
    expect((await scene.deliveries(id)).map(({ status, attempt_count }) => [status, attempt_count])).toEqual([
      ["delivered", 1],
      ["delivered", 1],
    ]);
    expect(scene.receiver.received.length).toBe(2);
  });

  test("history goes with the events, 30 days back", async () => {
    const { id } = await scene.endpoint();
    scene.emit();
    await scene.settle();
    scene.h.clock.set(scene.h.clock.now() + 30 * 86_400_000);
    scene.webhooks.service.prune();
    expect((await scene.deliveries(id)).length).toBe(1);
    scene.h.clock.set(scene.h.clock.now() + 1);
    scene.webhooks.service.prune();
    expect(await scene.deliveries(id)).toEqual([]);
    expect(scene.h.platform.db.sql.query("SELECT count(*) AS c FROM webhook_attempts").get()).toEqual({ c: 0 });
  });

  test("many events to one endpoint all arrive, once each", async () => {
    await scene.endpoint();
    for (let i = 0; i < 500; i++) scene.emit(`thr_${i % 50}`);
    await eventually(() => scene.receiver.received.length === 500);
    await scene.settle();
    expect(new Set(scene.receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(500);
    expect(scene.receiver.connections).toBeLessThanOrEqual(16);
    const by_thread = Map.groupBy(scene.receiver.received, ({ body }) => JSON.parse(body).data.thread_id);
    for (const list of by_thread.values()) {
      const ids = list.map(({ body }) => JSON.parse(body).id as string);
      expect(ids).toEqual(ids.toSorted());
    }
  }, 30_000);
});
