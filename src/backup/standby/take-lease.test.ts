import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ManualClock } from "../../platform/clock.ts";
import { FolderStore } from "../../platform/objects/folder-store.ts";
import { ManualSteadyClock } from "../../platform/steady-clock.ts";
import type { LeaseBody, LeaseMode } from "../lease/body.ts";
import { HeldView } from "../lease/held.ts";
import { readHolder } from "../lease/holder.ts";
import { Lease } from "../lease/lease.ts";
import { StoreLeasePort } from "../lease/port.ts";
import { takeLease } from "./take-lease.ts";

let folder: string;
let clock: ManualClock;
let steady: ManualSteadyClock;
let store: FolderStore;

/** The bytes themselves: what is secret is tested with the log. */
const seal = { seal: (bytes: Uint8Array) => bytes, open: (bytes: Uint8Array) => bytes };

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "postroom-take-lease-"));
  for (const name of ["place", "primary", "standby"]) mkdirSync(join(folder, name));
  clock = new ManualClock();
  steady = new ManualSteadyClock(clock);
  store = counted(new FolderStore(join(folder, "place"), clock));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Requests to the place that the disk has not yet answered. */
let pending = 0;
/** Turns of 10 ms that a busy disk is given for a request. */
const MOST_TURNS = 200;

function counted(place: FolderStore): FolderStore {
  return new Proxy(place, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== "function") return member;
      return (...given: unknown[]) => {
        const answer: unknown = member.apply(target, given);
        if (!(answer instanceof Promise)) return answer;
        pending++;
        return answer.finally(() => pending--);
      };
    },
  });
}

/** Lets time pass, but not while the disk works, until work settles. @param also done every second */
async function pass<T>(work: Promise<T>, also: () => Promise<void> = async () => {}): Promise<T> {
  let settled = false;
  const end = () => {
    settled = true;
  };
  work.then(end, end);
  for (let second = 0; !settled && second < 300; second++) {
    await Bun.sleep(10);
    for (let turn = 0; pending > 0 && turn < MOST_TURNS; turn++) await Bun.sleep(10);
    clock.advance(1_000);
    await also();
  }
  return work;
}

async function primary(mode: LeaseMode): Promise<Lease> {
  const holder = readHolder(join(folder, "primary"));
  const port = new StoreLeasePort(store, mode === "standby");
  const lease = new Lease({ port, seal, holder, mode, clock, steady, view: new HeldView(steady) });
  await pass(lease.acquire());
  return lease;
}

const take = (more = {}) =>
  takeLease({ data_dir: join(folder, "standby"), store, seal, clock, steady, primaryIsOff: false, ...more });

test("a lease that was released is taken at once", async () => {
  const lease = await primary("standby");
  await lease.release();
  const from = clock.now();
  const taken = await pass(take());
  expect(clock.now() - from).toBeLessThan(30_000);
  expect(taken.before).toMatchObject({ released: true });
  taken.require();
  await pass(taken.release());
});

test("a primary that died is replaced after its lease has certainly ended", async () => {
  await primary("standby");
  const waited: string[] = [];
  const from = clock.now();
  const taken = await pass(take({ waiting: ({ name }: { name: string }) => waited.push(name) }));
  expect(clock.now() - from).toBeGreaterThanOrEqual(30_000);
  expect(waited).toHaveLength(1);
  await pass(taken.release());
});

test("a folder that takes its own lease again replaces no one", async () => {
  await primary("alone");
  const options = { data_dir: join(folder, "primary"), store, seal, clock, steady, primaryIsOff: true };
  const again = await pass(takeLease(options));
  expect(again.wasOwn).toBe(true);
  await pass(again.release());
  const taken = await pass(take());
  expect(taken.wasOwn).toBe(false);
  await pass(taken.release());
});

test("a primary that renews its lease is not replaced, and the command says so", async () => {
  const lease = await primary("standby");
  let at = clock.now();
  const renew = async () => {
    if (clock.now() - at < 10_000) return;
    at = clock.now();
    await lease.renew();
  };
  await expect(pass(take(), renew)).rejects.toThrow("renews its lease, so it still acts. Stop the server there first");
  expect(lease.held).toBe(true);
});

test("a primary that acts without the lease must be confirmed to be off", async () => {
  await primary("alone");
  const waits: string[] = [];
  const waiting = ({ name }: LeaseBody) => waits.push(name);
  await expect(pass(take({ waiting }))).rejects.toThrow("Then repeat the command with --primary-is-off.");
  // It does not wait, so it announces no wait.
  expect(waits).toEqual([]);
  const taken = await pass(take({ primaryIsOff: true }));
  expect(taken.before).toMatchObject({ mode: "alone" });
  await pass(taken.release());
});

test("an object of another installation is refused", async () => {
  await store.put("primary", Buffer.from("something else"));
  await expect(take()).rejects.toThrow("belongs to another installation");
});
