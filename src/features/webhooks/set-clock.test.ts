import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { type Authority, createAuthority, OPENSSL } from "../../../test/support/certificates.ts";
import { createWebhookFixture, type WebhookFixture } from "../../../test/support/webhook-fixture.ts";

if (!OPENSSL) console.info("skipped: webhooks after a clock change (openssl is not installed)");

describe.skipIf(!OPENSSL)("a changed clock", () => {
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

  const DAY_MS = 86_400_000;
  /** Sets the clock. Real timers do not follow it, so the next pass is within a second. */
  const setClock = async (byMs: number) => {
    fixture.h.clock.set(fixture.h.clock.now() + byMs);
    fixture.webhooks.deliverer.refresh();
    await fixture.settle();
  };

  test("that was a week ahead at a failed attempt does not delay the retry", async () => {
    const { id } = await fixture.endpoint();
    fixture.receiver.behave = () => ({ status: 503, headers: { "Retry-After": "600" } });
    fixture.emit();
    await fixture.settle();
    fixture.receiver.behave = () => ({ status: 200 });
    await setClock(-7 * DAY_MS);
    await fixture.advance(590_000);
    expect((await fixture.deliveries(id))[0]).toMatchObject({ status: "pending", attempt_count: 1 });
    await fixture.advance(11_000);
    expect((await fixture.deliveries(id))[0]).toMatchObject({ status: "delivered", attempt_count: 2 });
  });

  test("that was set back while nothing ran does not delay the retry", async () => {
    const { id } = await fixture.endpoint();
    fixture.receiver.behave = () => ({ status: 500 });
    fixture.emit();
    await fixture.settle();
    fixture.receiver.behave = () => ({ status: 200 });
    fixture.h.clock.set(fixture.h.clock.now() - 7 * DAY_MS);
    await fixture.restart();
    await fixture.advance(6_000);
    expect((await fixture.deliveries(id))[0]).toMatchObject({ status: "delivered", attempt_count: 2 });
  });

  test("that jumps ahead a week, or a week of sleep, does not count as failing and disables no endpoint", async () => {
    const { id } = await fixture.endpoint();
    fixture.receiver.behave = () => ({ status: 500 });
    fixture.emit();
    await fixture.settle();
    fixture.receiver.behave = () => ({ status: 200 });
    await setClock(7 * DAY_MS);
    await fixture.advance(1_000);
    expect(await fixture.view(id)).toMatchObject({ status: "active" });
    expect((await fixture.deliveries(id))[0]).toMatchObject({ status: "delivered" });
  });
});
