import type { PendingChange } from "../../mailbox/changes/pending-changes.ts";

/** Why a change has to wait: its message is not where expected, or the server is unavailable at present. */
export type Wait = "missing" | "unavailable";

interface Verdict {
  accepted: boolean;
  waits: Wait | null;
  refused: string | null;
}

/**
 * The server's response to each change. A message may have copies in several folders. While one of them is unavailable,
 * the change waits, because otherwise that copy would undo it when found. A refusal is ignored if another copy accepted
 * the change.
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
    return this.#where(({ accepted, waits }) => accepted && waits === null);
  }

  get waiting(): Map<PendingChange, Wait> {
    const waiting = this.#where(({ waits }) => waits !== null);
    return new Map(waiting.map((change) => [change, this.#of(change).waits!]));
  }

  /** Returns whether a copy accepted the change, even if another one is pending. */
  hasTaken(change: PendingChange): boolean {
    return this.#of(change).accepted;
  }

  /** Returns refused changes by reason. */
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
