/** Runs at most `width` tasks per key at the same time; the others wait in order of arrival. */
export class KeyedSemaphore {
  readonly #running = new Map<string, number>();
  readonly #waiting = new Map<string, (() => void)[]>();

  constructor(private readonly width: number) {}

  /** Returns whether tasks of this key are running. */
  isBusy(key: string): boolean {
    return this.#running.has(key);
  }

  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const running = this.#running.get(key) ?? 0;
    if (running >= this.width) {
      const line = this.#waiting.get(key) ?? [];
      this.#waiting.set(key, line);
      await new Promise<void>((start) => line.push(start));
    } else {
      this.#running.set(key, running + 1);
    }
    try {
      return await task();
    } finally {
      const next = this.#waiting.get(key)?.shift();
      if (this.#waiting.get(key)?.length === 0) this.#waiting.delete(key);
      // The next waiting task takes over the slot.
      if (next) next();
      else if (this.#running.get(key) === 1) this.#running.delete(key);
      else this.#running.set(key, this.#running.get(key)! - 1);
    }
  }
}
