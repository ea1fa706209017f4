import type { SteadyClock } from "../../kernel/clock.ts";
import type { Deadline } from "./timing.ts";

/** Thrown instead of acting, when this server does not hold the lease. */
export class NotActing extends Error {
  override readonly name = "NotActing";

  constructor() {
    super("This server does not act: it does not hold the lease, or another machine has taken over.");
  }
}

const [WALL, BOOT, TOKEN] = [0, 1, 2];
const FIELDS = 3;
/** Later than any reading of a clock. */
const ALWAYS = 2n ** 62n;

/**
 * The answer to "may this process act, and until when?", in memory that all threads share. Checking it takes
 * microseconds and waits for nothing, so it is checked immediately before each effect outside of the machine.
 *
 * The thread of the lease writes, all others read. The memory has a moment on the two clocks that are the same in all
 * threads; `performance.now()` begins at 0 in each. A reader that sees one old and one new value while both change gets
 * a moment that is valid, too: each is the end of a lease that this process holds, or 0.
 */
export class HeldView {
  readonly #cells: BigInt64Array;

  /** @param buffer of the view of another thread; by default a new view, which permits nothing */
  constructor(
    private readonly steady: SteadyClock,
    readonly buffer: SharedArrayBuffer = new SharedArrayBuffer(FIELDS * BigInt64Array.BYTES_PER_ELEMENT),
  ) {
    this.#cells = new BigInt64Array(buffer);
  }

  /** The fencing token under which this process acts; 0 if it does not act, or acts without the lease. */
  get token(): number {
    return Number(Atomics.load(this.#cells, TOKEN));
  }

  /** Permits acting until a moment, under a token. Only the lease calls this. */
  extend(deadline: Deadline, token: number): void {
    this.#set(micros(deadline.wall), micros(deadline.boot), token);
  }

  /** Permits acting until `revoke`, when no other machine is expected to take over. */
  allow(): void {
    this.#set(ALWAYS, ALWAYS, 0);
  }

  /** Ends acting at once, in all threads. */
  revoke(): void {
    this.#set(0n, 0n, 0);
  }

  /** Returns whether this process may act now. @param token only under this token, such as that of the claim of a send */
  mayAct(token?: number): boolean {
    const [wall, boot] = [Atomics.load(this.#cells, WALL), Atomics.load(this.#cells, BOOT)];
    // Read after the moment, and written before it: the moment is never that of a later token.
    if (token !== undefined && token !== this.token) return false;
    if (wall === 0n || boot === 0n) return false;
    if (wall === ALWAYS && boot === ALWAYS) return true;
    const now = this.steady.read();
    return micros(now.wall) < wall && micros(now.boot) < boot;
  }

  /** Call it immediately before an effect outside of the machine. @throws NotActing */
  assertActing(token?: number): void {
    if (!this.mayAct(token)) throw new NotActing();
  }

  #set(wall: bigint, boot: bigint, token: number): void {
    Atomics.store(this.#cells, TOKEN, BigInt(token));
    Atomics.store(this.#cells, WALL, wall);
    Atomics.store(this.#cells, BOOT, boot);
  }
}

/** Rounds down, so that a deadline is never later than it was. */
function micros(ms: number): bigint {
  return BigInt(Math.floor(ms * 1_000));
}
