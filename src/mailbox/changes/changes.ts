import { invalidParam } from "../../kernel/errors.ts";
import type { Actor } from "../../platform/ledger/audit.ts";
import type { Platform } from "../../platform/platform.ts";
import type { Account, Accounts } from "../accounts/accounts.ts";
import type { MailScope } from "../queries/scope.ts";
import type { ThreadQueries, ThreadStatus } from "../queries/threads.ts";
import type { Folders } from "../store/folders.ts";
import type { Labels } from "../store/labels.ts";
import { roleOfState, type ThreadState } from "../store/state.ts";
import type { Threads } from "../threading/threads.ts";
import { MessageEdits } from "./edits.ts";
import { type LabelProgress, labelBusy } from "./label-progress.ts";
import { checkLabels, type LabelChange } from "./labels.ts";
import { type Member, newestReceived, threadMembers } from "./members.ts";
import { type MoveTarget, messageState, planMove } from "./move.ts";

/** Kind of the job that wakes a snoozed thread; payload { thread_id }, one job per thread. */
export const WAKE_JOB = "wake";

/** The author of a change, and the user whose mail is changed. */
export interface ChangeScope extends MailScope {
  actor: Actor;
  request_id: string | null;
}

/** The wanted changes to a thread; absent fields stay unchanged. */
export interface ThreadChange {
  read?: boolean;
  starred?: boolean;
  state?: MoveTarget;
  add_labels?: string[];
  remove_labels?: string[];
  /** ms; null unsnoozes. */
  snooze_until?: number | null;
}

export interface ThreadAfter {
  id: string;
  state: ThreadState;
  labels: string[];
  unread: boolean;
}

/** The fields that an audit row records, before and after. */
interface Snapshot {
  state: ThreadState;
  labels: string[];
  unread: boolean;
  starred: boolean;
  snooze_until: string | null;
}

interface ChangesParts {
  platform: Platform;
  accounts: Accounts;
  folders: Folders;
  labels: Labels;
  threads: Threads;
  queries: ThreadQueries;
  labelProgress: LabelProgress;
}

/**
 * Applies changes that a person, a rule or the agent makes to threads: local state, mirroring to the server, event and
 * audit row.
 */
export class Changes {
  constructor(private readonly parts: ChangesParts) {}

  /**
   * Applies a change in one transaction. Fields that have the wanted value already are left alone. When nothing changes
   * at all, there is no event, no audit row and no job.
   * @throws ApiError not_found, invalid_params, label_busy
   */
  update(scope: ChangeScope, id: string, change: ThreadChange): ThreadAfter {
    const labels = checkLabels(change.add_labels, change.remove_labels);
    this.#checkSnooze(change);
    return this.parts.platform.db.write(() => {
      const status = this.parts.queries.owned(scope, id);
      const changed = this.apply(status, scope, "thread.update", (edits, members) => {
        if (change.read !== undefined) markRead(edits, members, change.read);
        if (change.starred !== undefined) markStarred(edits, members, change.starred);
        this.#label(status, edits, members, labels);
        const { state, snooze_until } = change;
        if (state) moveTo(status, edits, members, state, snooze_until === null);
        else if (snooze_until === null) unsnooze(status, edits, members);
        return typeof snooze_until === "number" && this.#snooze(status, edits, members, snooze_until);
      });
      return {
        id: status.id,
        state: changed.state,
        labels: this.parts.labels.ofThread(status.id),
        unread: changed.unread,
      };
    });
  }

  /**
   * Runs `edit` on the messages of a thread. If it changed anything, refreshes the thread and writes the event, the
   * audit row and the mirror job. Call it in a transaction. `edit` returns whether it changed anything besides the
   * messages.
   * @param announce false where the thread has not been visible yet, so that there is no change to announce
   */
  apply(
    status: ThreadStatus,
    by: { actor: Actor; request_id: string | null },
    action: string,
    edit: (edits: MessageEdits, members: Member[]) => boolean,
    announce = true,
  ): ThreadStatus {
    const { platform, folders, threads, accounts, queries } = this.parts;
    const account: Account = accounts.get(status.account_id)!;
    const before = this.#snapshot(status);
    const edits = new MessageEdits(platform, folders, account, by.request_id);
    const more = edit(edits, threadMembers(platform.db, status.id));
    if (!edits.finish() && !more) return status;
    const { changed } = threads.refresh(status.id);
    const after = queries.current(status.id)!;
    if (announce && changed.length > 0)
      platform.events.emit(status.user_id, "thread.updated", { thread_id: status.id, changed });
    platform.audit.record({
      user_id: status.user_id,
      actor: by.actor,
      action,
      target: status.id,
      before,
      after: this.#snapshot(after),
      request_id: by.request_id,
    });
    return after;
  }

  #label(
    { user_id, account_id }: ThreadStatus,
    edits: MessageEdits,
    members: readonly Member[],
    { add, remove }: LabelChange,
  ): void {
    const { labels, labelProgress } = this.parts;
    for (const name of add) {
      const label_id = labels.ensure(user_id, name);
      // Otherwise the label would be lost again, if the thread is changed later.
      if (labelProgress.get(label_id, account_id)) throw labelBusy("add_labels");
      edits.addLabel(members, label_id);
    }
    for (const name of remove) {
      const label_id = labels.find(user_id, name);
      if (label_id !== null) edits.removeLabel(members, label_id);
    }
  }

  #checkSnooze({ state, snooze_until }: ThreadChange): void {
    if (snooze_until === undefined || snooze_until === null) return;
    if (state !== undefined)
      throw invalidParam("snooze_until", "snooze_until cannot be combined with state. Send one of them.");
    if (snooze_until <= this.parts.platform.clock.now()) {
      throw invalidParam("snooze_until", "snooze_until must be in the future.");
    }
  }

  /** @returns whether the wake time changed */
  #snooze(status: ThreadStatus, edits: MessageEdits, members: Member[], until: number): boolean {
    moveTo(status, edits, members, "snoozed");
    const { db, jobs } = this.parts.platform;
    // A pending job with an earlier time stays. When it runs, it finds the new time and is rescheduled.
    const { id, user_id } = status;
    jobs.enqueue({ kind: WAKE_JOB, dedupe_key: id, user_id, payload: { thread_id: id }, run_at: until });
    db.sql.query("UPDATE threads SET snooze_until = ? WHERE id = ?").run(until, id);
    return until !== status.snooze_until;
  }

  #snapshot(status: ThreadStatus): Snapshot {
    const { state, unread, starred, snooze_until } = status;
    return {
      state,
      labels: this.parts.labels.ofThread(status.id),
      unread,
      starred,
      snooze_until: snooze_until === null ? null : new Date(snooze_until).toISOString(),
    };
  }
}

function markRead(edits: MessageEdits, members: readonly Member[], read: boolean): void {
  if (read) edits.setUnread(members, false);
  else if (!members.some((member) => member.unread)) markNewestUnread(edits, members);
}

function markStarred(edits: MessageEdits, members: readonly Member[], starred: boolean): void {
  const newest = newestReceived(members);
  if (!starred) edits.setStarred(members, false);
  else if (newest && !members.some((member) => member.starred)) edits.setStarred([newest], true);
}

/** @param unsnoozes whether to also move messages in Snoozed that the wanted state does not require to move */
function moveTo(
  { id }: ThreadStatus,
  edits: MessageEdits,
  members: readonly Member[],
  target: MoveTarget,
  unsnoozes = false,
): void {
  // A draft without a location was sent or deleted.
  const movable = members.filter(({ roles, is_draft }) => roles.length > 0 || !is_draft);
  const chosen = new Set(planMove(movable, target));
  const waits = (member: Member) => unsnoozes && messageState(member.roles) === "snoozed";
  edits.move(
    members.filter((member) => chosen.has(member.id) || waits(member)),
    roleOfState(target),
  );
  if (chosen.size === 0 && members.every(({ roles }) => messageState(roles) === null)) edits.giveState(id, target);
}

/** Marks the newest received message of a thread as unread. */
export function markNewestUnread(edits: MessageEdits, members: readonly Member[]): void {
  const newest = newestReceived(members);
  if (newest) edits.setUnread([newest], true);
}

/**
 * Moves the snoozed messages of a thread back to the inbox, and no others. Refreshing the thread then clears its wake
 * time.
 */
export function unsnooze(status: ThreadStatus, edits: MessageEdits, members: readonly Member[]): void {
  const waiting = members.filter((member) => messageState(member.roles) === "snoozed");
  edits.move(waiting, "inbox");
  if (waiting.length === 0 && status.state === "snoozed") moveTo(status, edits, members, "inbox");
}
