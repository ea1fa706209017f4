import type { Clock } from "../../kernel/clock.ts";

/** More than this many begun and not ended, and the oldest are forgotten. */
const MOST = 1_000;

/** What was handed out to a browser and must come back once, in time: kept in memory, a restart makes them void. */
export class Challenges<T> {
  readonly #open = new Map<string, { value: T; expires_at: number }>();

  constructor(
    private readonly clock: Clock,
    private readonly lastsMs: number,
  ) {}

  put(name: string, value: T): void {
    for (const [oldest] of this.#open) {
      if (this.#open.size < MOST) break;
      this.#open.delete(oldest);
    }
    this.#open.set(name, { value, expires_at: this.clock.now() + this.lastsMs });
  }

  /** What belongs to a name, once; null when it is unknown, was taken before, or is too old. */
  take(name: string): T | null {
    const found = this.#open.get(name);
    this.#open.delete(name);
    return found && found.expires_at > this.clock.now() ? found.value : null;
  }
}
