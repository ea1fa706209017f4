import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { type Authority, createAuthority, OPENSSL } from "../../../test/support/certificates.ts";
import { createWebhookFixture, type WebhookFixture } from "../../../test/support/webhook-fixture.ts";

if (!OPENSSL) console.info("skipped: webhooks under abuse (openssl is not installed)");

describe.skipIf(!OPENSSL)("webhooks under abuse", () => {
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

  test("an endpoint that cannot be decrypted does not delay the others", async () => {
    const broken = await fixture.endpoint("/broken");
    await fixture.endpoint("/sound");
    await fixture.webhooks.deliverer.stop();
    fixture.h.platform.db.sql.query("UPDATE webhook_endpoints SET target = zeroblob(60) WHERE id = ?").run(broken.id);
    await fixture.restart();
    fixture.emit("thr_1");
    await fixture.settle();
    expect(fixture.receiver.received.map(({ path }) => path)).toEqual(["/sound"]);
    expect(fixture.h.log.some((line) => line.includes("changed outside Postroom"))).toBe(true);
  });

  test("a delivery that is redelivered without end keeps only its newest attempts", async () => {
    const { id } = await fixture.endpoint();
    fixture.emit();
    await fixture.settle();
    const [{ id: delivery } = { id: "" }] = await fixture.deliveries(id);
    const path = `/webhooks/${id}/deliveries/${delivery}`;
    for (let i = 0; i < 54; i++) {
      expect((await fixture.h.call("POST", `${path}/redeliver`)).status).toBe(200);
      await fixture.settle();
    }
    const { data } = (await fixture.h.call("GET", path)).json;
    expect(data.attempt_count).toBe(55);
    expect(data.attempts.map(({ attempt }: { attempt: number }) => attempt)).toEqual(
      Array.from({ length: 50 }, (_, i) => i + 6),
    );
  });

  test("an endpoint that is gone repeatedly mails its owner at most five times a day", async () => {
    const { id } = await fixture.endpoint();
    fixture.receiver.behave = () => ({ status: 410 });
    fixture.emit();
    await fixture.settle();
    const reactivate = async () => {
      await fixture.h.call("PATCH", `/webhooks/${id}`, { body: { status: "active" } });
      await fixture.settle();
      expect((await fixture.view(id)).status).toBe("disabled");
    };
    for (let i = 0; i < 8; i++) await reactivate();
    expect(fixture.mails.length).toBe(5);
    await fixture.advance(24 * 3_600_000);
    await reactivate();
    expect(fixture.mails.length).toBe(6);
  });
});
