import type { Clock, SteadyClock, SteadyReading } from "../../kernel/clock.ts";
import { StoreFault } from "../../platform/objects/store.ts";
import { type BodySeal, type LeaseBody, type LeaseMode, newId } from "./body.ts";
import { LeaseFault, type Loss, type LossReason } from "./faults.ts";
import type { HeldView } from "./held.ts";
import { type Holder, isOwn, withTaken } from "./holder.ts";
import { faultOf, isOpen, LeaseObject, type OwnVersion, type Version } from "./object.ts";
import { pause } from "./pause.ts";
import type { LeasePort } from "./port.ts";
import { type AcquireOptions, mayTake, Sight, supersededBy } from "./takeover.ts";
import { ACT_MS, after, type Deadline, hasPassed, POLL_MS, WAIT_MS } from "./timing.ts";

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
  /** For tests, which show that a shorter time is not safe. */
  waitMs?: number;
}

const WRITE_ATTEMPTS = 3;
/** Longest pause of `acquire` while the store is away, ms. A server that acts without the lease can wait longer. */
const LONGEST_PAUSE_MS: Record<LeaseMode, number> = { standby: 10_000, alone: 60_000 };
/** One wrong answer must not count as damage. */
const UNREADABLE_ATTEMPTS = 3;

/**
 * The right of one machine to act (send, sync, deliver), kept in one object of a store. It has no timers except the
 * pauses of `acquire`; `keepLease` renews it. docs/decisions/0041-lease.md describes the protocol. `Log` is what the
 * change log keeps in the object; the object is sealed, and the lease does not check this part.
 */
export class Lease<Log = unknown> {
  readonly #object: LeaseObject;
  #current: Version | null = null;
  #renewed: SteadyReading | null = null;
  #deadline: Deadline | null = null;
  #loss: Loss | null = null;
  readonly #listeners = new Set<(loss: Loss) => void>();
  #queue: Promise<unknown> = Promise.resolve();
  #acquiring = new AbortController();

  constructor(protected readonly parts: LeaseParts) {
    const { port, seal, steady, mode, holder, view } = parts;
    this.#object = new LeaseObject(port, seal, steady);
    if (mode === "alone" && !holder.memory.supersededBy) view.allow();
  }

  /** Whether the lease is held. A lease that was late once is lost, even if a clock is set back afterwards. */
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

  /** The newest version that is known. */
  get body(): LeaseBody | null {
    return this.#current?.body ?? null;
  }

  /** What the change log keeps in the newest version that is known: after `acquire`, from the holder before; null before its first segment. */
  get log(): Log | null {
    return (this.body?.log ?? null) as Log | null;
  }

  /** Time since the newest renewal was sent, ms; null if the lease is not held. */
  get sinceRenewalMs(): number | null {
    if (!this.held || !this.#renewed) return null;
    return this.parts.steady.read().monotonic - this.#renewed.monotonic;
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
    const signals = [this.#acquiring.signal, ...(options.signal ? [options.signal] : [])];
    const signal = AbortSignal.any(signals);
    await this.#inTurn(async () => {
      if (this.check()) return;
      const { clock, holder, mode } = this.parts;
      if (holder.memory.supersededBy && !options.promote) throw supersededBy(holder.memory.supersededBy);
      this.#object.forget();
      const sight = new Sight();
      for (let failures = 0; ; ) {
        signal.throwIfAborted();
        try {
          if (await this.#takeIfSafe(await this.#object.read(), sight, options)) return;
          failures = 0;
        } catch (error) {
          failures++;
          const reason = error instanceof LeaseFault ? error.reason : null;
          const mayPass = reason === "unavailable" || (reason === "unreadable" && failures < UNREADABLE_ATTEMPTS);
          if (!mayPass) throw error;
        }
        await pause(clock, Math.min(POLL_MS * 2 ** failures, LONGEST_PAUSE_MS[mode]), signal);
      }
    });
  }

  /**
   * Renews the lease, and replaces what the change log keeps in the object. When it returns, the object has exactly
   * this, and no other machine has taken over before. Renewals run one after the other.
   * @param log without it, the last one stays
   * @throws LeaseFault lost; unavailable, refused or unreadable, while the lease is still held until its deadline
   */
  async renew(log?: Log): Promise<void> {
    this.#requireHeld();
    await this.#inTurn(async () => {
      const nonces = new Set<string>();
      for (let attempt = 1; ; attempt++) {
        const { etag, body } = this.#requireHeld();
        const next = this.#next(body, log === undefined ? {} : { log });
        nonces.add(next.nonce);
        try {
          return this.#extend(await this.#object.write(next, { etag }));
        } catch (error) {
          if (!isOpen(error)) throw faultOf(error);
          const newest = this.#judge(await this.#object.read());
          if (nonces.has(newest.body.nonce)) return;
          if (attempt >= WRITE_ATTEMPTS) throw faultOf(error);
        }
      }
    });
  }

  /**
   * Stops acting, and says so in the store, so that another machine can take over at once. Call it when everything that
   * acts has stopped. Listeners of `onLost` are not called.
   * @returns whether the store has it
   */
  async release(): Promise<boolean> {
    this.#acquiring.abort(new LeaseFault("lost", "The lease was given up."));
    this.#acquiring = new AbortController();
    const before = this.check() ? null : (this.#loss?.reason ?? null);
    this.#end("released", null);
    return this.#inTurn(async () => {
      // An acquisition may have succeeded before it saw the signal.
      const isAgain = this.#loss === null;
      if (isAgain) this.#end("released", null);
      if (!this.#current || !(isAgain || before === null || before === "late")) return false;
      return this.#writeRelease(this.#current);
    });
  }

  /** Returns the end of a lease whose newest version was sent at this moment. */
  protected deadlineOf(sent: SteadyReading): Deadline {
    return after(sent, ACT_MS);
  }

  /** @returns false if it is too early, another process was faster, or the answer came too late */
  async #takeIfSafe(found: Version | null, sight: Sight, options: AcquireOptions): Promise<boolean> {
    const { holder, steady, mode, waitMs = WAIT_MS } = this.parts;
    const own = found && this.#object.own(found);
    if (own && this.#begin(own)) return true;
    const now = steady.read();
    sight.see(found?.etag ?? null, now);
    const isQuiet = sight.quietMs(now) >= waitMs;
    const body = found?.body ?? null;
    try {
      if (!mayTake({ body, holder, mode, isQuiet, changed: sight.changed }, options)) return false;
    } catch (error) {
      if (error instanceof LeaseFault && error.reason === "superseded" && body) this.#yieldTo(body);
      throw error;
    }
    const token = Math.max(body?.token ?? 0, holder.memory.token, options.knownToken ?? 0) + 1;
    // Before the store has it, so that this folder recognizes its lease after a crash.
    holder.remember(withTaken(holder.memory, holder.session, token));
    try {
      const condition = found ? { etag: found.etag } : { absent: true as const };
      return this.#begin(await this.#object.write(this.#first(token, body?.log ?? null), condition));
    } catch (error) {
      if (error instanceof StoreFault && error.reason === "conflict") return false;
      throw faultOf(error);
    }
  }

  #begin(version: OwnVersion): boolean {
    const { holder, mode, steady } = this.parts;
    if (mode === "standby" && hasPassed(this.deadlineOf(version.sent), steady.read())) return false;
    if (holder.memory.supersededBy) holder.remember({ ...holder.memory, supersededBy: null });
    this.#current = version;
    this.#loss = null;
    this.#deadline = null;
    this.#extend(version);
    return true;
  }

  /** Takes over a version that the store has. The lease that it extends must not have ended. */
  #extend(version: OwnVersion): void {
    this.#requireHeld();
    const { mode, view } = this.parts;
    this.#current = version;
    this.#renewed = version.sent;
    if (mode === "alone") {
      view.allow();
      return;
    }
    this.#deadline = this.deadlineOf(version.sent);
    this.#requireHeld();
    view.extend(this.#deadline, version.body.token);
  }

  async #writeRelease(last: Version): Promise<boolean> {
    let { etag, body } = last;
    for (let attempt = 1; attempt <= WRITE_ATTEMPTS; attempt++) {
      const write = this.#object.write(this.#next(body, { released: true }), { etag });
      if (await write.catch(() => null)) return true;
      const found = await this.#object.read().catch(() => null);
      if (found && (found.body.session !== body.session || found.body.token !== body.token)) return false;
      if (found?.body.released) return true;
      // After a read that failed, the condition decides whether the last version that is known is the newest.
      if (found) ({ etag, body } = found);
    }
    return false;
  }

  /** Finds out from the newest version what became of a write. @returns the newest one, if ours @throws LeaseFault lost */
  #judge(found: Version | null): Version {
    const held = this.#requireHeld();
    if (found?.etag === held.etag) return held;
    const own = found && this.#object.own(found);
    if (own) this.#extend(own);
    // Some stores name a version in another way when it is read than when it was written.
    else if (found?.body.nonce === held.body.nonce) this.#current = found;
    else if (found && this.#isEarlier(found, held)) this.#lose("missing", null);
    else if (found) this.#yieldTo(found.body);
    else this.#lose("missing", null);
    return this.#requireHeld();
  }

  /** Returns whether someone put back a version of this process, or of an earlier one of this folder. */
  #isEarlier(found: Version, held: Version): boolean {
    if (this.#object.wrote(found)) return true;
    return found.body.token < held.body.token && isOwn(this.parts.holder, found.body);
  }

  /**
   * Ends acting for another process, and remembers it, so that this folder does not act after a restart without the
   * store either. A version that has this session but no nonce of it is from a virtual machine cloned while it ran.
   */
  #yieldTo(body: LeaseBody): void {
    const { holder } = this.parts;
    const { token, name, takenAt } = body;
    this.#lose("taken", body);
    // The next takeover gets a higher token, even if someone deletes the object or puts back an older version.
    const highest = Math.max(holder.memory.token, token);
    holder.remember({ ...holder.memory, token: highest, supersededBy: { token, name, takenAt } });
  }

  #requireHeld(): Version {
    if (this.check() && this.#current) return this.#current;
    throw new LeaseFault("lost", "This server does not hold the lease.", this.#loss?.by ?? null);
  }

  #lose(reason: LossReason, by: LeaseBody | null): void {
    this.#end(reason, by);
    for (const listener of this.#listeners) listener({ reason, by });
  }

  #end(reason: LossReason, by: LeaseBody | null): void {
    this.#loss = { reason, by };
    this.#deadline = null;
    // A machine that acts alone does not need the object.
    if (this.parts.mode === "standby" || reason !== "missing") this.parts.view.revoke();
  }

  #first(token: number, log: unknown): LeaseBody {
    const { holder, mode, clock } = this.parts;
    const { id, session, boot, name } = holder;
    const now = clock.now();
    const state = { mode, released: false, takenAt: now, writtenAt: now, log };
    return { format: 1, token, holder: id, session, boot, nonce: newId(), name, ...state };
  }

  #next(body: LeaseBody, changes: Partial<LeaseBody>): LeaseBody {
    return { ...body, ...changes, nonce: newId(), writtenAt: this.parts.clock.now() };
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#queue.then(work);
    this.#queue = turn.catch(() => {});
    return turn;
  }
}
