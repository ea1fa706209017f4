import type { Clock } from "../../kernel/clock.ts";

/** Limit of open challenges. Beyond it, the oldest are dropped. */
const MAX_OPEN = 1_000;

/** One-time values that a browser must return in time. They are kept in memory, so a restart invalidates them. */
export class Challenges<T> {
  readonly #open = new Map<string, { value: T; expires_at: number }>();

  constructor(
    private readonly clock: Clock,
    private readonly lastsMs: number,
  ) {}

  put(name: string, value: T): void {
    for (const [oldest] of this.#open) {
      if (this.#open.size < MAX_OPEN) break;
      this.#open.delete(oldest);
    }
    this.#open.set(name, { value, expires_at: this.clock.now() + this.lastsMs });
  }

  /** Returns and removes the value of a name; null if the name is unknown, was already taken or has expired. */
  take(name: string): T | null {
    const found = this.#open.get(name);
    this.#open.delete(name);
    return found && found.expires_at > this.clock.now() ? found.value : null;
  }
}
