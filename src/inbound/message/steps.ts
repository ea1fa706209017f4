import type { Accounts } from "../../mailbox/accounts/accounts.ts";
import { ownerOf } from "../../mailbox/accounts/owner.ts";
import type { Folders } from "../../mailbox/store/folders.ts";
import { inSavepoint, isStorageFault } from "../../platform/db/faults.ts";
import type { JobHandler } from "../../platform/jobs/runner.ts";
import { errorFields } from "../../platform/log.ts";
import type { Platform } from "../../platform/platform.ts";
import type { Arrival, InboundStep } from "./arrival.ts";
import { type FailedStep, FailedSteps } from "./failed-steps.ts";

/** Retries failed steps of arriving mail. At most one such job is pending. */
export const RETRY_STEPS_JOB = "retry-steps";

/** Failed steps that one job attempt retries, each in its own transaction. */
const MAX_AT_ONCE = 100;

export interface StepsParts {
  platform: Platform;
  accounts: Accounts;
  folders: Folders;
  steps: readonly InboundStep[];
  /** The program's version. */
  version: string;
}

/**
 * Runs the steps of arriving mail. A step that fails for a message is undone for that message only, recorded in the
 * same transaction, and retried with growing delays. A database or disk fault is not the step's: it ends the batch.
 */
export class Steps {
  readonly #failed: FailedSteps;

  constructor(private readonly parts: StepsParts) {
    this.#failed = new FailedSteps(parts.platform, parts.version);
  }

  /** Runs all steps over a batch. The caller holds the transaction. @throws database and disk faults */
  run(arrivals: readonly Arrival[]): void {
    if (arrivals.length === 0) return;
    // Step by step instead of message by message: a single savepoint serves the whole batch.
    for (const step of this.parts.steps) {
      if (this.#together(step, arrivals)) continue;
      for (const arrival of arrivals) this.#alone(step, arrival);
    }
  }

  /**
   * Handles the usual case with one savepoint for the whole batch. @returns false, with nothing written, when the step
   * fails for a message
   */
  #together(step: InboundStep, arrivals: readonly Arrival[]): boolean {
    try {
      inSavepoint(this.parts.platform.db, "step", () => {
        for (const arrival of arrivals) step.run(arrival);
      });
      return true;
    } catch (error) {
      if (isStorageFault(error)) throw error;
      return false;
    }
  }

  #alone(step: InboundStep, arrival: Arrival): void {
    try {
      inSavepoint(this.parts.platform.db, "step", () => step.run(arrival));
    } catch (error) {
      if (isStorageFault(error)) throw error;
      const next_at = this.#failed.add(step.name, arrival);
      this.#enqueue(next_at);
      this.#log(step.name, arrival.imported.message_id, 1, next_at, error);
    }
  }

  /** Runs the jobs of kind RETRY_STEPS_JOB. */
  readonly handler: JobHandler = {
    concurrency: 1,
    run: async () => {
      const next_at = this.retry();
      return next_at === null ? { outcome: "done" } : { outcome: "retry", run_at: next_at };
    },
  };

  /** At startup: makes steps due that an earlier version gave up, and queues a job for those that wait. */
  resume(): void {
    const { db } = this.parts.platform;
    db.write(() => {
      this.#failed.reviveOfOtherVersions();
      const next_at = this.#failed.nextDue();
      if (next_at !== null) this.#enqueue(next_at);
    });
  }

  /**
   * Retries due steps, those of one message in the order of the steps. @returns when to check again, ms; null when
   * nothing waits
   */
  retry(): number | null {
    const { clock } = this.parts.platform;
    const order = new Map(this.parts.steps.map(({ name }, index) => [name, index]));
    const due = this.#failed.due(MAX_AT_ONCE);
    const rank = ({ step }: FailedStep) => order.get(step) ?? 0;
    for (const failed of due.toSorted((a, b) => rank(a) - rank(b))) this.#again(failed);
    const next_at = this.#failed.nextDue();
    return next_at === null ? null : Math.max(next_at, clock.now());
  }

  #again(failed: FailedStep): void {
    const { db } = this.parts.platform;
    try {
      db.write(() => this.#runAgain(failed));
    } catch (error) {
      if (isStorageFault(error)) throw error;
      const next_at = db.write(() => this.#failed.failedAgain(failed));
      this.#log(failed.step, failed.message_id, failed.attempts + 1, next_at, error);
    }
  }

  /**
   * Retries one step. Its writes commit together with the record of its success, so that neither a crash nor a second
   * runner repeats it.
   */
  #runAgain(failed: FailedStep): void {
    const { accounts, folders, steps } = this.parts;
    const step = steps.find(({ name }) => name === failed.step);
    const account = accounts.get(failed.account_id);
    // Removing a mailbox deletes its failed steps. This mailbox was changed outside Postroom and may become readable
    // again.
    if (!account) throw new Error("The mailbox of the message cannot be read.");
    const kept = this.#failed.take(failed);
    if (!step || !kept) return;
    // The folder may have a new UIDVALIDITY and a new row by now. Steps only ask whether a folder is on a server.
    const folder = folders.get(account.user_id, kept.incoming.folderId) ?? folders.real(account)[0];
    if (folder) step.run({ ...kept, folder, target: ownerOf(account) });
  }

  #enqueue(run_at: number): void {
    this.parts.platform.jobs.enqueue({ kind: RETRY_STEPS_JOB, dedupe_key: "all", run_at });
  }

  #log(step: string, message_id: string, attempt: number, next_at: number | null, error: unknown): void {
    const next = next_at === null ? "given up" : new Date(next_at).toISOString();
    this.parts.platform.log.error("a step failed for a message", {
      step,
      message_id,
      attempt,
      next,
      ...errorFields(error),
    });
  }
}
