import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { type Authority, createAuthority, OPENSSL } from "../../../test/support/certificates.ts";
import { createWebhookFixture, type WebhookFixture } from "../../../test/support/webhook-fixture.ts";

if (!OPENSSL) console.info("skipped: webhooks under a clock that is set (openssl is not installed)");

describe.skipIf(!OPENSSL)("a clock that is set", () => {
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

  const DAY_MS = 86_400_000;
  /** Sets the clock; real timers do not follow it, so the next look comes within a second. */
  const setClock = async (byMs: number) => {
    scene.h.clock.set(scene.h.clock.now() + byMs);
    scene.webhooks.deliverer.refresh();
    await scene.settle();
  };

  test("and was a week ahead at a failed attempt: the next one comes in time all the same", async () => {
    const { id } = await scene.endpoint();
    scene.receiver.behave = () => ({ status: 503, headers: { "Retry-After": "600" } });
    scene.emit();
    await scene.settle();
    scene.receiver.behave = () => ({ status: 200 });
    await setClock(-7 * DAY_MS);
    await scene.advance(590_000);
    expect((await scene.deliveries(id))[0]).toMatchObject({ status: "pending", attempt_count: 1 });
    await scene.advance(11_000);
    expect((await scene.deliveries(id))[0]).toMatchObject({ status: "delivered", attempt_count: 2 });
  });

  test("while nothing runs: the same", async () => {
    const { id } = await scene.endpoint();
    scene.receiver.behave = () => ({ status: 500 });
    scene.emit();
    await scene.settle();
    scene.receiver.behave = () => ({ status: 200 });
    scene.h.clock.set(scene.h.clock.now() - 7 * DAY_MS);
    await scene.restart();
    await scene.advance(6_000);
    expect((await scene.deliveries(id))[0]).toMatchObject({ status: "delivered", attempt_count: 2 });
  });

  test("forward, or by sleep, for a week: that is no week of trying, and switches no endpoint off", async () => {
    const { id } = await scene.endpoint();
    scene.receiver.behave = () => ({ status: 500 });
    scene.emit();
    await scene.settle();
    scene.receiver.behave = () => ({ status: 200 });
    await setClock(7 * DAY_MS);
    await scene.advance(1_000);
    expect(await scene.view(id)).toMatchObject({ status: "active" });
    expect((await scene.deliveries(id))[0]).toMatchObject({ status: "delivered" });
  });
});
