import { ApiError, notFound } from "../../kernel/errors.ts";
import type { Job } from "../../platform/jobs/queue.ts";
import type { JobHandler } from "../../platform/jobs/runner.ts";
import type { Actor } from "../../platform/ledger/audit.ts";
import type { Platform } from "../../platform/platform.ts";
import type { Accounts } from "../accounts/accounts.ts";
import type { LabelQueries, LabelUse, SeenLabel } from "../queries/labels.ts";
import type { ThreadQueries } from "../queries/threads.ts";
import type { Labels } from "../store/labels.ts";
import type { ChangeScope, Changes } from "./changes.ts";
import { type LabelChangeProgress, type LabelProgress, labelBusy } from "./label-progress.ts";
import { checkLabel } from "./labels.ts";

/**
 * Kind of the job that replaces or removes a label in a mailbox; payload { label_id, account_id, actor, request_id },
 * one per label and mailbox.
 */
export const LABEL_JOB = "label-change";

/** Threads changed in one transaction; a small batch lets other writers in. */
const BATCH_THREADS = 20;
/** Batches that one job processes before it queues the next one, so that stopping never takes long. */
const MAX_BATCHES = 100;
/** A label with at most this many threads is changed in the request. */
const MAX_DIRECT_THREADS = 40;

interface Parts {
  platform: Platform;
  accounts: Accounts;
  labels: Labels;
  progress: LabelProgress;
  queries: LabelQueries;
  threadQueries: ThreadQueries;
  changes: Changes;
}

/** The author of a change, for the events and audit rows of its threads. */
interface Author {
  actor: Actor;
  request_id: string | null;
}

/**
 * Creates, renames and deletes labels. A label with many threads is changed in the background, in batches that are
 * saved with their progress. Each thread changes as if its labels had been edited alone: mirrored, audited, announced.
 */
export class LabelChanges {
  constructor(private readonly parts: Parts) {}

  /**
   * Creates a label without threads. Returns the existing one if the caller sees one with this name.
   * @throws ApiError invalid_params (`name`), label_busy
   */
  create(scope: ChangeScope, given: string): LabelUse {
    const { platform, labels } = this.parts;
    const name = checkLabel(given, "name");
    return platform.db.write(() => {
      if (this.#named(scope, name)) return this.#use(scope, name);
      const row_id = labels.ensure(scope.user_id, name);
      this.#checkIdle(scope, row_id);
      labels.keep(row_id, scope.account_id, platform.clock.now());
      const created = this.#use(scope, name);
      this.#audit(scope, "label.create", created.id, null, { name });
      return created;
    });
  }

  /**
   * Renames a label in all mailboxes of the caller. The label keeps its id, unless other mailboxes keep a label of the
   * old name or have one of the new name, which a caller bound to one mailbox does not see.
   * @returns the label, and its old name
   * @throws ApiError not_found, invalid_params (`name`), label_exists, label_busy
   */
  rename(scope: ChangeScope, id: string, given: string): { label: LabelUse; from: string } {
    const { platform, labels } = this.parts;
    const name = checkLabel(given, "name");
    return platform.db.write(() => {
      const label = this.#seen(scope, id);
      const from = label.name;
      if (name === from) return { label: this.#use(scope, name), from };
      if (this.#named(scope, name)) {
        const message = "There is already a label with this name. Choose another name.";
        throw new ApiError("label_exists", message, { param: "name" });
      }
      const to_id = labels.ensure(scope.user_id, name);
      this.#checkIdle(scope, label.row_id, to_id);
      if (!this.#isShared(scope, label.row_id) && !this.#isShared(scope, to_id)) labels.passId(label.row_id, to_id);
      labels.passKept(label.row_id, to_id, scope.account_id);
      this.#begin(scope, label.row_id, to_id);
      const renamed = this.#use(scope, name);
      this.#audit(scope, "label.rename", renamed.id, { name: from }, { name });
      return { label: renamed, from };
    });
  }

  /** Removes a label from all threads in the mailboxes of the caller. @throws ApiError not_found, label_busy */
  remove(scope: ChangeScope, id: string): void {
    const { platform, labels } = this.parts;
    platform.db.write(() => {
      const label = this.#seen(scope, id);
      this.#checkIdle(scope, label.row_id);
      labels.stopKeeping(label.row_id, scope.account_id);
      this.#begin(scope, label.row_id, null);
      this.#audit(scope, "label.delete", id, { name: label.name }, null);
    });
  }

  /** The job's handler, for the mail worker. */
  readonly handler: JobHandler = {
    concurrency: 1,
    run: async ({ payload, user_id }: Job) => {
      const { label_id, account_id, ...by } = payload as { label_id: string; account_id: string } & Author;
      for (let i = 0; i < MAX_BATCHES; i++) {
        const more = this.parts.platform.db.write(() => this.#step(label_id, account_id, by));
        if (!more) return { outcome: "done" };
        await new Promise((resolve) => setImmediate(resolve));
      }
      this.#enqueue(user_id!, label_id, account_id, by);
      return { outcome: "done" };
    },
  };

  #begin({ user_id, account_id, actor, request_id }: ChangeScope, row_id: string, to_id: string | null): void {
    const { progress, accounts } = this.parts;
    const by = { actor, request_id };
    const mailboxes = account_id === null ? accounts.list(user_id).map(({ id }) => id) : [account_id];
    const begun = mailboxes.filter((id) => progress.begin(row_id, id, to_id));
    const isDirect = progress.count(row_id, account_id, MAX_DIRECT_THREADS + 1) <= MAX_DIRECT_THREADS;
    for (const mailbox of begun) {
      if (!isDirect) this.#enqueue(user_id, row_id, mailbox, by);
      else while (this.#step(row_id, mailbox, by));
    }
  }

  /** Processes one batch. @returns whether there may be more */
  #step(label_id: string, account_id: string, by: Author): boolean {
    const { progress } = this.parts;
    const change = progress.get(label_id, account_id);
    // Another job has finished it, or the mailbox was removed.
    if (!change) return false;
    const ids = progress.threads(change, BATCH_THREADS + 1);
    for (const id of ids.slice(0, BATCH_THREADS)) this.#relabel(id, change, by);
    const next = ids[BATCH_THREADS];
    if (next === undefined) progress.end(change);
    else progress.save(change, next);
    return next !== undefined;
  }

  #relabel(thread_id: string, { label_id, to_id }: LabelChangeProgress, by: Author): void {
    const { threadQueries, changes } = this.parts;
    const status = threadQueries.current(thread_id);
    if (!status) return;
    changes.apply(status, by, "thread.update", (edits, members) => {
      edits.replaceLabel(members, label_id, to_id);
      return false;
    });
  }

  #enqueue(user_id: string, label_id: string, account_id: string, by: Author): void {
    this.parts.platform.jobs.enqueue({
      kind: LABEL_JOB,
      dedupe_key: `${label_id} ${account_id}`,
      user_id,
      payload: { label_id, account_id, ...by },
    });
  }

  /** Returns a label by its id. @throws ApiError not_found */
  #seen(scope: ChangeScope, id: string): SeenLabel {
    const label = this.parts.queries.seen(scope).find((candidate) => candidate.id === id);
    if (!label) throw notFound("label");
    return label;
  }

  #named(scope: ChangeScope, name: string): SeenLabel | undefined {
    return this.parts.queries.seen(scope).find((candidate) => candidate.name === name);
  }

  /** Returns a label that the caller sees by its name. */
  #use(scope: ChangeScope, name: string): LabelUse {
    const label = this.parts.queries.list(scope).find((candidate) => candidate.name === name);
    if (!label) throw new Error("a label that was just found or changed is not listed");
    return label;
  }

  #isShared({ account_id }: ChangeScope, row_id: string): boolean {
    return account_id !== null && this.parts.queries.isShared(row_id, account_id);
  }

  #checkIdle({ account_id }: ChangeScope, ...rowIds: string[]): void {
    for (const id of rowIds) if (this.parts.progress.isBusy(id, account_id)) throw labelBusy();
  }

  #audit(scope: ChangeScope, action: string, target: string, before: unknown, after: unknown): void {
    const { user_id, actor, request_id } = scope;
    this.parts.platform.audit.record({ user_id, actor, action, target, before, after, request_id });
  }
}
