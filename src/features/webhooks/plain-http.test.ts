import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { type Authority, createAuthority, OPENSSL } from "../../../test/support/certificates.ts";
import { type HttpsReceiver, startReceiver } from "../../../test/support/https-receiver.ts";
import { createWebhookFixture, type WebhookFixture } from "../../../test/support/webhook-fixture.ts";
import { verifyWebhook } from "./verify.ts";

if (!OPENSSL) console.info("skipped: webhooks over plain HTTP (openssl is not installed)");

describe.skipIf(!OPENSSL)("webhooks over plain HTTP", () => {
  let authority: Authority;
  let fixture: WebhookFixture;
  let plain: HttpsReceiver;
  beforeAll(() => {
    authority = createAuthority();
  });
  afterAll(() => authority?.remove());
  beforeEach(async () => {
    plain = await startReceiver(null);
  });
  afterEach(async () => {
    await fixture.close();
    await plain.stop();
  });

  const add = (url: string) => fixture.h.call("POST", "/webhooks", { body: { url, events: ["thread.updated"] } });

  test("an endpoint of the owner on this machine receives signed events, and its response is not kept", async () => {
    fixture = await createWebhookFixture(authority, { allow: [], role: "owner" });
    plain.behave = () => ({ status: 200, headers: { "X-Private": "secret" }, body: "private page" });
    const { status, json } = await add(`${plain.origin}/hook`);
    expect(status).toBe(200);
    fixture.emit("thr_1");
    await fixture.settle();
    const [request] = plain.received;
    expect(request).toMatchObject({ method: "POST", path: "/hook" });
    const signature = request!.headers["x-service-signature"]!;
    expect(verifyWebhook(request!.body, signature, json.data.secret, fixture.h.clock.now())).toBe(true);
    const [delivery] = await fixture.deliveries(json.data.id);
    expect(delivery).toMatchObject({ status: "delivered", last_attempt: { response_status: 200 } });
    const whole = await fixture.h.call("GET", `/webhooks/${json.data.id}/deliveries/${delivery!.id}`);
    expect(whole.text).not.toContain("private page");
    expect(whole.text).not.toContain("secret");
  });

  test("the response of a listed program on this machine is kept", async () => {
    fixture = await createWebhookFixture(authority, { allow: ["127.0.0.1"] });
    plain.behave = () => ({ status: 404, body: "no such workflow" });
    const { json } = await add(plain.origin);
    fixture.emit("thr_1");
    await fixture.settle();
    const [delivery] = await fixture.deliveries(json.data.id);
    const whole = await fixture.h.call("GET", `/webhooks/${json.data.id}/deliveries/${delivery!.id}`);
    expect(whole.text).toContain("no such workflow");
  });

  test.each([
    "http://example.org/",
    "http://192.168.7.7/",
    "http://169.254.169.254/latest/",
    "http://localhost.example.org/",
  ])("another plain-HTTP host is refused: %s", async (url) => {
    fixture = await createWebhookFixture(authority, { allow: [], role: "owner" });
    const { status, json } = await add(url);
    expect(status).toBe(400);
    expect(json.error).toMatchObject({ code: "invalid_params", param: "url" });
    const { data } = (await add(`${plain.origin}/`)).json;
    expect((await fixture.h.call("PATCH", `/webhooks/${data.id}`, { body: { url } })).status).toBe(400);
  });

  test("this machine is refused for members, and for everyone if the setting is off", async () => {
    fixture = await createWebhookFixture(authority, { allow: [], role: "member" });
    expect((await add(plain.origin)).json.error).toMatchObject({ param: "url" });
    await fixture.close();
    fixture = await createWebhookFixture(authority, {
      allow: [],
      role: "owner",
      config: { "webhooks.loopback": false },
    });
    expect((await add(plain.origin)).json.error).toMatchObject({ param: "url" });
  });
});
