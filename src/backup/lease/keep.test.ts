import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type LeaseMachine, leaseMachines } from "../../../test/support/lease-fixture.ts";
import { systemClock } from "../../platform/clock.ts";
import { FolderStore } from "../../platform/objects/folder-store.ts";
import { StoreFault } from "../../platform/objects/store.ts";
import type { LeaseFault, LossReason } from "./faults.ts";
import { type KeepOptions, keepLease } from "./keep.ts";

let folder: string;
let store: FolderStore;
let isAway: boolean;
let shared: ReturnType<typeof leaseMachines>;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "postroom-keep-"));
  store = new FolderStore(folder, systemClock);
  isAway = false;
  const put = store.put.bind(store);
  const get = store.get.bind(store);
  const asked = () => (isAway ? Promise.reject(new StoreFault("unavailable", "The store is away.")) : null);
  store.put = (...parts) => asked() ?? put(...parts);
  store.get = (...parts) => asked() ?? get(...parts);
  shared = leaseMachines(store, 2);
});
afterEach(() => {
  for (const machine of shared.machines) machine.close();
  rmSync(folder, { recursive: true });
});

/** Keeps the lease of a machine, and notes what happens. */
function keep(machine: LeaseMachine, mode: "standby" | "alone" = "standby", more: Partial<KeepOptions> = {}) {
  const { lease, view } = machine.start(mode);
  const events: (LossReason | "gained")[] = [];
  const failures: unknown[] = [];
  lease.onLost(({ reason }) => events.push(reason));
  const stop = new AbortController();
  const gained = () => void events.push("gained");
  const failed = (error: unknown) => void failures.push(error);
  const ended = keepLease({ lease, clock: shared.clock, gained, failed, ...more }, stop.signal);
  return { lease, view, events, failures, stop, ended };
}

/** Lets simulated time pass, with all requests of it. */
const pass = (ms: number) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  shared.clock.after(ms, resolve);
  return shared.clock.until(promise);
};

test("a lease is taken, and renewed for as long as the store answers", async () => {
  const kept = keep(shared.machines[0]!);
  await pass(300_000);
  expect([kept.events, kept.failures, kept.view.mayAct(), kept.lease.token]).toEqual([["gained"], [], true, 1]);
  kept.stop.abort();
  await kept.ended;
});

test("while the store is away, the server stops in time, and it acts again afterwards", async () => {
  const kept = keep(shared.machines[0]!);
  await pass(60_000);
  isAway = true;
  await pass(10_000);
  expect(kept.view.mayAct()).toBe(true);
  await pass(12_000);
  expect([kept.events, kept.view.mayAct()]).toEqual([["gained", "late"], false]);
  await pass(600_000);
  isAway = false;
  await pass(12_000);
  expect([kept.events, kept.view.mayAct(), kept.lease.token]).toEqual([["gained", "late", "gained"], true, 2]);
  expect(kept.failures.length).toBeGreaterThan(0);
  kept.stop.abort();
  await kept.ended;
});

test("a renewal that never ends does not delay the end of the lease", async () => {
  const kept = keep(shared.machines[0]!);
  await pass(60_000);
  store.put = () => new Promise(() => {});
  shared.clock.advance(25_000);
  expect(kept.events).toEqual(["gained", "late"]);
});

test("a server that was replaced ends with the reason", async () => {
  const kept = keep(shared.machines[0]!, "alone", { renewMs: 60_000 });
  await pass(1_000);
  const other = shared.machines[1]!.start();
  await shared.clock.until(other.lease.acquire({ promote: true, primaryIsOff: true }));
  const fault = await shared.clock.until(kept.ended.then(() => null).catch((error: LeaseFault) => error));
  expect(fault.value?.reason).toBe("superseded");
  expect([kept.events, kept.view.mayAct()]).toEqual([["gained", "taken"], false]);
});

test("giving up the lease ends it without a loss, and a standby acts at once", async () => {
  const kept = keep(shared.machines[0]!);
  await pass(60_000);
  const standby = keep(shared.machines[1]!, "standby", { acquire: { promote: true } });
  await pass(20_000);
  expect(standby.events).toEqual([]);
  await kept.lease.release();
  await shared.clock.until(kept.ended);
  await pass(4_000);
  expect([kept.events, standby.events, standby.view.mayAct()]).toEqual([["gained"], ["gained"], true]);
  standby.stop.abort();
  await standby.ended;
});
