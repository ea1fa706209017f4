import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { ADA, type AiFixture, aiFixture } from "../../../test/support/ai-fixture.ts";
import { FakeWorker } from "../../../test/support/fake-worker.ts";
import { openBriefThread } from "../../app/brief.ts";
import type { WorkerLike } from "../../platform/process/worker-handle.ts";
import { yieldInSlices } from "../../platform/process/yielding.ts";
import { type BriefRequest, briefCompiler } from "./compile.ts";
import { BriefThread, type FromBriefWorker, type ToBriefWorker } from "./thread.ts";

let s: AiFixture;
let thread: BriefThread;
const NOW = Date.parse("2026-03-02T09:00:00Z");
const asked = (): BriefRequest => ({
  user_id: s.h.user.id,
  timezone: "UTC",
  now: NOW,
  own: [ADA.email],
  vips: [],
  calendar: [],
});

beforeEach(() => {
  s = aiFixture();
});
afterEach(async () => {
  await thread.stop();
  s.h.close();
});

describe("a brief compiled on its worker thread", () => {
  beforeEach(() => {
    thread = openBriefThread(s.h.platform);
  });

  test("equals one compiled on the main thread", async () => {
    s.seeded.converse(s.fromBob("Could you send me the signed contract by Friday?", { at: NOW - 86_400_000 }));
    s.seeded.converse(s.toBob("I'll send you the slides by Wednesday.", { at: NOW - 86_400_000 }));
    const expected = await briefCompiler(s.h.platform, yieldInSlices())(asked());
    const compiled = await thread.compile(asked());
    expect([compiled.needs_reply.length, compiled.commitments.length]).toEqual([1, 1]);
    expect(compiled).toEqual(expected);
  });

  test("keeps the main thread free while the mail is read", async () => {
    for (let n = 0; n < 150; n++) {
      s.seeded.deliver(s.fromBob(`Could you send me the contract ${n} by Friday?`, { at: NOW - n * 60_000 }));
    }
    let turns = 0;
    let over = false;
    const brief = thread.compile(asked()).finally(() => {
      over = true;
    });
    while (!over) {
      await new Promise<void>((resolve) => setImmediate(resolve));
      turns++;
    }
    expect((await brief).needs_reply).toHaveLength(50);
    expect(turns).toBeGreaterThan(50);
  });

  test("uses the current master key", async () => {
    await thread.compile(asked());
    thread.renew();
    expect((await thread.compile(asked())).needs_reply).toEqual([]);
  });
});

type Fake = FakeWorker<ToBriefWorker, FromBriefWorker>;

const compilesOf = ({ got }: Fake): string[] =>
  got.flatMap((message) => (message.type === "compile" ? [message.asked.user_id] : []));

describe("briefs", () => {
  let workers: Fake[];
  let lost: number;
  const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
  const of = (user_id: string): BriefRequest => ({ ...asked(), user_id });
  const brief = { date: "2026-03-02" } as never;

  beforeEach(() => {
    workers = [];
    lost = 0;
    const { clock, platform } = s.h;
    thread = new BriefThread({
      clock,
      log: platform.log,
      start: () => {
        workers.push(new FakeWorker());
        return workers.at(-1) as unknown as WorkerLike;
      },
      begin: () => ({ type: "start", data_dir: "", master_key: new Uint8Array(32) }),
      onLost: () => lost++,
    });
  });

  test("are compiled one at a time, and one that waits answers everyone who asked for it", async () => {
    const first = thread.compile(of("ada"));
    const second = thread.compile(of("zoe"));
    const same = thread.compile(of("zoe"));
    await settled();
    expect(compilesOf(workers[0]!)).toEqual(["ada"]);
    workers[0]!.say({ type: "compiled", brief });
    expect(await first).toBe(brief);
    await settled();
    expect(compilesOf(workers[0]!)).toEqual(["ada", "zoe"]);
    workers[0]!.say({ type: "compiled", brief });
    expect(await Promise.all([second, same])).toEqual([brief, brief]);
    expect(workers).toHaveLength(1);
  });

  test("fail separately: the next one is compiled, by a new worker if the old one has died", async () => {
    const bad = thread.compile(of("ada"));
    await settled();
    workers[0]!.say({ type: "failed", reason: "a fault", stack: "" });
    await expect(bad).rejects.toThrow("a fault");
    const torn = thread.compile(of("ada"));
    await settled();
    await settled();
    workers[0]!.die();
    await expect(torn).rejects.toThrow("has ended");
    const next = thread.compile(of("ada"));
    await settled();
    await settled();
    workers[1]!.say({ type: "compiled", brief });
    expect(await next).toBe(brief);
    expect(lost).toBe(1);
  });

  test("release the worker's memory after 30 seconds without a request", async () => {
    const made = thread.compile(of("ada"));
    await settled();
    workers[0]!.say({ type: "compiled", brief });
    await made;
    s.h.clock.advance(29_000);
    expect(workers[0]!.ended).toBe(false);
    s.h.clock.advance(2_000);
    expect(workers[0]!.ended).toBe(true);
    expect(lost).toBe(0);
  });

  test("that are still waiting are rejected when the server stops", async () => {
    const waiting = [thread.compile(of("ada")), thread.compile(of("zoe"))];
    await settled();
    await thread.stop();
    const ended = await Promise.allSettled(waiting);
    expect(ended.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(workers.map(({ ended }) => ended)).toEqual([true]);
  });
});
