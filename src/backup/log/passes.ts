import type { Failures } from "./failures.ts";

/** Runs the passes of a writer one after another. */
export class Passes {
  #running: Promise<boolean> | null = null;

  /** @param pass one pass; @param failures notes those without a success between them */
  constructor(
    private readonly pass: (flush: boolean) => Promise<boolean>,
    private readonly failures: Failures,
  ) {}

  /** Resolves when the pass that runs now has ended, in any way. */
  async ended(): Promise<void> {
    await this.#running?.catch(() => {});
  }

  /** Waits for the pass that runs now, or runs one. */
  async join(): Promise<void> {
    await (this.#running ?? this.run(false));
  }

  /** Runs a pass after those that run now. */
  run(flush: boolean): Promise<boolean> {
    const run: Promise<boolean> = this.ended()
      .then(() => this.pass(flush))
      .then((isClean) => {
        this.failures.clear();
        return isClean;
      })
      .catch((error) => {
        this.failures.note(error);
        throw error;
      })
      .finally(() => {
        if (this.#running === run) this.#running = null;
      });
    this.#running = run;
    return run;
  }
}
