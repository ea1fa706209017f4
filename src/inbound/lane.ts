import type { ImapFlow } from "imapflow";

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
    super("The mail server cannot be reached at present.", { cause });
  }
}

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
  #connecting: Promise<ImapFlow> | null = null;
  /** Counts `close`, for a connection that is still being made then. */
  #closed = 0;

  constructor(private readonly connect: () => Promise<ImapFlow>) {}

  /** True when something of a higher rank waits: a long task should end its turn. */
  wanted(than: Priority): boolean {
    return this.#waiting.some((entry) => entry.priority < than);
  }

  /** Runs `task` with the connection, connecting first when there is none. */
  async run<T>(priority: Priority, task: (client: ImapFlow) => Promise<T>): Promise<T> {
    await this.#turn(priority);
    try {
      return await task(await this.#ready());
    } finally {
      this.#next();
    }
  }

  /** Drops the connection; a task that runs on it fails, the next one connects anew. */
  close(): void {
    const client = this.#client;
    this.#client = null;
    this.#closed++;
    client?.close();
  }

  get connected(): boolean {
    return this.#client?.usable === true;
  }

  async #ready(): Promise<ImapFlow> {
    if (this.#client?.usable) return this.#client;
    this.#connecting ??= this.connect();
    const closed = this.#closed;
    try {
      const client = await this.#connecting;
      if (closed !== this.#closed) {
        client.close();
        throw new LaneClosed();
      }
      client.once("close", () => {
        if (this.#client === client) this.#client = null;
      });
      this.#client = client;
      return client;
    } finally {
      this.#connecting = null;
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
