import type { ImapFlow } from "imapflow";
import type { Clock } from "../kernel/clock.ts";

/** Who goes first on the one working connection of an account. Lower is sooner. */
export const PRIORITY = { interactive: 0, mirror: 1, fresh: 2, backfill: 3 } as const;
export type Priority = (typeof PRIORITY)[keyof typeof PRIORITY];

interface Waiting {
  priority: Priority;
  start: () => void;
}

/** The account's server cannot be reached at present. */
export class LaneClosed extends Error {
  override readonly name = "LaneClosed";
  constructor(cause?: unknown) {
    super("The mail server cannot be reached right now. Try again later.", { cause });
  }
}

/** Nothing went over the connection for so long that the turn was ended. */
export class LaneStalled extends Error {
  override readonly name = "LaneStalled";
  readonly code = "ETIMEDOUT";
  constructor() {
    super("The mail server stopped responding.");
  }
}

/** A turn in which no byte comes or goes for this long is over: longer than a command may take on a silent socket, ms. */
export const STALL_MS = 120_000;

/** Bounds what waits for one account; a caller beyond it is refused rather than queued for ever. */
const MAX_WAITING = 200;

/**
 * One IMAP connection, used by one task at a time (providers limit connections; a command awaited inside another's fetch
 * would hang for ever). Interactive requests overtake sync batches, which are short.
 */
export class Lane {
  #client: ImapFlow | null = null;
  #busy = false;
  #waiting: Waiting[] = [];
  /** Ends the wait for a connection that is being made. */
  #giveUp: (() => void) | null = null;

  constructor(
    private readonly connect: () => Promise<ImapFlow>,
    private readonly clock: Clock,
  ) {}

  /** True when something of a higher rank waits: a long task should end its turn. */
  wanted(than: Priority): boolean {
    return this.#waiting.some((entry) => entry.priority < than);
  }

  /**
   * Runs `task` with the connection, connecting first when there is none. A task that has come to a standstill loses the
   * connection and its turn, so that it keeps nobody waiting for ever. @throws LaneStalled
   */
  async run<T>(priority: Priority, task: (client: ImapFlow) => Promise<T>): Promise<T> {
    await this.#turn(priority);
    try {
      return await this.#bounded(async () => task(await this.#ready()));
    } finally {
      this.#next();
    }
  }

  /** Drops the connection; a task that runs on it fails, the next one connects anew. */
  close(): void {
    const client = this.#client;
    this.#client = null;
    client?.close();
    this.#giveUp?.();
  }

  get connected(): boolean {
    return this.#client?.usable === true;
  }

  async #bounded<T>(turn: () => Promise<T>): Promise<T> {
    const stalled = Promise.withResolvers<never>();
    let cancel = () => {};
    const watch = (before: number | null) => {
      cancel = this.clock.after(STALL_MS, () => {
        const now = this.#traffic();
        if (now !== before) return watch(now);
        stalled.reject(new LaneStalled());
        this.close();
      });
    };
    watch(this.#traffic());
    try {
      return await Promise.race([stalled.promise, turn()]);
    } finally {
      cancel();
    }
  }

  /** Bytes that went over the connection; null without one. */
  #traffic(): number | null {
    if (!this.#client) return null;
    const { sent, received } = this.#client.stats();
    return sent + received;
  }

  async #ready(): Promise<ImapFlow> {
    if (this.#client?.usable) return this.#client;
    const connecting = this.connect();
    const closed = Promise.withResolvers<never>();
    let wanted = true;
    this.#giveUp = () => {
      wanted = false;
      closed.reject(new LaneClosed());
    };
    connecting.then(
      (client) => wanted || client.close(),
      () => {}, // reported below
    );
    try {
      const client = await Promise.race([connecting, closed.promise]);
      client.once("close", () => {
        if (this.#client === client) this.#client = null;
      });
      this.#client = client;
      return client;
    } finally {
      this.#giveUp = null;
    }
  }

  async #turn(priority: Priority): Promise<void> {
    if (!this.#busy) {
      this.#busy = true;
      return;
    }
    if (this.#waiting.length >= MAX_WAITING) throw new LaneClosed();
    await new Promise<void>((start) => {
      const at = this.#waiting.findIndex((entry) => entry.priority > priority);
      const entry = { priority, start };
      if (at < 0) this.#waiting.push(entry);
      else this.#waiting.splice(at, 0, entry);
    });
  }

  #next(): void {
    const next = this.#waiting.shift();
    if (next) next.start();
    else this.#busy = false;
  }
}
