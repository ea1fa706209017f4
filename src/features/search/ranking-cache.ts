import type { Clock } from "../../kernel/clock.ts";

/** Further pages of a search are usually requested within minutes. */
const KEPT_MS = 120_000;
const MAX_KEPT = 40;

/** Caches the latest rankings, so that all pages of a search have one order. */
export class RankingCache<T> {
  readonly #kept = new Map<string, { ranking: T; until: number }>();

  constructor(private readonly clock: Clock) {}

  get(key: string): T | null {
    const found = this.#kept.get(key);
    if (!found || found.until < this.clock.now()) return null;
    return found.ranking;
  }

  set(key: string, ranking: T): void {
    this.#kept.delete(key);
    this.#kept.set(key, { ranking, until: this.clock.now() + KEPT_MS });
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MAX_KEPT) break;
      this.#kept.delete(oldest);
    }
  }
}
