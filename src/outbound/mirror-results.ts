import type { PendingChange } from "../mailbox/pending-changes.ts";

/** Why a change has to wait: its message is not where we think, or the server cannot at present. */
export type Wait = "missing" | "unavailable";

interface Verdict {
  accepted: boolean;
  waits: Wait | null;
  refused: string | null;
}

/**
 * What the server said to each change. A message may have copies in several folders: one that took the change is enough;
 * else waiting for one is better than giving up on all.
 */
export class Results {
  readonly #verdicts = new Map<PendingChange, Verdict>();

  accept(changes: Iterable<PendingChange>): void {
    for (const change of changes) this.#of(change).accepted = true;
  }

  wait(changes: Iterable<PendingChange>, why: Wait): void {
    for (const change of changes) this.#of(change).waits ??= why;
  }

  refuse(changes: Iterable<PendingChange>, reason: string): void {
    for (const change of changes) this.#of(change).refused ??= reason;
  }

  get accepted(): PendingChange[] {
    return this.#where(({ accepted }) => accepted);
  }

  get waiting(): Map<PendingChange, Wait> {
    const waiting = this.#where(({ accepted, waits }) => !accepted && waits !== null);
    return new Map(waiting.map((change) => [change, this.#of(change).waits!]));
  }

  /** By reason. */
  get refused(): Map<string, PendingChange[]> {
    const refused = this.#where(({ accepted, waits, refused }) => !accepted && waits === null && refused !== null);
    return Map.groupBy(refused, (change) => this.#of(change).refused!);
  }

  #where(test: (verdict: Verdict) => boolean): PendingChange[] {
    return [...this.#verdicts].filter(([, verdict]) => test(verdict)).map(([change]) => change);
  }

  #of(change: PendingChange): Verdict {
    let verdict = this.#verdicts.get(change);
    if (!verdict) {
      verdict = { accepted: false, waits: null, refused: null };
      this.#verdicts.set(change, verdict);
    }
    return verdict;
  }
}
