import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { copyingStateAt } from "../../../test/support/copying-state.ts";
import { eventually } from "../../../test/support/eventually.ts";
import {
  MINUTE_MS,
  type NotificationFixture,
  notificationFixture,
} from "../../../test/support/notification-fixture.ts";
import { takenOverPause, waitingPause } from "../../backup/continuous/pauses.ts";
import { type CopyingState, writeCopyingState } from "../../backup/continuous/state.ts";

let f: NotificationFixture;
beforeEach(async () => {
  f = await notificationFixture({ config: { "backup.to": "s3://bucket/home", "backup.standby": true } });
});
afterEach(() => f.close());

function lease(changes: Partial<CopyingState>): void {
  const { config, clock } = f.h.platform;
  mkdirSync(join(config.data_dir, "run"), { recursive: true });
  writeCopyingState(config.data_dir, copyingStateAt(clock.now(), changes));
}
const TAKEN = { lease: "taken_over", holder: { name: "nuc", since: Date.parse("2026-03-02T08:00:00Z") } } as const;
const AWAY = { lease: "waiting", lease_error: "The store cannot be reached." } as const;

/** Lets time pass. */
async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 30_000) {
    f.h.clock.advance(Math.min(30_000, left));
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Waits until a notice was sent, and this was noted. Time stands still, so that the request does not time out. */
const noticed = () => eventually(() => hasNoted() && f.sent()[0]);
const hasNoted = () => existsSync(join(f.h.platform.config.data_dir, "run", "pause-notice.json"));

test("the owner is told once, by a server that changes nothing, that another machine took over", async () => {
  await f.target({ detail: "subject" });
  lease(TAKEN);
  f.pause(takenOverPause(f.h.clock.now()));
  await pass(MINUTE_MS / 2);
  const message = await noticed();
  expect(message).toMatchObject({ title: "Postroom needs you" });
  expect(message.message).toStartWith("continuous copy: nuc has been the primary since 2026-03-02T08:00:00.000Z");
  await pass(60 * MINUTE_MS);
  f.pause(takenOverPause(f.h.clock.now()));
  await pass(60 * MINUTE_MS);
  expect(f.sent()).toHaveLength(1);
});

test("a store that is away for a moment is no news; one that is away for minutes is", async () => {
  await f.target({ detail: "subject" });
  lease(AWAY);
  f.pause(waitingPause(f.h.clock.now()));
  await pass(4 * MINUTE_MS);
  expect(f.sent()).toEqual([]);
  await pass(1.5 * MINUTE_MS);
  const message = await noticed();
  expect(message.message).toContain("The store cannot be reached.");
  expect(f.sent()).toHaveLength(1);
});

test("when the server has acted in between, a later pause is announced, too", async () => {
  await f.target({ detail: "subject" });
  lease(AWAY);
  for (let times = 1; times <= 2; times++) {
    f.pause(waitingPause(f.h.clock.now()));
    await pass(5.5 * MINUTE_MS);
    await noticed();
    await pass(60 * MINUTE_MS);
    expect(f.sent()).toHaveLength(times);
    f.act();
    expect(hasNoted()).toBe(false);
  }
});

test("a server that refuses the notice is asked again, later", async () => {
  await f.target();
  lease(TAKEN);
  f.receiver.behave = () => ({ status: 500, body: "" });
  f.pause(takenOverPause(f.h.clock.now()));
  await pass(MINUTE_MS / 2);
  await eventually(() => (f.sent().length === 1 ? true : null));
  f.receiver.behave = () => ({ status: 200, body: '{"id":"x"}' });
  await eventually(async () => {
    await pass(MINUTE_MS / 2);
    return hasNoted();
  });
  const attempts = f.sent().length;
  expect(attempts).toBeGreaterThan(1);
  await pass(60 * MINUTE_MS);
  expect(f.sent()).toHaveLength(attempts);
});

test("a target that does not want faults gets none", async () => {
  const kinds = { mail: "on", approval: "on", send: "on", brief: "on", health: "off" };
  await f.target({ name: "Silent", topic: "silent", kinds });
  await f.target();
  lease(TAKEN);
  f.pause(takenOverPause(f.h.clock.now()));
  await pass(MINUTE_MS / 2);
  await noticed();
  expect(f.sent()).toMatchObject([{ topic: "postroom" }]);
});
