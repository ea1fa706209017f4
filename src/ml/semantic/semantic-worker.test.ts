import { beforeEach, describe, expect, test } from "bun:test";
import { FakeWorker } from "../../../test/support/fake-worker.ts";
import { ManualClock } from "../../platform/clock.ts";
import { createLog } from "../../platform/log.ts";
import type { WorkerLike } from "../../platform/process/worker-handle.ts";
import type { FromSemanticWorker, ToSemanticWorker } from "./messages.ts";
import { SemanticWorker } from "./semantic-worker.ts";

const REQUEST = { user_id: "usr_1", text: "x", limit: 5, candidates: [], within: null };
const ANSWER = { near: [{ n: 1, score: 0.5 }], candidates: [], indexed: 1, waiting: 0 };

let clock: ManualClock;
type Fake = FakeWorker<ToSemanticWorker, FromSemanticWorker>;

let workers: Fake[];
let due: boolean;
let worker: SemanticWorker;

beforeEach(() => {
  clock = new ManualClock();
  workers = [];
  due = false;
  worker = new SemanticWorker({
    clock,
    log: createLog({ level: "error", format: "json", clock, write: () => {} }),
    start: () => {
      workers.push(new FakeWorker());
      return workers.at(-1) as unknown as WorkerLike;
    },
    begin: {
      type: "start",
      sources: { data_dir: "", env: {} },
      inherited: { master_key: new Uint8Array() },
      backfill: true,
    },
    isWorkDue: () => due,
  });
});

const idOf = (message: ToSemanticWorker | undefined) => (message as { id: number }).id;

/** Answers the last query. */
function answer(worker: Fake): void {
  worker.say({ type: "found", id: idOf(worker.got.at(-1)), answer: ANSWER });
}

describe("the semantic worker", () => {
  test("is started by a query, and ended after two minutes without one", async () => {
    worker.start();
    expect(workers).toHaveLength(0);
    const asked = worker.search(REQUEST);
    expect(workers[0]!.got.map(({ type }) => type)).toEqual(["start", "search"]);
    answer(workers[0]!);
    expect(await asked).toEqual(ANSWER);
    clock.advance(119_000);
    expect(workers[0]!.ended).toBe(false);
    clock.advance(3_000);
    await Promise.resolve();
    await Promise.resolve();
    expect([workers[0]!.ended, workers[0]!.got.at(-1)!.type]).toEqual([true, "stop"]);
    const again = worker.search(REQUEST);
    answer(workers[1]!);
    expect(await again).toEqual(ANSWER);
    await worker.stop();
  });

  test("is not started for mail while a stopping one may still be embedding", async () => {
    worker.start();
    due = true;
    clock.advance(1_000);
    expect(workers).toHaveLength(1);
    workers[0]!.slow = true;
    const ended = worker.renew();
    clock.advance(1_000);
    expect(workers).toHaveLength(1);
    workers[0]!.say({ type: "stopped" });
    await ended;
    clock.advance(1_000);
    expect(workers).toHaveLength(2);
    await worker.stop();
  });

  test("answers a query that arrives during its stop from the next worker", async () => {
    worker.start();
    const asked = worker.search(REQUEST);
    answer(workers[0]!);
    await asked;
    workers[0]!.slow = true;
    clock.advance(121_000);
    expect(workers[0]!.got.at(-1)!.type).toBe("stop");
    const again = worker.search(REQUEST);
    expect(workers[1]!.got.map(({ type }) => type)).toEqual(["start", "search"]);
    workers[0]!.say({ type: "stopped" });
    await Promise.resolve();
    await Promise.resolve();
    answer(workers[1]!);
    expect([await again, workers[0]!.ended, workers[1]!.ended]).toEqual([ANSWER, true, false]);
    await worker.stop();
  });

  test("is started by waiting mail within a second, and stays while it works", async () => {
    worker.start();
    due = true;
    clock.advance(1_000);
    expect(workers).toHaveLength(1);
    workers[0]!.say({ type: "ready" });
    due = false;
    for (let minute = 0; minute < 5; minute++) {
      clock.advance(60_000);
      workers[0]!.say({ type: "busy" });
    }
    expect(workers[0]!.ended).toBe(false);
    await worker.stop();
    expect(workers[0]!.ended).toBe(true);
  });

  test("that dies fails its queries and is not restarted at once for mail, so that mail that crashes it does not keep the machine busy", async () => {
    worker.start();
    const asked = worker.search(REQUEST);
    workers[0]!.die();
    await expect(asked).rejects.toThrow();
    due = true;
    clock.advance(30_000);
    expect(workers).toHaveLength(1);
    clock.advance(31_000);
    expect(workers).toHaveLength(2);
    workers[1]!.say({ type: "ready" });
    workers[1]!.die();
    clock.advance(59_000);
    expect(workers).toHaveLength(2);
    clock.advance(2_000);
    expect(workers).toHaveLength(3);
    // A query starts a worker without this delay.
    workers[2]!.die();
    const next = worker.search(REQUEST);
    answer(workers[3]!);
    expect(await next).toEqual(ANSWER);
    await worker.stop();
  });

  test("that does not answer times out, and one that refuses reports it", async () => {
    const late = worker.search(REQUEST);
    clock.advance(10_000);
    await expect(late).rejects.toThrow("too long");
    const refused = worker.search(REQUEST);
    workers[0]!.say({ type: "failed", id: idOf(workers[0]!.got.at(-1)), reason: "no model" });
    await expect(refused).rejects.toThrow("no model");
    await worker.stop();
    await expect(worker.search(REQUEST)).rejects.toThrow("stopping");
  });
});
