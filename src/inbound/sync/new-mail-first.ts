import type { Clock } from "../../kernel/clock.ts";

/** History waits no longer than this for new mail, so that a mailbox with constant new mail does not stop it. */
const MAX_WAIT_MS = 300;
/** Mail that is not stored after this time cannot be fetched quickly, and nothing waits for it. */
const EXPECTED_MS = 5_000;

/**
 * Lets new mail of any mailbox pass before the history of the others. All mailboxes share one thread. Each answer of the
 * server to the task that fetches new mail would otherwise wait for a commit of history, several times for one message.
 */
export class NewMailFirst {
  /** Accounts with new mail that is not stored yet, and since when, ms. */
  readonly #expecting = new Map<string, number>();
  /** By account. */
  readonly #listeners = new Map<string, () => void>();
  #resume = Promise.withResolvers<void>();

  constructor(private readonly clock: Pick<Clock, "after" | "now">) {}

  /** A server has announced new mail. */
  announced(account_id: string): void {
    this.#expecting.set(account_id, this.clock.now());
    this.#listeners.get(account_id)?.();
    this.#wake();
  }

  /** Calls `listener` for each announcement to an account, instead of an earlier one. @returns ends it */
  onAnnounced(account_id: string, listener: () => void): () => void {
    this.#listeners.set(account_id, listener);
    return () => {
      if (this.#listeners.get(account_id) === listener) this.#listeners.delete(account_id);
    };
  }

  /** The new mail of an account is stored, or cannot be fetched now. */
  settled(account_id: string): void {
    if (this.#expecting.delete(account_id)) this.#wake();
  }

  /**
   * Waits before a piece of history of an account, for a bounded time, while other accounts have new mail. If the
   * account has new mail itself, it needs its connection for that, and waits no longer.
   */
  async turnOfHistory(account_id: string): Promise<void> {
    const since = this.clock.now() - EXPECTED_MS;
    const mustWait = () => {
      const expecting = [...this.#expecting].filter(([, announced]) => announced > since).map(([id]) => id);
      return expecting.length > 0 && !expecting.includes(account_id);
    };
    if (!mustWait()) return;
    let isOver = false;
    const late = Promise.withResolvers<void>();
    const stopTimer = this.clock.after(MAX_WAIT_MS, () => {
      isOver = true;
      late.resolve();
    });
    while (!isOver && mustWait()) await Promise.race([this.#resume.promise, late.promise]);
    stopTimer();
  }

  #wake(): void {
    this.#resume.resolve();
    this.#resume = Promise.withResolvers();
  }
}
