import type { SteadyReading } from "../../kernel/clock.ts";
import { isoTime } from "../../kernel/clock.ts";
import type { LeaseBody, LeaseMode } from "./body.ts";
import { LeaseFault } from "./faults.ts";
import { type Holder, hasEnded, isOwn } from "./holder.ts";
import { Wait } from "./timing.ts";

export interface AcquireOptions {
  signal?: AbortSignal;
  /**
   * Take over from another machine. Only for a folder that follows its change log: it must apply the rest of the log
   * after this and before it acts. Without this, a lease of another machine is "superseded".
   */
  promote?: boolean;
  /** A person confirms that the primary, which acts without the lease, is off. */
  primaryIsOff?: boolean;
  /** The highest token in the change log: the new one is higher, even if the object was deleted. */
  knownToken?: number;
}

/** How long the newest version of the object has been the newest. */
export class Sight {
  #wait: Wait | null = null;
  #etag: string | null = null;
  #changed = false;

  /** Whether another version appeared since the first look. */
  get changed(): boolean {
    return this.#changed;
  }

  /** @param etag of the version that a look found; null if there is no object @param now after the answer arrived */
  see(etag: string | null, now: SteadyReading): void {
    if (this.#wait && etag === this.#etag) return;
    this.#changed = this.#wait !== null;
    this.#etag = etag;
    this.#wait = new Wait(now);
  }

  /** @returns ms since this version was first seen, never more than really passed */
  quietMs(now: SteadyReading): number {
    return this.#wait?.elapsedMs(now) ?? 0;
  }
}

export interface Situation {
  /** The newest version; null if there is no object. */
  body: LeaseBody | null;
  holder: Holder;
  mode: LeaseMode;
  /** Whether the version was unchanged for the whole wait. */
  isQuiet: boolean;
  /** Whether it changed since the first look. */
  changed: boolean;
}

/**
 * Decides whether a process may take the lease now, because no other one acts.
 * @returns false: not yet
 * @throws LeaseFault superseded, alone, active, if waiting does not help
 */
export function mayTake({ body, holder, mode, isQuiet, changed }: Situation, options: AcquireOptions): boolean {
  // Someone may have deleted the object while its holder acts.
  if (!body) return isQuiet || (mode === "alone" && !options.promote);
  const isOurs = isOwn(holder, body);
  if (!isOurs && !options.promote) throw supersededBy(body, body);
  // This process does not act, because it is asking.
  if (body.released || body.session === holder.session || hasEnded(holder, body)) return true;
  if (isOurs && mode === "alone" && !options.promote) return true;
  if (!isOurs && body.mode === "alone") {
    if (!options.primaryIsOff) {
      throw new LeaseFault(
        "alone",
        `${body.name} acts without being asked, because backup.standby is not set there. Make sure that it is off and stays off, and confirm this.`,
        body,
      );
    }
    if (changed) {
      throw new LeaseFault("active", `${body.name} is not off: it has just written to its backup place.`, body);
    }
  }
  return isQuiet;
}

/** Returns the fault for a folder that lacks the changes of another machine. @param body the lease of that machine, if it was read */
export function supersededBy(by: { name: string; takenAt: number }, body: LeaseBody | null = null): LeaseFault {
  return new LeaseFault(
    "superseded",
    `${by.name} has been the primary since ${isoTime(by.takenAt)}. This folder does not have what happened there since, so this server does not act.`,
    body,
  );
}
