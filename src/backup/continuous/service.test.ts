import { beforeEach, describe, expect, test } from "bun:test";
import { FakeWorker } from "../../../test/support/fake-worker.ts";
import type { Pause } from "../../platform/acting.ts";
import { ManualClock } from "../../platform/clock.ts";
import { createLog } from "../../platform/log.ts";
import type { WorkerLike } from "../../platform/process/worker-handle.ts";
import { ManualSteadyClock } from "../../platform/steady-clock.ts";
import { HeldView } from "../lease/held.ts";
import { ACT_MS, after } from "../lease/timing.ts";
import type { FromLogWorker, ToLogWorker } from "./messages.ts";
import { takenOverPause, waitingPause } from "./pauses.ts";
import { ContinuousCopy } from "./service.ts";

let clock: ManualClock;
let steady: ManualSteadyClock;
let workers: FakeWorker<ToLogWorker, FromLogWorker>[];
let hasPlace: boolean;
/** Whether the folder remembers that another machine took over. */
let isSuperseded: boolean;
let changes: (Pause["reason"] | null)[];

beforeEach(() => {
  clock = new ManualClock();
  steady = new ManualSteadyClock(clock);
  workers = [];
  changes = [];
  hasPlace = true;
  isSuperseded = false;
});

function open(standby: boolean): ContinuousCopy {
  return new ContinuousCopy({
    clock,
    steady,
    log: createLog({ level: "error", format: "text", clock, write: () => {} }),
    standby,
    hasPlace: () => hasPlace,
    isSuperseded: () => isSuperseded,
    startWorker: () => {
      const worker = new FakeWorker<ToLogWorker, FromLogWorker>();
      workers.push(worker);
      return worker as unknown as WorkerLike;
    },
    begin: () => ({
      sources: { data_dir: "/data", env: {} },
      inherited: { master_key: new Uint8Array(32) },
      version: "0",
    }),
  });
}

/** Renews the lease, as the worker does. */
function renew(copy: ContinuousCopy): void {
  new HeldView(steady, copy.held).extend(after(steady.read(), ACT_MS), 7);
}

const begin = (copy: ContinuousCopy) => copy.start((pause) => void changes.push(pause?.reason ?? null));

/** A server that holds the lease. */
async function holding(): Promise<ContinuousCopy> {
  const copy = open(true);
  const started = begin(copy);
  renew(copy);
  workers[0]!.say({ type: "acting", pause: null });
  expect(await started).toBeNull();
  return copy;
}

describe("a server with standbys", () => {
  test("starts paused when there is no lease in time, and acts when it comes", async () => {
    const copy = open(true);
    const started = begin(copy);
    clock.advance(6_000);
    expect(await started).toMatchObject({ reason: "waiting" });
    expect(copy.mayAct()).toBe(false);
    renew(copy);
    workers[0]!.say({ type: "acting", pause: null });
    expect(changes).toEqual([null]);
    expect(copy.mayAct()).toBe(true);
  });

  test("pauses as soon as the lease has ended, although the worker reports nothing", async () => {
    const copy = await holding();
    clock.advance(ACT_MS - 500);
    expect(changes).toEqual([]);
    clock.advance(1_000);
    expect(copy.mayAct()).toBe(false);
    expect(changes).toEqual(["waiting"]);
  });

  test("acts again when the worker had renewed the lease just when it ended", async () => {
    const copy = await holding();
    clock.advance(ACT_MS);
    expect(changes).toEqual(["waiting"]);
    renew(copy);
    clock.advance(1_000);
    expect(changes).toEqual(["waiting", null]);
  });

  test("reports that another machine took over, once", async () => {
    await holding();
    workers[0]!.say({ type: "acting", pause: takenOverPause(clock.now()) });
    workers[0]!.say({ type: "acting", pause: takenOverPause(clock.now()) });
    expect(changes).toEqual(["taken_over"]);
  });

  test("a flush resolves when the worker has done it, and fails with its reason", async () => {
    const copy = await holding();
    const first = copy.flushed();
    workers[0]!.say({ type: "flushed", id: 1, fault: null });
    await first;
    const second = copy.flushed();
    workers[0]!.say({ type: "flushed", id: 2, fault: "The store is away." });
    await expect(second).rejects.toThrow("The store is away.");
  });

  test("a flush without an answer fails", async () => {
    const copy = await holding();
    const late = copy.flushed();
    clock.advance(30_000);
    await expect(late).rejects.toThrow("too long");
    const lost = copy.flushed();
    workers[0]!.die();
    await expect(lost).rejects.toThrow("failed");
    await expect(copy.flushed()).rejects.toThrow("being started");
  });

  test("a worker that died is replaced, and the lease ends if its successor is too slow", async () => {
    const copy = await holding();
    workers[0]!.die();
    clock.advance(1_000);
    expect(workers).toHaveLength(2);
    const [first, second] = workers.map(({ got }) => got[0] as ToLogWorker & { type: "start" });
    expect(second!.session).toBe(first!.session);
    expect(second!.held).toBe(copy.held);
    expect(changes).toEqual([]);
    clock.advance(ACT_MS);
    expect(changes).toEqual(["waiting"]);
  });

  test("a new master key goes to a new worker, which keeps the lease", async () => {
    const copy = await holding();
    copy.renew();
    await Bun.sleep(0);
    expect(workers[0]!.got.at(-1)).toEqual({ type: "stop", release: false });
    expect(workers[0]!.ended).toBe(true);
    expect(workers).toHaveLength(2);
    expect(copy.mayAct()).toBe(true);
    expect(changes).toEqual([]);
  });

  test("two new master keys at the same time lead to one new worker", async () => {
    const copy = await holding();
    copy.renew();
    copy.renew();
    await Bun.sleep(0);
    expect(workers.filter(({ ended }) => !ended)).toHaveLength(1);
  });

  test("a new worker begins only when the one before it has ended, because both would hold the lease", async () => {
    const copy = await holding();
    workers[0]!.slow = true;
    copy.renew();
    await Bun.sleep(0);
    clock.advance(60_000);
    await Bun.sleep(0);
    expect(workers).toHaveLength(1);
    workers[0]!.say({ type: "stopped" });
    await Bun.sleep(0);
    expect(workers).toHaveLength(2);
  });

  test("a worker that dies while it stops is replaced once", async () => {
    const copy = await holding();
    workers[0]!.slow = true;
    copy.renew();
    workers[0]!.die();
    await Bun.sleep(0);
    clock.advance(60_000);
    await Bun.sleep(0);
    expect(workers).toHaveLength(2);
  });

  test("a flush fails at once when the worker is replaced", async () => {
    const copy = await holding();
    const flush = copy.flushed();
    copy.renew();
    await expect(flush).rejects.toThrow("being started");
  });

  test("a stop releases the lease, and nothing may act afterwards", async () => {
    const copy = await holding();
    await copy.stop();
    expect(workers[0]!.got.at(-1)).toEqual({ type: "stop", release: true });
    expect(copy.mayAct()).toBe(false);
    clock.advance(60_000);
    expect(changes).toEqual([]);
    expect(workers).toHaveLength(1);
  });
});

describe("a server without standbys", () => {
  test("answers requests after a second at most, and acts when the store does not answer", async () => {
    const copy = open(false);
    const started = begin(copy);
    clock.advance(1_000);
    expect(await started).toMatchObject({ reason: "waiting", message: expect.stringContaining("starting") });
    expect(copy.mayAct()).toBe(false);
    clock.advance(4_999);
    expect(changes).toEqual([]);
    clock.advance(1);
    expect([copy.mayAct(), changes]).toEqual([true, [null]]);
    clock.advance(3_600_000);
    expect(changes).toEqual([null]);
    await copy.flushed();
  });

  test("acts as soon as it knows that the store cannot be reached", async () => {
    const copy = open(false);
    const started = begin(copy);
    clock.advance(1_000);
    await started;
    workers[0]!.say({ type: "acting", pause: null });
    expect([copy.mayAct(), changes]).toEqual([true, [null]]);
    clock.advance(60_000);
    expect(changes).toEqual([null]);
  });

  test("never acts when the answer that another machine took over comes late", async () => {
    const copy = open(false);
    const started = begin(copy);
    clock.advance(5_999);
    await started;
    workers[0]!.say({ type: "acting", pause: takenOverPause(clock.now()) });
    clock.advance(60_000);
    expect([copy.mayAct(), changes]).toEqual([false, ["taken_over"]]);
  });

  test("never acts when it remembers that another machine took over, even if the worker cannot start", async () => {
    isSuperseded = true;
    const copy = open(false);
    expect(await begin(copy)).toMatchObject({ reason: "taken_over" });
    workers[0]!.die();
    for (let i = 0; i < 60; i++) clock.advance(1_000);
    expect([copy.mayAct(), changes]).toEqual([false, []]);
  });

  test("does not act when it learns in the same moment that another machine took over", async () => {
    const copy = open(false);
    const started = begin(copy);
    new HeldView(steady, copy.held).revoke();
    workers[0]!.say({ type: "acting", pause: null });
    await started;
    workers[0]!.say({ type: "acting", pause: takenOverPause(clock.now()) });
    clock.advance(60_000);
    expect([copy.mayAct(), changes]).toEqual([false, ["taken_over"]]);
  });

  test("a stop during the start lets nothing act afterwards", async () => {
    const copy = open(false);
    const started = begin(copy);
    clock.advance(1_000);
    await started;
    await copy.stop();
    clock.advance(60_000);
    expect([copy.mayAct(), changes]).toEqual([false, []]);
  });

  test("does not act when it learns at the start that another machine took over", async () => {
    const copy = open(false);
    const started = begin(copy);
    workers[0]!.say({ type: "acting", pause: takenOverPause(clock.now()) });
    expect(await started).toMatchObject({ reason: "taken_over" });
    expect(copy.mayAct()).toBe(false);
  });

  test("stops when it learns later that another machine took over", async () => {
    const copy = open(false);
    const started = begin(copy);
    workers[0]!.say({ type: "acting", pause: null });
    await started;
    new HeldView(steady, copy.held).revoke();
    expect(copy.mayAct()).toBe(false);
    workers[0]!.say({ type: "acting", pause: takenOverPause(clock.now()) });
    expect(changes).toEqual(["taken_over"]);
    expect(waitingPause(0).message).not.toContain("another machine");
  });

  test("copies nothing without a place, and begins when one is chosen", async () => {
    hasPlace = false;
    const copy = open(false);
    expect(await begin(copy)).toBeNull();
    expect([copy.mayAct(), workers.length]).toEqual([true, 0]);
    hasPlace = true;
    copy.renew();
    await Bun.sleep(0);
    expect(workers).toHaveLength(1);
    hasPlace = false;
    copy.renew();
    await Bun.sleep(0);
    expect(workers[0]!.ended).toBe(true);
    expect(workers).toHaveLength(1);
    clock.advance(60_000);
    expect([copy.mayAct(), changes]).toEqual([true, []]);
  });
});
