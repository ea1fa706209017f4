import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { type Authority, createAuthority, OPENSSL } from "../../../test/support/certificates.ts";
import { createWebhookFixture, type WebhookFixture } from "../../../test/support/webhook-fixture.ts";

if (!OPENSSL) console.info("skipped: webhooks under abuse (openssl is not installed)");

describe.skipIf(!OPENSSL)("webhooks under abuse", () => {
  let authority: Authority;
  let scene: WebhookFixture;
  beforeAll(() => {
    authority = createAuthority();
  });
  afterAll(() => authority?.remove());
  beforeEach(async () => {
    scene = await createWebhookFixture(authority);
  });
  afterEach(() => scene.close());

  test("an endpoint that does not open any more holds up nobody else", async () => {
    const broken = await scene.endpoint("/broken");
    await scene.endpoint("/sound");
    await scene.webhooks.deliverer.stop();
    scene.h.platform.db.sql.query("UPDATE webhook_endpoints SET target = zeroblob(60) WHERE id = ?").run(broken.id);
    await scene.restart();
    scene.emit("thr_1");
    await scene.settle();
    expect(scene.receiver.received.map(({ path }) => path)).toEqual(["/sound"]);
    expect(scene.h.log.some((line) => line.includes("changed outside Postroom"))).toBe(true);
  });

  test("of a delivery that is repeated without end the newest attempts are kept", async () => {
    const { id } = await scene.endpoint();
    scene.emit();
    await scene.settle();
    const [{ id: delivery } = { id: "" }] = await scene.deliveries(id);
    const path = `/webhooks/${id}/deliveries/${delivery}`;
    for (let i = 0; i < 54; i++) {
      expect((await scene.h.call("POST", `${path}/redeliver`)).status).toBe(200);
      await scene.settle();
    }
    const { data } = (await scene.h.call("GET", path)).json;
    expect(data.attempt_count).toBe(55);
    expect(data.attempts.map(({ attempt }: { attempt: number }) => attempt)).toEqual(
      Array.from({ length: 50 }, (_, i) => i + 6),
    );
  });

  test("an endpoint that is gone again and again mails its owner five times a day", async () => {
    const { id } = await scene.endpoint();
    scene.receiver.behave = () => ({ status: 410 });
    scene.emit();
    await scene.settle();
    const revive = async () => {
      await scene.h.call("PATCH", `/webhooks/${id}`, { body: { status: "active" } });
      await scene.settle();
      expect((await scene.view(id)).status).toBe("disabled");
    };
    for (let i = 0; i < 8; i++) await revive();
    expect(scene.mails.length).toBe(5);
    await scene.advance(24 * 3_600_000);
    await revive();
    expect(scene.mails.length).toBe(6);
  });
});
