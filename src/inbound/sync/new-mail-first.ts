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
  #resume = Promise.withResolvers<void>();

  constructor(private readonly clock: Pick<Clock, "after" | "now">) {}

  /** A server has announced new mail. */
  announced(account_id: string): void {
    this.#expecting.set(account_id, this.clock.now());
  }

  /** The new mail of an account is stored, or cannot be fetched now. */
  settled(account_id: string): void {
    if (!this.#expecting.delete(account_id)) return;
    this.#resume.resolve();
    this.#resume = Promise.withResolvers();
  }

  /** Waits before a piece of history of an account, for a bounded time, while other accounts have new mail. */
  async turnOfHistory(account_id: string): Promise<void> {
    const since = this.clock.now() - EXPECTED_MS;
    const othersExpect = () => [...this.#expecting].some(([id, at]) => id !== account_id && at > since);
    if (!othersExpect()) return;
    let isOver = false;
    const late = Promise.withResolvers<void>();
    const stopTimer = this.clock.after(MAX_WAIT_MS, () => {
      isOver = true;
      late.resolve();
    });
    while (!isOver && othersExpect()) await Promise.race([this.#resume.promise, late.promise]);
    stopTimer();
  }
}
