import { beforeEach, describe, expect, test } from "bun:test";
import { FakeWorker } from "../../../test/support/fake-worker.ts";
import { ManualClock } from "../clock.ts";
import { createLog } from "../log.ts";
import { WorkerHandle, type WorkerLike } from "./worker-handle.ts";

type To = { type: string };
type From = { type: string };

let clock: ManualClock;
let workers: FakeWorker<To, From>[];
let handle: WorkerHandle<To, From>;
let left: [worker: number, alone: boolean][];
let lost: number;
let deaf: boolean;
const lines: string[] = [];

beforeEach(() => {
  clock = new ManualClock();
  workers = [];
  left = [];
  lost = 0;
  deaf = false;
  lines.length = 0;
  handle = new WorkerHandle({
    clock,
    log: createLog({ level: "warn", format: "text", clock, write: (line) => lines.push(line) }),
    name: "test",
    start: () => {
      const worker = new FakeWorker<To, From>();
      worker.deaf = deaf;
      workers.push(worker);
      return worker as unknown as WorkerLike;
    },
    begin: () => ({ type: "start" }),
    take: () => {},
    left: (worker, alone) => left.push([workers.indexOf(worker as unknown as FakeWorker<To, From>), alone]),
    onLost: () => lost++,
  });
});

/** Returns whether a promise is resolved now. */
async function isOver(work: Promise<unknown>): Promise<boolean> {
  let over = false;
  void work.then(() => {
    over = true;
  });
  await new Promise<void>((resolve) => setImmediate(resolve));
  return over;
}

describe("one worker at a time", () => {
  test("is terminated when it reports that it has stopped, and not before", async () => {
    handle.begin();
    workers[0]!.slow = true;
    const ended = handle.end();
    expect([handle.current, workers[0]!.ended, await isOver(ended)]).toEqual([null, false, false]);
    workers[0]!.say({ type: "stopped" });
    expect([workers[0]!.ended, await isOver(ended)]).toEqual([true, true]);
    expect([left, lost, lines]).toEqual([[[0, false]], 0, []]);
  });

  test("stopping also waits for workers that were asked to end earlier", async () => {
    handle.begin();
    workers[0]!.slow = true;
    void handle.end();
    const stopped = handle.stop();
    expect(await isOver(stopped)).toBe(false);
    expect(await isOver(handle.stop())).toBe(false);
    workers[0]!.say({ type: "stopped" });
    expect(await isOver(stopped)).toBe(true);
  });

  test("that does not stop within two seconds is not awaited, and is terminated once it stops", async () => {
    handle.begin();
    workers[0]!.slow = true;
    const stopped = handle.stop();
    await clock.advance(2_000);
    expect([await isOver(stopped), workers[0]!.ended, left]).toEqual([true, false, [[0, false]]]);
    workers[0]!.say({ type: "stopped" });
    expect(workers[0]!.ended).toBe(true);
  });

  test("that ends unexpectedly is reported, once", async () => {
    handle.begin();
    workers[0]!.die();
    workers[0]!.die();
    expect([left, lost, handle.current]).toEqual([[[0, true]], 1, null]);
    expect(lines.join("")).toContain("the test worker ended unexpectedly");
  });

  test("that dies while it is asked to end is not reported", async () => {
    handle.begin();
    workers[0]!.slow = true;
    const ended = handle.end();
    workers[0]!.die();
    expect([await isOver(ended), left, lost]).toEqual([true, [[0, false]], 0]);
  });

  test("that cannot receive its first message does not start", () => {
    deaf = true;
    expect(() => handle.begin()).toThrow("cloned");
    expect([handle.current, workers[0]!.ended]).toEqual([null, true]);
    deaf = false;
    handle.begin();
    expect(handle.current).toBe(workers[1] as unknown as WorkerLike);
  });

  test("that cannot receive the stop message does not block a stop", async () => {
    handle.begin();
    workers[0]!.deaf = true;
    expect(await isOver(handle.stop())).toBe(true);
    expect(left).toEqual([[0, false]]);
  });
});
