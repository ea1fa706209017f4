import type { Clock, SteadyClock, SteadyReading } from "../../kernel/clock.ts";
import { type PutCondition, StoreFault } from "../../platform/objects/store.ts";
import { type BodySeal, type LeaseBody, type LeaseMode, newId, openBody, sealBody } from "./body.ts";
import { LeaseFault, type Loss, type LossReason } from "./faults.ts";
import type { HeldView } from "./held.ts";
import { type Holder, hasEnded, isOwn, withTaken } from "./holder.ts";
import type { LeasePort } from "./port.ts";
import { ACT_MS, after, type Deadline, hasPassed, POLL_MS, WAIT_MS, Wait } from "./timing.ts";

export interface LeaseParts {
  port: LeasePort;
  seal: BodySeal;
  holder: Holder;
  /**
   * - standby: another machine may take over, so this process acts only while it holds the lease
   * - alone: no other machine is expected. This process acts until it learns that another one has taken over
   */
  mode: LeaseMode;
  clock: Clock;
  steady: SteadyClock;
  /** Where all threads see whether they may act. */
  view: HeldView;
}

export interface AcquireOptions {
  signal?: AbortSignal;
  /**
   * Take over from another machine. Only for a folder that follows its change log: it must apply the rest of the log
   * after this and before it acts. Without this, a lease of another machine is "superseded".
   */
  promote?: boolean;
  /** A person confirms that the primary, which acts without the lease, is off. */
  primaryIsOff?: boolean;
}

/** A version of the object. */
interface Found {
  etag: string;
  body: LeaseBody;
}

const WRITE_ATTEMPTS = 3;
/** A damaged answer must be read again before it counts. */
const UNREADABLE_ATTEMPTS = 3;

/**
 * The right of one machine to act (send, sync, deliver), kept in one object of a store. It has no timers except the
 * pauses of `acquire`: `keepLease` renews it. See docs/decisions/0041-lease.md.
 */
export class Lease {
  #current: Found | null = null;
  #deadline: Deadline | null = null;
  #loss: Loss | null = null;
  /** Writes whose answer is unknown, by nonce, with the moment before each was sent. */
  readonly #sent = new Map<string, SteadyReading>();
  readonly #listeners = new Set<(loss: Loss) => void>();
  #queue: Promise<unknown> = Promise.resolve();
  #stopAcquiring = new AbortController();

  constructor(private readonly parts: LeaseParts) {
    const { mode, holder, view } = parts;
    if (mode === "alone" && !holder.memory.supersededBy) view.allow(0);
  }

  /** Returns whether the lease is held. A lease that is late once is lost, even if a clock is set back afterwards. */
  get held(): boolean {
    return this.check();
  }

  /** The fencing token of the lease; 0 if it is not held. */
  get token(): number {
    return this.held ? (this.#current?.body.token ?? 0) : 0;
  }

  /** Until when the holder acts; null if the lease is not held, or in the mode "alone". */
  get deadline(): Deadline | null {
    return this.held ? this.#deadline : null;
  }

  /** Content of the newest version that is known; after `acquire`, with the log of the holder before. */
  get body(): LeaseBody | null {
    return this.#current?.body ?? null;
  }

  /** How the last lease ended; null while it is held and before the first one. */
  get loss(): Loss | null {
    return this.#loss;
  }

  /** Calls a function when the lease is lost. It must stop everything that acts, at once. @returns removes it */
  onLost(listener: (loss: Loss) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Ends the lease if its time is over. Call it at least every second. @returns whether it is held */
  check(): boolean {
    if (this.#loss || !this.#current) return false;
    if (this.#deadline && hasPassed(this.#deadline, this.parts.steady.read())) this.#lose("late", null);
    return this.#loss === null;
  }

  /**
   * Waits until this process holds the lease. Faults of the store that may pass are repeated until the signal aborts.
   * @throws LeaseFault superseded, alone, active, unreadable, refused
   */
  async acquire(options: AcquireOptions = {}): Promise<void> {
    throw new LeaseFault("unavailable", String(options));
  }

  /**
   * Renews the lease, and replaces what the change log keeps in the object. When it returns, the object has exactly
   * this, and no other machine has taken over before. Renewals run one after the other.
   * @param log without it, the last one stays
   * @throws LeaseFault lost; unavailable, refused or unreadable, while the lease is still held until its deadline
   */
  async renew(log?: unknown): Promise<void> {
    throw new LeaseFault("unavailable", String(log));
  }

  /** Stops acting, and says so in the store, so that another machine can take over at once. @returns if the store has it */
  async release(): Promise<boolean> {
    return false;
  }

  #lose(reason: LossReason, by: LeaseBody | null): void {
    if (this.#loss) return;
    this.#loss = { reason, by };
    this.#deadline = null;
    this.parts.view.revoke();
    for (const listener of this.#listeners) listener(this.#loss);
  }
}
