import type { Clock, SteadyClock } from "../../kernel/clock.ts";
import { UserError } from "../../kernel/errors.ts";
import type { ObjectStore } from "../../platform/objects/store.ts";
import { type BodySeal, type LeaseBody, openBody } from "../lease/body.ts";
import { LeaseFault } from "../lease/faults.ts";
import { HeldView } from "../lease/held.ts";
import { isOwn, readHolder } from "../lease/holder.ts";
import { keepLease } from "../lease/keep.ts";
import { Lease } from "../lease/lease.ts";
import { StoreLeasePort } from "../lease/port.ts";

export interface TakeLeaseOptions {
  data_dir: string;
  /** With little patience (`LEASE_PATIENCE`). */
  store: ObjectStore;
  seal: BodySeal;
  clock: Clock;
  steady: SteadyClock;
  /** A person confirms that the primary, which acts without the lease, is off. */
  primaryIsOff: boolean;
  /** The highest token in the log. */
  knownToken?: number;
  /** Called when the primary has not released the lease, so that this waits until it has ended. */
  waiting?: (primary: LeaseBody) => void;
}

/** The lease in the hands of a command. */
export interface TakenLease {
  /** The lease that this one replaced; null if there was none. */
  before: LeaseBody | null;
  /** Whether that one was of this folder, so that no other machine was replaced. */
  wasOwn: boolean;
  /** @throws UserError if the lease was lost */
  require(): void;
  /** Gives it up, so that the server of this folder can take it at once. */
  release(): Promise<void>;
}

/** A released lease is taken at once, another one after 30 s. One that changes during this time is in use. */
const LONGEST_WAIT_MS = 60_000;

/**
 * Takes the lease for a data folder in place of another machine, and renews it until `release`. The caller holds the
 * lock of the folder.
 * @throws UserError if the primary acts, or may act
 */
export async function takeLease(options: TakeLeaseOptions): Promise<TakenLease> {
  const { data_dir, store, seal, clock, steady, primaryIsOff, knownToken } = options;
  const found = await new StoreLeasePort(store, false).read();
  const before = found && (await openBody(found.body, seal));
  if (found && !before) throw new UserError(`${store.place}/primary is damaged, or belongs to another installation.`);
  const mode = before?.mode ?? "standby";
  const holder = readHolder(data_dir);
  const wasOwn = before !== null && isOwn(holder, before);
  const view = new HeldView(steady);
  const port = new StoreLeasePort(store, mode === "standby");
  const lease = new Lease({ port, seal, holder, mode, clock, steady, view });
  const end = new AbortController();
  const taken = Promise.withResolvers<void>();
  const isRefused = mode === "alone" && !wasOwn && !primaryIsOff;
  if (before && !before.released && !isRefused) options.waiting?.(before);
  const stopTimer = clock.after(LONGEST_WAIT_MS, () => {
    taken.reject(new UserError(stillActive(before)));
    end.abort();
  });
  const kept = keepLease(
    {
      lease,
      clock,
      acquire: { promote: true, primaryIsOff, ...(knownToken === undefined ? {} : { knownToken }) },
      gained: taken.resolve,
      failed: (error) => {
        // Of the settings or the store: waiting does not help.
        if (lease.loss === null && !lease.held) taken.reject(error);
      },
    },
    end.signal,
  ).catch((error: unknown) => taken.reject(error));
  try {
    await taken.promise;
  } catch (error) {
    end.abort();
    await kept;
    throw explained(error);
  } finally {
    stopTimer();
  }
  return {
    before,
    wasOwn,
    require() {
      if (!lease.held) throw new UserError("The lease was lost, because the store could not be reached. Try again.");
    },
    async release() {
      end.abort();
      await kept;
      await lease.release();
    },
  };
}

function stillActive(before: LeaseBody | null): string {
  return `${before?.name ?? "Another machine"} renews its lease, so it still acts. Stop the server there first: a server that stops releases the lease at once.`;
}

function explained(error: unknown): unknown {
  if (!(error instanceof LeaseFault)) return error;
  if (error.reason !== "alone") return new UserError(error.message);
  return new UserError(`${error.message} Then repeat the command with --primary-is-off.`);
}
