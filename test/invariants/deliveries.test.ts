import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { prune } from "../../src/platform/ledger/retention.ts";
import { type Authority, createAuthority, OPENSSL } from "../support/certificates.ts";
import { createWebhookFixture, type WebhookFixture } from "../support/webhook-fixture.ts";
import { findingsOf } from "./broken.ts";
import { asLines, checkInvariants } from "./check.ts";

const DAY_MS = 86_400_000;

if (!OPENSSL) console.info("skipped: the checker's findings about webhook deliveries (openssl is not installed)");

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

  /** Creates events a second apart, delivered to endpoints that want them. */
  async function emit(times: number): Promise<void> {
    for (let i = 0; i < times; i++) {
      await fixture.advance(1_000);
      fixture.emit(`thr_${i}`);
    }
    await fixture.settle();
    await fixture.advance(1_000);
  }
  /** Moves the clock by days, forward or back. */
  async function jump(ms: number): Promise<void> {
    fixture.h.clock.set(fixture.h.clock.now() + ms);
    await fixture.advance(1_000);
  }
  const change = (id: string, body: object) => fixture.h.call("PATCH", `/webhooks/${id}`, { body });
  const found = async () => asLines((await checkInvariants(fixture.h.platform, { settled: true })).findings);
  /** Runs once nothing else writes. */
  async function broken(damage: string): Promise<string[]> {
    await fixture.webhooks.deliverer.stop();
    return findingsOf(fixture.h.platform, damage, { settled: true });
  }
  const count = (lines: readonly string[], words: string) => lines.filter((line) => line.includes(words)).length;

  test("an event from before an endpoint was created is not lost to it", async () => {
    await emit(3);
    await fixture.endpoint();
    expect(await found()).toEqual([]);
    await emit(2);
    expect(await found()).toEqual([]);
  });

  test("an endpoint that loses every event is detected, also when nothing was ever delivered to it", async () => {
    await emit(3);
    await fixture.endpoint();
    await emit(5);
    expect(count(await broken("DELETE FROM webhook_deliveries"), "was skipped by")).toBe(5);
    const first = "(SELECT event_id FROM webhook_deliveries ORDER BY rowid LIMIT 1)";
    expect(await broken(`DELETE FROM webhook_deliveries WHERE event_id = ${first}`)).toContainEqual(
      expect.stringMatching(/^deliveries: ntf_\w+ was skipped by whk_\w+, which subscribes to it$/),
    );
  });

  test("after a change, losses of later events are detected, and events that it did not want before are not reported", async () => {
    const { id } = await fixture.endpoint();
    await emit(2);
    await change(id, { events: ["send.completed"] });
    await emit(3);
    await change(id, { events: ["thread.updated"] });
    expect(await found()).toEqual([]);
    await emit(2);
    expect(await found()).toEqual([]);
    expect(count(await broken("DELETE FROM webhook_deliveries"), "was skipped by")).toBe(2);
  });

  test("an endpoint that was disabled and enabled again gets the events from in between", async () => {
    const { id } = await fixture.endpoint();
    await emit(2);
    await change(id, { status: "disabled" });
    await emit(3);
    expect(await found()).toEqual([]);
    await change(id, { status: "active" });
    await emit(1);
    expect((await fixture.deliveries(id)).length).toBe(6);
    expect(await found()).toEqual([]);
  });

  test("pruned events are not lost, nor events pruned while their deliveries remain", async () => {
    await fixture.endpoint();
    await emit(4);
    await jump(20 * DAY_MS);
    await emit(4);
    await jump(10 * DAY_MS);
    fixture.webhooks.service.prune();
    expect(await found()).toEqual([]);
    prune(fixture.h.platform);
    expect(await found()).toEqual([]);
    expect(count(await broken("DELETE FROM webhook_deliveries"), "was skipped by")).toBe(4);
  });

  test("a clock that is set back does not make events from before an endpoint look later than it", async () => {
    await jump(7 * DAY_MS);
    await emit(2);
    await jump(-6 * DAY_MS);
    await fixture.endpoint();
    expect(await found()).toEqual([]);
    await emit(3);
    await jump(9 * DAY_MS);
    expect(await found()).toEqual([]);
    expect(count(await broken("DELETE FROM webhook_deliveries"), "was skipped by")).toBe(3);
  });

  test.each([
    [
      "one with contradictory end states",
      "UPDATE webhook_deliveries SET finished_at = NULL",
      "has contradictory end fields",
    ],
    [
      "one that waits without a time",
      "UPDATE webhook_deliveries SET status = 'pending', finished_at = NULL, next_attempt_at = NULL",
      "waits without a time of the next attempt",
    ],
    [
      "one that was delivered without an attempt",
      "UPDATE webhook_deliveries SET attempts = 0",
      "was delivered without an attempt",
    ],
    [
      "one without an event",
      "UPDATE webhook_deliveries SET status = 'pending', finished_at = NULL, event_id = event_id || 'x'",
      "waits, but its event is not in the log",
    ],
    ["an endpoint ahead of the log", "UPDATE webhook_endpoints SET position = 99", "beyond the end of the log"],
    ["an endpoint behind the log", "UPDATE webhook_endpoints SET position = 1", "was not taken from the log"],
    [
      "one in progress when all work should be done",
      "UPDATE webhook_deliveries SET status = 'pending', finished_at = NULL, next_attempt_at = 1",
      "is not delivered yet",
    ],
  ])("%s is detected", async (_, damage, words) => {
    await fixture.endpoint();
    await emit(3);
    expect(await found()).toEqual([]);
    expect(count(await broken(damage), words)).toBeGreaterThan(0);
  });
});
