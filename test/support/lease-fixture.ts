import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BodySeal, LeaseMode } from "../../src/backup/lease/body.ts";
import { HeldView } from "../../src/backup/lease/held.ts";
import { type Holder, readHolder } from "../../src/backup/lease/holder.ts";
import { Lease } from "../../src/backup/lease/lease.ts";
import { type LeasePort, StoreLeasePort } from "../../src/backup/lease/port.ts";
import { ManualClock } from "../../src/platform/clock.ts";
import type { ObjectStore } from "../../src/platform/objects/store.ts";
import { ManualSteadyClock } from "../../src/platform/steady-clock.ts";

const STEP_MS = 500;

/** Seals with AES-256-GCM, as the change log does. */
export function sealOf(key: Uint8Array): BodySeal {
  return {
    seal(plain) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv("aes-256-gcm", key, nonce);
      return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
    },
    open(sealed) {
      const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, 12));
      decipher.setAuthTag(sealed.subarray(-16));
      return Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()]);
    },
  };
}

/** A clock that moves when all that is left to do is to wait for it. */
class WaitedClock extends ManualClock {
  readonly #requests = new Set<Promise<unknown>>();

  /** Stops this clock while a request runs. */
  async during<T>(request: Promise<T>): Promise<T> {
    this.#requests.add(request);
    try {
      return await request;
    } finally {
      this.#requests.delete(request);
    }
  }

  /** Moves this clock, in steps, until the work is done. @returns its result and how long it took on this clock */
  async until<T>(work: Promise<T>): Promise<{ value: T; tookMs: number }> {
    const start = this.now();
    let isDone = false;
    const done = work.finally(() => {
      isDone = true;
    });
    done.catch(() => {});
    for (;;) {
      do {
        await Promise.allSettled(this.#requests);
        // What follows an answer may be another request.
        await new Promise<void>((resolve) => setImmediate(resolve));
      } while (this.#requests.size > 0);
      if (isDone) return { value: await done, tookMs: this.now() - start };
      this.advance(STEP_MS);
    }
  }
}

/** A machine with one data folder, whose processes ask for the lease in a store. */
export class LeaseMachine {
  readonly folder = mkdtempSync(join(tmpdir(), "postroom-lease-"));
  readonly steady: ManualSteadyClock;

  constructor(
    readonly clock: WaitedClock,
    private readonly store: ObjectStore,
    private readonly seal: BodySeal,
    private readonly bootId: string,
  ) {
    this.steady = new ManualSteadyClock(clock);
  }

  /** Starts a process. @param changes what differs from the last one, such as the run of the system */
  start(mode: LeaseMode = "standby", changes: Partial<Pick<Holder, "boot" | "id" | "name">> = {}) {
    const { clock, steady, seal, store } = this;
    const holder = Object.assign(readHolder(this.folder), { boot: this.bootId, ...changes });
    const view = new HeldView(steady);
    const stored = new StoreLeasePort(store, mode === "standby");
    const port: LeasePort = {
      place: stored.place,
      read: () => clock.during(stored.read()),
      write: (body, condition) => clock.during(stored.write(body, condition)),
    };
    return { lease: new Lease({ port, seal, holder, mode, clock, steady, view }), view, holder };
  }

  close(): void {
    rmSync(this.folder, { recursive: true });
  }
}

/** Returns machines that share a store, and the clock of all. */
export function leaseMachines(store: ObjectStore, count: number) {
  const clock = new WaitedClock();
  const seal = sealOf(randomBytes(32));
  const bootOf = (number: number) => String(number).repeat(32);
  const machines = Array.from({ length: count }, (_, i) => new LeaseMachine(clock, store, seal, bootOf(i)));
  return { clock, machines, seal };
}
