import type { ImapFlow } from "imapflow";
import type { Clock } from "../../kernel/clock.ts";

/** Priority of tasks on an account's single working connection. Lower values run first. */
export const PRIORITY = { interactive: 0, mirror: 1, newMail: 2, backfill: 3 } as const;
export type Priority = (typeof PRIORITY)[keyof typeof PRIORITY];

interface Waiting {
  priority: Priority;
  start: () => void;
}

/**
 * The task did not run: the connection was closed before it was open, the mailbox has no server or is not synced
 * now, or too many tasks wait.
 */
export class QueueClosed extends Error {
  override readonly name = "QueueClosed";
  constructor() {
    super("The mail server cannot be reached right now. Try again later.");
  }
}

/** The task was ended because there was no traffic on the connection for too long. */
export class QueueStalled extends Error {
  override readonly name = "QueueStalled";
  readonly code = "ETIMEDOUT";
  constructor() {
    super("The mail server stopped responding.");
  }
}

/** A task without traffic for this long is ended. Longer than a command may take on a silent socket, ms. */
export const STALL_MS = 120_000;

/** Limits the tasks waiting for one account. Further tasks are refused rather than queued without end. */
const MAX_WAITING = 200;

/**
 * One IMAP connection, used by one task at a time. Providers limit connections, and a command awaited inside another
 * command's fetch would never return. Interactive requests overtake sync batches, which are short.
 */
export class ConnectionQueue {
  #client: ImapFlow | null = null;
  #busy = false;
  #waiting: Waiting[] = [];
  /** Ends the wait for a connection that is being opened. */
  #giveUp: (() => void) | null = null;

  constructor(
    private readonly connect: () => Promise<ImapFlow>,
    private readonly clock: Clock,
  ) {}

  /** Returns true when a task of higher priority waits, so that a long task should end its turn. */
  wanted(than: Priority): boolean {
    return this.#waiting.some((entry) => entry.priority < than);
  }

  /**
   * Runs `task` with the connection, connecting first if necessary. A stalled task loses the connection and its turn,
   * so that it does not block others. @throws QueueStalled, QueueClosed
   */
  async run<T>(priority: Priority, task: (client: ImapFlow) => Promise<T>): Promise<T> {
    await this.#turn(priority);
    try {
      return await this.#bounded(async () => task(await this.#ready()));
    } finally {
      this.#next();
    }
  }

  /** Drops the connection. A running task fails; the next one reconnects. */
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
        stalled.reject(new QueueStalled());
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

  /** Returns the bytes transferred over the connection; null without one. */
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
      closed.reject(new QueueClosed());
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
    if (this.#waiting.length >= MAX_WAITING) throw new QueueClosed();
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
