import type { CancelTimer, Clock } from "../../kernel/clock.ts";
import { yieldToEventLoop } from "../process/yielding.ts";
import { inSavepoint, isStorageFault } from "./faults.ts";
import type { Db } from "./open.ts";

interface Waiting {
  /** Makes the change; returns what tells its caller that it is on disk. @throws what the change throws */
  make(): () => void;
  fail(error: unknown): void;
}

/** Maximum wait of a patient change for others, ms. */
const PATIENCE_MS = 5;

/**
 * Commits the changes of several callers in one transaction, because each commit waits for the disk. Changes that are
 * asked for in the same turn of the event loop share a commit, in their order. A patient change waits for a few
 * milliseconds until another is asked for. A change that throws is undone alone; a fault of the disk undoes all of them.
 */
export class GroupCommit {
  #waiting: Waiting[] = [];
  /** Whether the commit of what waits is planned for the end of this turn. */
  #isPlanned = false;
  #stopTimer: CancelTimer = () => {};

  constructor(
    private readonly db: Pick<Db, "sql" | "write">,
    private readonly clock: Pick<Clock, "after">,
  ) {}

  /**
   * Makes a synchronous change. @returns its result, when it is on disk. @throws what it throws; it is undone then
   * @param options.patient another change is expected soon, whose commit this one waits for
   */
  write<T>(change: () => T, { patient = false }: { patient?: boolean } = {}): Promise<T> {
    return new Promise<T>((resolve, fail) => {
      const make = () => {
        const result = change();
        return () => resolve(result);
      };
      this.#waiting.push({ make, fail });
      if (!patient) this.#plan();
      else if (this.#waiting.length === 1) this.#stopTimer = this.clock.after(PATIENCE_MS, () => this.#commit());
    });
  }

  #plan(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    void yieldToEventLoop().then(() => this.#commit());
  }

  #commit(): void {
    this.#stopTimer();
    this.#isPlanned = false;
    const group = this.#waiting;
    this.#waiting = [];
    if (group.length === 0) return;
    try {
      const made = this.db.write(() =>
        group.length === 1 ? [group[0]!.make()] : group.map((one) => this.#alone(one)),
      );
      for (const tell of made) tell();
    } catch (error) {
      for (const { fail } of group) fail(error);
    }
  }

  /** Makes one of several changes in a savepoint. */
  #alone({ make, fail }: Waiting): () => void {
    try {
      return inSavepoint(this.db, "grouped", make);
    } catch (error) {
      if (isStorageFault(error)) throw error;
      return () => fail(error);
    }
  }
}
