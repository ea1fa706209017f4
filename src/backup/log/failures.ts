import type { Clock } from "../../kernel/clock.ts";

/** Failures without a success between them. */
export class Failures {
  #since = 0;
  #count = 0;
  #message: string | null = null;

  constructor(private readonly clock: Clock) {}

  get count(): number {
    return this.#count;
  }

  /** Since the first one, ms; null if there is none. */
  get since(): number | null {
    return this.#count > 0 ? this.#since : null;
  }

  get message(): string | null {
    return this.#message;
  }

  note(error: unknown): void {
    if (this.#count === 0) this.#since = this.clock.now();
    this.#count++;
    this.#message = error instanceof Error ? error.message : String(error);
  }

  clear(): void {
    this.#count = 0;
    this.#message = null;
  }
}
