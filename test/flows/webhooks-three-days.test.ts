import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Authority, createAuthority, OPENSSL } from "../support/certificates.ts";
import { eventually } from "../support/eventually.ts";
import { type Behavior, startReceiver } from "../support/https-receiver.ts";
import { createWebhookFixture, type WebhookFixture } from "../support/webhook-fixture.ts";

/**
 * A receiver that fails for three days, on a test clock: retries exact to the second, disabled, revived, nothing lost.
 */

const HOUR = 3_600_000;
const STEP_MS = 4 * 60_000;
const WAITS_S = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

/** Announced work begins in the next turn of the event loop. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

interface Failure {
  behavior: Behavior;
  /** How long each attempt takes to fail, s. */
  takesS: number;
  error: RegExp;
}

const FAILURES: Record<string, Failure> = {
  "answers 500": { behavior: { status: 500 }, takesS: 0, error: /answered 500/ },
  hangs: { behavior: "hang", takesS: 15, error: /no response within 15 s/ },
  "resets the connection": { behavior: "reset", takesS: 0, error: /closed the connection/ },
  "answers byte by byte": {
    behavior: { drip: `HTTP/1.1 200 OK\r\nX: ${"y".repeat(99_999)}` },
    takesS: 15,
    error: /no response within 15 s/,
  },
  "has a broken certificate": { behavior: { status: 200 }, takesS: 0, error: /certificate has expired/ },
};

if (!OPENSSL) console.info("skipped: a receiver that fails for three days (openssl is not installed)");

describe.skipIf(!OPENSSL)("a receiver that", () => {
  let authority: Authority;
  beforeAll(() => {
    authority = createAuthority();
  });
  afterAll(() => authority?.remove());

  test.each(Object.entries(FAILURES))(
    "%s is retried on schedule, disabled after three days, and reactivated without losing an event",
    async (name, failure) => {
      const fixture = await createWebhookFixture(authority);
      try {
        await testFailure(fixture, failure, name.includes("certificate") ? authority.issue(["127.0.0.1"], -1) : null);
      } finally {
        await fixture.close();
      }
    },
    60_000,
  );

  async function testFailure(
    fixture: WebhookFixture,
    { behavior, takesS, error }: Failure,
    broken: ReturnType<Authority["issue"]> | null,
  ): Promise<void> {
    const { clock } = fixture.h;
    const began = clock.now();
    const healthy = fixture.receiver;
    const failing = broken ? await startReceiver(broken) : healthy;
    failing.behave = () => behavior;
    const made = await fixture.h.call("POST", "/webhooks", {
      body: { url: `${failing.origin}/`, events: ["thread.updated"] },
    });
    const { id } = made.json.data;
    const isOver = async () => (await fixture.view(id)).status === "disabled";
    const attemptsOf = async (endpoint_id: string) =>
      (await fixture.deliveries(endpoint_id)).reduce((sum, { attempt_count }) => sum + attempt_count, 0);
    /** Lets attempts in progress end. */
    const settled = async () => {
      await turn();
      while (fixture.webhooks.deliverer.open > 0) {
        if (takesS === 0) await fixture.settle();
        else {
          const { open } = fixture.webhooks.deliverer;
          const ended = await attemptsOf(id);
          await eventually(() => failing.received.length === ended + open);
          clock.advance(takesS * 1_000);
          await eventually(async () => (await attemptsOf(id)) === ended + open);
        }
      }
    };
    /** Advances in short steps, because time in which a machine sleeps does not count. */
    const walk = (at: number) => {
      while (clock.now() < at) {
        clock.set(Math.min(at, clock.now() + STEP_MS) - 1);
        clock.advance(1);
      }
    };
    const later = async (at: number) => {
      walk(at);
      await settled();
    };
    fixture.emit("thr_1");
    await settled();
    const streakBegan = Date.parse((await fixture.view(id)).last_failure_at);
    const emitted = new Map([
      [30 * HOUR, "thr_2"],
      [71 * HOUR, "thr_3"],
    ]);
    while (!(await isOver())) {
      const due = (await fixture.deliveries(id)).map(({ next_attempt_at }) => Date.parse(next_attempt_at!));
      const [emitAt = Number.POSITIVE_INFINITY] = [...emitted.keys()].map((after) => began + after);
      const next = Math.min(...due, emitAt, streakBegan + 72 * HOUR);
      if (next === emitAt) {
        const [after, thread_id] = [...emitted][0]!;
        emitted.delete(after);
        walk(next);
        fixture.emit(thread_id);
        await settled();
      } else await later(next);
    }

    // The schedule of the first event, to the second; its tenth attempt would be after the three days.
    const deliveries = (await fixture.deliveries(id)).reverse();
    const history = await Promise.all(
      deliveries.map(async (delivery) => {
        const { json } = await fixture.h.call("GET", `/webhooks/${id}/deliveries/${delivery.id}`);
        return json.data.attempts as { at: string; duration_ms: number; error: string }[];
      }),
    );
    let expectedS = 0;
    const expected = [0, ...WAITS_S.slice(0, 8)].map((waitS, i) => {
      expectedS += waitS + (i === 0 ? 0 : takesS);
      return expectedS;
    });
    expect(history[0]!.map(({ at }) => (Date.parse(at) - began) / 1_000)).toEqual(expected);
    for (const attempts of history) {
      for (const [i, { at, duration_ms, error: words }] of attempts.entries()) {
        expect(words).toMatch(error);
        expect(duration_ms).toBe(takesS * 1_000);
        const next = attempts[i + 1];
        if (next) expect((Date.parse(next.at) - Date.parse(at) - duration_ms) / 1_000).toBe(WAITS_S[i]!);
      }
    }
    expect(history.length).toBe(3);
    const view = await fixture.view(id);
    expect(Date.parse(view.disabled_at)).toBe(streakBegan + 72 * HOUR);
    expect(view.failure_count).toBe(history.flat().length);
    expect(fixture.mails.map(({ subject }) => subject)).toEqual([
      `Webhook endpoint 127.0.0.1:${failing.port} was disabled`,
    ]);

    // Disabled: nothing is sent, but events are still logged.
    const before = failing.received.length;
    fixture.emit("thr_4");
    await later(clock.now() + 24 * HOUR);
    expect(failing.received.length).toBe(before);

    // Revived: everything is sent, each event once.
    healthy.behave = () => ({ status: 200 });
    const body = { status: "active", url: `${healthy.origin}/revived` };
    const revived = await fixture.h.call("PATCH", `/webhooks/${id}`, { body });
    expect(revived.json.data).toMatchObject({ status: "active", failure_count: 0 });
    await fixture.settle();
    const arrived = healthy.received.filter(({ path }) => path === "/revived");
    const threads = arrived.map((request) => JSON.parse(request.body).data.thread_id);
    expect(threads.toSorted()).toEqual(["thr_1", "thr_2", "thr_3", "thr_4"]);
    expect((await fixture.deliveries(id)).map(({ status }) => status)).toEqual(Array(4).fill("delivered"));
    if (failing !== healthy) await failing.stop();
  }
});
