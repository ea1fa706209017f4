import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LeaseMachine, leaseMachines, sealOf } from "../../../test/support/lease-fixture.ts";
import { type S3Server, startS3 } from "../../../test/support/s3-server.ts";
import { systemClock } from "../../platform/clock.ts";
import { FolderStore } from "../../platform/objects/folder-store.ts";
import { S3Store } from "../../platform/objects/s3-store.ts";
import type { ObjectStore } from "../../platform/objects/store.ts";
import type { LeaseFault, Loss } from "./faults.ts";
import { LEASE_PATIENCE, PRIMARY_KEY } from "./port.ts";
import { ACT_MS, POLL_MS, WAIT_MS } from "./timing.ts";

setDefaultTimeout(30_000);

let s3: S3Server;
let folder: string;
const opened: { close(): void }[] = [];
beforeAll(async () => {
  s3 = await startS3();
  folder = mkdtempSync(join(tmpdir(), "postroom-leases-"));
});
afterEach(() => {
  for (const one of opened.splice(0)) one.close();
  s3.disturb = () => null;
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await s3.close();
});

let number = 0;
const bucket = (): ObjectStore =>
  new S3Store({
    ...s3.options(`lease-${number++}`),
    clock: systemClock,
    calls: null,
    patience: LEASE_PATIENCE,
  });
const directory = (): ObjectStore => {
  const place = join(folder, `lease-${number++}`);
  mkdirSync(place);
  return new FolderStore(place, systemClock);
};
const faultOf = (work: Promise<unknown>) => work.then(() => null).catch((error) => error as LeaseFault);

function machinesOf(store: ObjectStore, count = 2) {
  const { clock, machines, seal } = leaseMachines(store, count);
  opened.push(store, ...machines);
  const [a, b] = machines as [LeaseMachine, LeaseMachine];
  return { clock, a, b, seal, store };
}

describe.each([
  ["a bucket", bucket],
  ["a folder", directory],
])("in %s", (_kind, open) => {
  test("one machine acts; another takes over after it has been silent for 30 s, with a higher token", async () => {
    const { clock, a, b } = machinesOf(open());
    const primary = a.start();
    const first = await clock.until(primary.lease.acquire());
    expect(first.tookMs).toBeGreaterThanOrEqual(WAIT_MS);
    expect([primary.lease.held, primary.lease.token, primary.view.mayAct(), primary.view.token]).toEqual([
      true,
      1,
      true,
      1,
    ]);
    const standby = b.start();
    const losses: Loss[] = [];
    primary.lease.onLost((loss) => losses.push(loss));
    const second = await clock.until(standby.lease.acquire({ promote: true }));
    expect(second.tookMs).toBeGreaterThanOrEqual(WAIT_MS);
    expect(second.tookMs).toBeLessThan(WAIT_MS + 2 * POLL_MS);
    expect([standby.lease.token, standby.view.mayAct()]).toEqual([2, true]);
    expect([primary.view.mayAct(), primary.lease.held]).toEqual([false, false]);
    expect(losses).toEqual([{ reason: "late", by: null }]);
  });

  test("a holder that renews keeps others waiting", async () => {
    const { clock, a, b } = machinesOf(open());
    const { lease, view } = a.start();
    await clock.until(lease.acquire());
    const stop = new AbortController();
    const waiting = faultOf(b.start().lease.acquire({ promote: true, signal: stop.signal }));
    for (let i = 0; i < 10; i++) {
      clock.advance(10_000);
      await lease.renew();
      expect(view.mayAct()).toBe(true);
    }
    stop.abort();
    await waiting;
    expect(lease.token).toBe(1);
  });

  test("a holder stops 20 s after it sent its last renewal, and does not start again when a clock is set back", async () => {
    const { clock, a } = machinesOf(open());
    const { lease, view } = a.start();
    await clock.until(lease.acquire());
    await lease.renew();
    clock.advance(ACT_MS - 1);
    expect([lease.held, view.mayAct()]).toEqual([true, true]);
    clock.advance(1);
    expect([lease.held, view.mayAct(), lease.token, lease.deadline]).toEqual([false, false, 0, null]);
    a.steady.shift("monotonic", -60_000);
    a.steady.shift("wall", -60_000);
    a.steady.shift("boot", -60_000);
    expect([lease.held, view.mayAct()]).toEqual([false, false]);
    expect((await faultOf(lease.renew()))?.reason).toBe("lost");
    // No one else has taken it, so the same process gets it at once.
    expect((await clock.until(lease.acquire())).tookMs).toBe(0);
    expect(lease.token).toBe(2);
  });

  test.each(["monotonic", "wall", "boot"] as const)("a jump of the %s clock ends the lease", async (which) => {
    const { clock, a } = machinesOf(open());
    const { lease } = a.start();
    await clock.until(lease.acquire());
    a.steady.shift(which, ACT_MS);
    expect(lease.held).toBe(false);
  });

  test("a lease that was released is taken at once, with what the log had in it", async () => {
    const { clock, a, b } = machinesOf(open());
    const primary = a.start();
    await clock.until(primary.lease.acquire());
    await primary.lease.renew({ head: { seq: 41 } });
    await primary.lease.renew();
    expect(await primary.lease.release()).toBe(true);
    expect([primary.lease.held, primary.view.mayAct(), primary.lease.loss?.reason]).toEqual([false, false, "released"]);
    const { lease } = b.start();
    expect((await clock.until(lease.acquire({ promote: true }))).tookMs).toBe(0);
    expect([lease.token, lease.body?.log]).toEqual([2, { head: { seq: 41 } }]);
  });

  test("a primary that was replaced does not act after a restart, until it is promoted", async () => {
    const { clock, a, b } = machinesOf(open());
    const primary = a.start("standby", { name: "cellar" });
    await clock.until(primary.lease.acquire());
    await primary.lease.release();
    const standby = b.start("standby", { name: "attic" });
    await clock.until(standby.lease.acquire({ promote: true }));
    const again = a.start();
    const fault = await faultOf(again.lease.acquire());
    expect(fault).toMatchObject({ reason: "superseded", by: { token: 2, name: "attic" } });
    expect(fault?.message).toContain("attic has been the primary since 2026-03-02T09:00");
    await standby.lease.release();
    // Its data is old, even if no one acts.
    expect((await faultOf(a.start().lease.acquire()))?.reason).toBe("superseded");
    const promoted = a.start();
    await clock.until(promoted.lease.acquire({ promote: true }));
    expect([promoted.lease.token, promoted.view.mayAct()]).toEqual([3, true]);
    await promoted.lease.release();
    await a.start().lease.acquire();
  });

  test.each(["standby", "alone"] as const)(
    "a primary that was replaced does not act (%s), although someone deletes the object or puts back its own version",
    async (mode) => {
      const { clock, a, b, store } = machinesOf(open());
      const primary = a.start(mode);
      await clock.until(primary.lease.acquire());
      const before = (await store.get(PRIMARY_KEY, 100_000))!.bytes;
      await primary.lease.release();
      const standby = b.start("standby", { name: "attic" });
      await clock.until(standby.lease.acquire({ promote: true }));
      expect((await faultOf(a.start(mode).lease.acquire()))?.reason).toBe("superseded");
      for (const bytes of [before, null]) {
        if (bytes) await store.put(PRIMARY_KEY, bytes);
        else await store.delete(PRIMARY_KEY);
        const again = a.start(mode);
        const fault = await faultOf(clock.until(again.lease.acquire()));
        expect([fault?.reason, again.view.mayAct()]).toEqual(["superseded", false]);
        expect(fault?.message).toContain("attic has been the primary");
      }
      // No token counts twice.
      const promoted = a.start();
      await clock.until(promoted.lease.acquire({ promote: true }));
      expect(promoted.lease.token).toBe(3);
    },
  );

  test("a process that was killed gives way to the next one of its folder at once, but not after a restart of the machine", async () => {
    const { clock, a } = machinesOf(open());
    await clock.until(a.start().lease.acquire());
    const next = a.start();
    expect((await clock.until(next.lease.acquire())).tookMs).toBe(0);
    expect(next.lease.token).toBe(2);
    const restarted = a.start("standby", { boot: "f".repeat(32) });
    expect((await clock.until(restarted.lease.acquire())).tookMs).toBeGreaterThanOrEqual(WAIT_MS);
    expect(restarted.lease.token).toBe(3);
  });

  test("an object that was deleted ends the lease, and the next token is still higher", async () => {
    const { clock, a, b, store } = machinesOf(open());
    const { lease, view } = a.start();
    await clock.until(lease.acquire());
    await store.delete(PRIMARY_KEY);
    expect((await faultOf(lease.renew()))?.reason).toBe("lost");
    expect([lease.loss?.reason, view.mayAct()]).toEqual(["missing", false]);
    const { tookMs } = await clock.until(b.start().lease.acquire({ promote: true, knownToken: 5 }));
    expect(tookMs).toBeGreaterThanOrEqual(WAIT_MS);
    expect((await faultOf(clock.until(lease.acquire())))?.by).toMatchObject({ token: 6 });
  });

  test.each(["standby", "alone"] as const)(
    "an earlier version of the same folder, which someone put back, is no takeover (%s)",
    async (mode) => {
      const { clock, a, store } = machinesOf(open());
      await clock.until(a.start(mode).lease.acquire());
      const ofBefore = (await store.get(PRIMARY_KEY, 100_000))!.bytes;
      const { lease, view, holder } = a.start(mode);
      await clock.until(lease.acquire());
      const earlier = (await store.get(PRIMARY_KEY, 100_000))!.bytes;
      await lease.renew();
      for (const [i, bytes] of [earlier, ofBefore].entries()) {
        await store.put(PRIMARY_KEY, bytes);
        expect((await faultOf(lease.renew()))?.reason).toBe("lost");
        expect([lease.loss?.reason, view.mayAct()]).toEqual(["missing", mode === "alone"]);
        expect(holder.memory.supersededBy).toBeNull();
        await clock.until(lease.acquire());
        expect([lease.token, view.mayAct()]).toEqual([3 + i, true]);
        await lease.renew();
      }
    },
  );

  test("a store whose tags differ between a write and a read does not end a lease", async () => {
    const store = open();
    const put = store.put.bind(store);
    store.put = async (key, bytes, condition) => `W/${await put(key, bytes, condition)}`;
    const { clock, a } = machinesOf(store);
    const { lease, view } = a.start("alone");
    await clock.until(lease.acquire());
    for (let i = 0; i < 3; i++) await lease.renew({ head: i });
    expect([lease.held, view.mayAct(), lease.log]).toEqual([true, true, { head: 2 }]);
  });

  test("the object of another installation is not replaced", async () => {
    const { clock, a, store } = machinesOf(open());
    await clock.until(a.start().lease.acquire());
    const stranger = new LeaseMachine(clock, store, sealOf(randomBytes(32)), "e".repeat(32));
    opened.push(stranger);
    const fault = await faultOf(clock.until(stranger.start().lease.acquire({ promote: true })));
    expect(fault?.reason).toBe("unreadable");
    expect(fault?.message).toContain("belongs to another installation");
  });

  test("a clone of a running machine is recognized when it renews", async () => {
    const { clock, a, seal, store } = machinesOf(open());
    const { lease, view } = a.start();
    await clock.until(lease.acquire());
    const body = { ...lease.body, nonce: "c".repeat(32) };
    await store.put(PRIMARY_KEY, await seal.seal(Buffer.from(JSON.stringify(body))));
    expect((await faultOf(lease.renew()))?.reason).toBe("lost");
    expect([lease.loss?.reason, view.mayAct()]).toEqual(["taken", false]);
  });
});

describe("without a standby", () => {
  test("a server acts without the store, until another machine takes over", async () => {
    const { clock, a, b } = machinesOf(directory());
    const primary = a.start("alone", { name: "cellar" });
    expect([primary.view.mayAct(), primary.lease.held]).toEqual([true, false]);
    expect((await clock.until(primary.lease.acquire())).tookMs).toBe(0);
    clock.advance(3_600_000);
    expect([primary.view.mayAct(), primary.lease.held]).toEqual([true, true]);
    const standby = b.start();
    const fault = await faultOf(standby.lease.acquire({ promote: true }));
    expect(fault?.reason).toBe("alone");
    expect(fault?.message).toContain("cellar acts without being asked");
    const { tookMs } = await clock.until(standby.lease.acquire({ promote: true, primaryIsOff: true }));
    expect(tookMs).toBeGreaterThanOrEqual(WAIT_MS);
    expect((await faultOf(primary.lease.renew()))?.reason).toBe("lost");
    expect([primary.view.mayAct(), primary.lease.loss]).toMatchObject([false, { reason: "taken", by: { token: 2 } }]);
    // Nor after a restart, whether or not the store can be reached.
    expect(a.start("alone").view.mayAct()).toBe(false);
  });

  test("a primary that is said to be off but writes is not replaced", async () => {
    const { clock, a, b } = machinesOf(directory());
    const primary = a.start("alone");
    await clock.until(primary.lease.acquire());
    const promotion = b.start().lease.acquire({ promote: true, primaryIsOff: true });
    clock.after(10_000, () => void primary.lease.renew());
    expect((await faultOf(clock.until(promotion)))?.reason).toBe("active");
    expect(primary.lease.held).toBe(true);
  });

  test("a folder that was restored elsewhere stops when it sees that another one acts", async () => {
    const { clock, a, b } = machinesOf(directory());
    await clock.until(a.start("alone").lease.acquire());
    const restored = b.start("alone");
    const losses: Loss[] = [];
    restored.lease.onLost((loss) => losses.push(loss));
    expect((await faultOf(restored.lease.acquire()))?.reason).toBe("superseded");
    expect([restored.view.mayAct(), losses[0]?.reason]).toEqual([false, "taken"]);
  });

  test("an object that was deleted is written again, and the server keeps acting", async () => {
    const { clock, a, store } = machinesOf(directory());
    const { lease, view } = a.start("alone");
    await clock.until(lease.acquire());
    await store.delete(PRIMARY_KEY);
    await faultOf(lease.renew());
    expect([lease.loss?.reason, view.mayAct()]).toEqual(["missing", true]);
    expect((await clock.until(lease.acquire())).tookMs).toBe(0);
    expect(lease.token).toBe(2);
  });
});

describe("a bucket in trouble", () => {
  const isPrimary = (path: string) => path.split("?")[0]!.endsWith(`/${PRIMARY_KEY}`);

  test("a renewal or a takeover counts if only its answer was lost", async () => {
    const { clock, a, b } = machinesOf(bucket());
    let loseNext = true;
    let lost = 0;
    s3.disturb = ({ method, path }) => {
      if (!loseNext || method !== "PUT" || !isPrimary(path)) return null;
      lost++;
      // The attempts of one write: the object has it, but no answer arrives.
      if (lost % 2 === 0) loseNext = false;
      return "lost";
    };
    const { lease } = a.start();
    await clock.until(lease.acquire());
    expect([lost, lease.token]).toEqual([2, 1]);
    loseNext = true;
    await lease.renew({ head: 7 });
    expect(lost).toBe(4);
    loseNext = true;
    expect(await lease.release()).toBe(true);
    const next = b.start();
    await clock.until(next.lease.acquire({ promote: true }));
    expect([next.lease.token, next.lease.body?.log]).toEqual([2, { head: 7 }]);
  });

  test("while the store is away, the lease is held until its end, and taken again afterwards", async () => {
    const { clock, a } = machinesOf(bucket());
    const { lease, view } = a.start();
    await clock.until(lease.acquire());
    await lease.renew();
    s3.disturb = () => ({ status: 503, code: "SlowDown" });
    clock.advance(10_000);
    expect((await faultOf(lease.renew()))?.reason).toBe("unavailable");
    expect(view.mayAct()).toBe(true);
    clock.advance(10_000);
    expect([view.mayAct(), lease.held]).toEqual([false, false]);
    const again = clock.until(lease.acquire());
    s3.disturb = ({ method }) => (method === "PUT" ? "cut" : null);
    clock.after(60_000, () => {
      s3.disturb = () => null;
    });
    await again;
    expect(view.mayAct()).toBe(true);
  });

  test("a store without conditional writes cannot have a standby, but a server can act alone", async () => {
    s3.disturb = ({ conditional }) => (conditional ? { status: 501, code: "NotImplemented" } : null);
    const { clock, a, b } = machinesOf(bucket());
    const fault = await faultOf(clock.until(a.start().lease.acquire()));
    expect(fault?.reason).toBe("refused");
    expect(fault?.message).toContain("has no conditional writes, so it cannot decide which machine acts");
    const alone = a.start("alone");
    await clock.until(alone.lease.acquire());
    await alone.lease.renew({ head: 1 });
    await clock.until(b.start("alone").lease.acquire({ promote: true, primaryIsOff: true }));
    expect((await faultOf(alone.lease.renew({ head: 2 })))?.reason).toBe("lost");
    expect(alone.view.mayAct()).toBe(false);
  });

  test("a store that ignores conditions is recognized", async () => {
    const store = bucket();
    const put = store.put.bind(store);
    store.put = (key, bytes) => put(key, bytes);
    const { clock, a } = machinesOf(store);
    const fault = await faultOf(clock.until(a.start().lease.acquire()));
    expect(fault?.message).toContain("has no conditional writes");
    expect(await Array.fromAsync(store.list("primary-test/"))).toEqual([]);
  });

  test("a wrong secret is reported, and does not end a lease before its time", async () => {
    const { clock, a } = machinesOf(bucket());
    const { lease } = a.start();
    await clock.until(lease.acquire());
    s3.disturb = () => ({ status: 403, code: "SignatureDoesNotMatch" });
    const fault = await faultOf(lease.renew());
    expect([fault?.reason, lease.held]).toEqual(["refused", true]);
    expect(fault?.message).toContain("backup.s3.secret_access_key");
  });
});
