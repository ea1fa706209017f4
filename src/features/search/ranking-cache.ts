import type { Clock } from "../../kernel/clock.ts";

/** Pages of a search are asked for within minutes. */
const KEPT_MS = 120_000;
const MOST_KEPT = 40;

/** The last rankings, so that a walk over pages sees one order throughout. */
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
      if (this.#kept.size <= MOST_KEPT) break;
      this.#kept.delete(oldest);
    }
  }
}
