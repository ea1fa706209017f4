import type { Account, Accounts } from "../../mailbox/accounts/accounts.ts";
import { messageOfMessageId } from "../../mailbox/queries/drafts.ts";
import type { SendPermit } from "../../platform/acting.ts";
import { GroupCommit } from "../../platform/db/group-commit.ts";
import { isDiskFull } from "../../platform/disk-full.ts";
import type { AttemptOutcome, Job } from "../../platform/jobs/queue.ts";
import type { JobHandler } from "../../platform/jobs/runner.ts";
import { SYSTEM_ACTOR } from "../../platform/ledger/audit.ts";
import { errorFields } from "../../platform/log.ts";
import type { SubmitResult } from "../../wire/smtp/result.ts";
import type { OutgoingMessage } from "../../wire/smtp/session.ts";
import type { SmtpLogin } from "../../wire/smtp/verify.ts";
import { retryDelay_ms } from "../mirror/plan.ts";
import { returnDraft } from "./cancel.ts";
import { classify, type FailReason, GIVE_UP_MS, LONGEST_WAIT_MS, type NextStep } from "./classify.ts";
import { KeyedSemaphore } from "./keyed-semaphore.ts";
import { type PrepareParts, prepare, type Ready } from "./prepare.ts";
import type { Stored } from "./sent-mail.ts";
import { DISPATCH_JOB, type Send, type SendStore } from "./store.ts";
import type { RejectedRecipient } from "./tables.ts";

/**
 * Kind of the job that looks for a message on the server when it is unknown whether the server took it; payload {
 * send_id }.
 */
export const FIND_JOB = "find-sent";
/** Kind of the job that ends such a send; payload { send_id, found }. */
export const SETTLE_JOB = "settle-send";
/** Kind of the job that stores a message that was sent, but could not be stored then; payload { send_id }. */
export const STORE_JOB = "store-sent";
/** Kind of the job that puts the copy into the server's Sent folder; payload { send_id }. */
export const COPY_JOB = "sent-copy";

/** Connections of one mailbox at the same time, because providers limit them. */
const CONNECTIONS = 2;
/**
 * Messages of one mailbox in progress at the same time: while some are submitted, the next ones are composed, and the
 * outcomes of the last ones wait for their commit.
 */
const IN_HAND = 6;
/**
 * Sends in progress or waiting for their mailbox. Large, so that an unresponsive server does not hold up other
 * mailboxes' mail.
 */
const AT_ONCE = 256;
/**
 * Delay before a message is retried that was not sent for lack of disk space. Without space, no server is contacted
 * (`take`).
 */
const NO_SPACE_MS = 10_000;
/** Delay before a message is retried whose claim did not reach the place of the continuous copy. */
const NOT_COPIED_MS = 10_000;
/** Delay before a paused mailbox is checked again. */
const PAUSED_MS = 5 * 60_000;
/** The copy in Sent is not urgent: messages that are still to be sent have priority. */
const COPY_WAIT_MS = 5_000;
/** Outlook files a copy in Sent itself, after some time. */
const OWN_COPY_MS = 30_000;

export interface DispatchParts extends PrepareParts {
  accounts: Accounts;
  sends: SendStore;
  /** Makes one attempt over SMTP; never rejects. */
  submit: (account_id: string, login: SmtpLogin, message: OutgoingMessage) => Promise<SubmitResult>;
  permit: SendPermit;
}

/** The outcome of an attempt, which is recorded in a transaction of several. */
interface Ending {
  record(): AttemptOutcome;
  /** Called when the outcome is on disk. */
  tidy(): void;
}

/**
 * Sends due messages: claim the row → compose → submit → record the outcome.
 *
 * A message is sent at most once. `handed_over_at` is on disk before the server can have the whole message. If a send
 * in progress is found with this mark, it is unknown whether the message arrived, and it is never sent again. Without
 * the mark the server certainly does not have it, and it is retried.
 *
 * If another machine may take over, the claim must be in its copy before the message leaves (`permit`): it never submits
 * a send that it finds claimed (restored-sends.ts).
 */
export class Dispatcher {
  readonly #hands = new KeyedSemaphore(IN_HAND);
  readonly #lines = new KeyedSemaphore(CONNECTIONS);
  /** Outcomes that could not be recorded because the disk was full. Kept as long as the process lives. */
  readonly #unnoted = new Map<string, Ending>();

  /** Messages that are submitted and not marked yet, with their mailboxes. */
  readonly #unmarked = new Map<string, string>();

  /** Marks and outcomes of messages that are in progress at the same time share a commit, which waits for the disk. */
  readonly #commits: GroupCommit;

  constructor(private readonly parts: DispatchParts) {
    this.#commits = new GroupCommit(parts.platform.db, parts.platform.clock);
  }

  /** Runs the jobs of kinds DISPATCH_JOB, SETTLE_JOB and STORE_JOB. */
  readonly handler: JobHandler = { concurrency: AT_ONCE, run: (job) => this.#run(job) };
  readonly settleHandler: JobHandler = { concurrency: 1, run: (job) => this.#settle(job) };
  readonly storeHandler: JobHandler = { concurrency: 1, run: (job) => this.#storeLater(job) };

  /** Queues a job for every open send, regardless of earlier jobs. Call it before the runner starts. */
  resume(): void {
    const { sends, platform } = this.parts;
    platform.db.write(() => {
      for (const { id, user_id, run_at } of sends.open()) {
        platform.jobs.enqueue({ kind: DISPATCH_JOB, dedupe_key: id, user_id, payload: { send_id: id }, run_at });
      }
    });
  }

  async #run(job: Job): Promise<AttemptOutcome> {
    const { send_id } = job.payload as { send_id: string };
    const send = this.parts.sends.get(send_id);
    if (!send) return { outcome: "done" };
    return this.#hands.run(send.account_id, () => this.#dispatch(send_id));
  }

  async #dispatch(id: string): Promise<AttemptOutcome> {
    const { sends, platform, accounts } = this.parts;
    const ending = this.#unnoted.get(id);
    if (ending) return this.#note(id, ending);
    const due = sends.get(id);
    const account = due && accounts.get(due.account_id);
    if (!due || !account) return { outcome: "done" };
    const early = this.#notYet(due);
    if (early !== null) return { outcome: "retry", run_at: early };
    const now = platform.clock.now();
    const paused = account.status === "paused" && due.handed_over_at === null;
    if (paused && now < due.undo_until + GIVE_UP_MS) {
      return { outcome: "retry", run_at: now + PAUSED_MS, detail: "the mailbox is paused" };
    }
    if (due.status === "scheduled" && due.undo_until > now) sends.endWindow(id);
    const send = sends.take(id);
    // The clock was set back between two reads of it.
    if (send?.status === "scheduled") return { outcome: "retry", run_at: send.undo_until };
    if (send?.status !== "sending") return { outcome: "done" };
    if (send.handed_over_at !== null) return this.#find(send);
    if (paused) return this.#fail(send, "unreachable", "The mailbox was paused for a day.");
    const isSandbox = account.provider === "sandbox";
    const [copyFault, ready] = await Promise.all([
      isSandbox ? null : this.#claimCopied(),
      prepare(this.parts, send, account),
    ]);
    if (typeof ready === "string") return this.#fail(send, "compose_failed", ready);
    if (isSandbox) return this.#end(ready, { next: "sent", rejected: [] });
    if (copyFault !== null) {
      return this.#end(ready, { next: "retry", at: platform.clock.now() + NOT_COPIED_MS, detail: copyFault });
    }
    return this.#submit(ready);
  }

  /** Waits until another machine would find the send claimed. @returns why that is not possible now, as a sentence */
  async #claimCopied(): Promise<string | null> {
    try {
      await this.parts.permit.flushed();
      return null;
    } catch (error) {
      this.parts.platform.log.warn("a message waits for the continuous copy", errorFields(error));
      return "The continuous copy cannot be written now, which must have each message before it leaves.";
    }
  }

  /**
   * Returns when a send becomes due; null if it is due. The job runs earlier if a clock that was ahead set its time
   * (JobQueue.handleClockSetBack). The undo window is then shortened, unless a person scheduled the send.
   */
  #notYet(send: Send): number | null {
    const now = this.parts.platform.clock.now();
    const { status, undo_until, next_attempt_at, scheduled_at } = send;
    const givenBefore = scheduled_at === null && send.created_at > now;
    if (status === "scheduled" && undo_until > now && !givenBefore) return undo_until;
    if (status !== "sending" || next_attempt_at === null || next_attempt_at <= now) return null;
    return next_attempt_at <= now + LONGEST_WAIT_MS ? next_attempt_at : null;
  }

  async #submit(ready: Ready): Promise<AttemptOutcome> {
    const { sends, platform, accounts, permit } = this.parts;
    const { send, account, composed } = ready;
    const connection = accounts.connection(account);
    if (!connection?.smtp) {
      const detail = "This mailbox has no outgoing mail server (SMTP).";
      return this.#end(ready, { next: "failed", reason: "unreachable", detail });
    }
    const login = { ...connection.smtp, username: connection.username, password: connection.password };
    let isDiskFullNow = false;
    let isStoppedNow = false;
    const checkPermit = () => {
      isStoppedNow = !permit.mayAct();
      if (isStoppedNow) throw new Error("This server may not act now.");
    };
    const beforeEnd = async () => {
      checkPermit();
      this.#unmarked.delete(send.id);
      // Over two connections, messages then advance together and share each commit.
      const patient = [...this.#unmarked.values()].includes(account.id);
      try {
        const isMarked = await this.#commits.write(() => sends.markHandedOver(send.id), { patient });
        if (!isMarked) throw new Error("The send is no longer in progress.");
      } catch (error) {
        isDiskFullNow = isDiskFull(error);
        throw error;
      }
      checkPermit();
    };
    const result = await this.#lines.run(account.id, () => {
      this.#unmarked.set(send.id, account.id);
      const submitted = this.parts.submit(account.id, login, { ...composed, beforeEnd });
      return submitted.finally(() => this.#unmarked.delete(send.id));
    });
    const now = platform.clock.now();
    const notSent = result.outcome === "not_sent";
    const step: NextStep =
      isDiskFullNow && notSent
        ? { next: "retry", at: now + NO_SPACE_MS, detail: "This machine's disk is full." }
        : isStoppedNow && notSent
          ? { next: "retry", at: now + NOT_COPIED_MS, detail: "This server may not act now." }
          : classify(result, send.attempts, send.first_attempt_at!, now);
    return this.#end(ready, step);
  }

  /** Ends an attempt with an outcome. */
  #end(ready: Ready, step: NextStep): Promise<AttemptOutcome> {
    const { send, hasFiles, source } = ready;
    const tidy = () => {
      source?.abandon();
      if (step.next === "sent" && hasFiles) this.#tidyFiles(send);
    };
    // The next message of the mailbox is marked soon, and the outcome can share that commit.
    const patient = this.#lines.isBusy(send.account_id);
    return this.#note(send.id, { record: () => this.#record(ready, step), tidy }, patient);
  }

  #record(ready: Ready, step: NextStep): AttemptOutcome {
    const { send } = ready;
    switch (step.next) {
      case "sent": {
        const rejected = step.rejected.map(({ recipient, response }) => ({ recipient, detail: response }));
        return this.#succeed(send, ready, rejected);
      }
      case "retry":
        this.parts.sends.waitForRetry(send, step.at, step.detail);
        return { outcome: "retry", run_at: step.at, detail: step.detail };
      case "failed":
        return this.#fail(send, step.reason, step.detail);
      case "unknown":
        return this.#find(send);
    }
  }

  /**
   * Records the outcome of an attempt. Until it is on disk it is kept here, so that the server is not contacted again.
   */
  async #note(send_id: string, ending: Ending, patient = false): Promise<AttemptOutcome> {
    this.#unnoted.set(send_id, ending);
    const outcome = await this.#commits.write(ending.record, { patient });
    this.#unnoted.delete(send_id);
    ending.tidy();
    return outcome;
  }

  #tidyFiles({ user_id, draft_id }: Send): void {
    if (draft_id !== null) this.parts.draftFiles.tidy(user_id, draft_id);
  }

  /** Records success. @param ready null if the message, which was sent, could not be composed again */
  #succeed(send: Send, ready: Ready | null, rejected: RejectedRecipient[]): AttemptOutcome {
    const { platform, sends, draftStore } = this.parts;
    const { id, user_id, draft_id } = send;
    platform.db.write(() => {
      if (!sends.markSent(send, rejected)) return;
      platform.audit.record({
        user_id,
        actor: SYSTEM_ACTOR,
        action: "send.sent",
        target: id,
        after: { status: "sent", rejected },
      });
      const stored = ready && this.#store(ready);
      if (stored) return this.#complete(send, stored, ready.account);
      // The message was sent. A failure to store it here must not make it look unsent.
      if (draft_id !== null) draftStore.hide(draft_id);
      const run_at = platform.clock.now() + retryDelay_ms(1);
      platform.jobs.enqueue({ kind: STORE_JOB, dedupe_key: id, user_id, payload: { send_id: id }, run_at });
    });
    return { outcome: "done" };
  }

  /**
   * Stores a message that was sent earlier, from its draft, unless the sync stored it first. The event waits for its
   * ids, for at most a day.
   */
  async #storeLater(job: Job): Promise<AttemptOutcome> {
    const { sends, accounts, platform } = this.parts;
    const send = sends.get((job.payload as { send_id: string }).send_id);
    const account = send && accounts.get(send.account_id);
    if (send?.status !== "sent" || send.draft_id === null || !account) return { outcome: "done" };
    const ready = await prepare(this.parts, send, account);
    const now = platform.clock.now();
    const store = () => {
      const found = messageOfMessageId(platform, account, send.message_id_header);
      const put = found || typeof ready === "string" ? null : this.#store(ready);
      const over = now >= send.finished_at! + GIVE_UP_MS;
      if (found || put || over) this.#complete(send, found ?? put, put ? account : null);
      return Boolean(found || put || over);
    };
    let isStored = false;
    try {
      isStored = platform.db.write(store);
    } finally {
      if (typeof ready !== "string") ready.source?.abandon();
    }
    if (!isStored) return { outcome: "retry", run_at: now + retryDelay_ms(job.attempt), detail: "not stored yet" };
    this.#tidyFiles(send);
    return { outcome: "done" };
  }

  #store({ account, mail, composed, source }: Ready): Stored | null {
    return this.parts.sentMail.store(account, mail, composed.raw, source);
  }

  /**
   * Ends a send that was delivered to the server: deletes its draft and announces where the message is.
   * @param stored null if it is not stored here and never will be
   * @param copiedBy the account whose Sent folder gets a copy; null for none
   */
  #complete(send: Send, stored: Stored | null, copiedBy: Account | null): void {
    const { platform, sends, draftStore } = this.parts;
    const { id, user_id, draft_id } = send;
    const answered = draft_id === null ? null : (draftStore.get(draft_id)?.thread_id ?? null);
    const { thread_id, message_id } = stored ?? { thread_id: answered, message_id: null };
    const copy = copiedBy !== null && copiedBy.provider !== "sandbox" ? "wanted" : null;
    if (!sends.markStored(send, { thread_id, message_id, copy })) return;
    if (draft_id !== null) draftStore.remove(draft_id);
    platform.events.emit(user_id, "send.completed", {
      send_id: id,
      thread_id: thread_id ?? "",
      message_id: message_id ?? "",
    });
    if (copy === null) return;
    const run_at = platform.clock.now() + (copiedBy?.provider === "outlook" ? OWN_COPY_MS : COPY_WAIT_MS);
    platform.jobs.enqueue({ kind: COPY_JOB, dedupe_key: id, user_id, payload: { send_id: id }, run_at });
  }

  #fail(send: Send, reason: FailReason, detail: string): AttemptOutcome {
    const { platform, sends } = this.parts;
    const { id, user_id } = send;
    platform.db.write(() => {
      if (!sends.markFailed(send, reason, detail)) return;
      returnDraft(this.parts, send, reason === "delivery_unknown");
      const after = { status: "failed", reason, detail, draft_id: send.draft_id };
      platform.audit.record({ user_id, actor: SYSTEM_ACTOR, action: "send.failed", target: id, after });
      platform.events.emit(user_id, "send.failed", { send_id: id, reason, detail });
    });
    return { outcome: "failed", detail };
  }

  /** Has the mail worker look for the message, because it is unknown whether the server took it. */
  #find({ id, user_id }: Send): AttemptOutcome {
    this.parts.platform.jobs.enqueue({ kind: FIND_JOB, dedupe_key: id, user_id, payload: { send_id: id } });
    return { outcome: "done", detail: "whether it arrived is not known" };
  }

  async #settle(job: Job): Promise<AttemptOutcome> {
    const { sends, accounts } = this.parts;
    const { send_id, found } = job.payload as { send_id: string; found: boolean };
    const send = sends.get(send_id);
    if (send?.status !== "sending" || send.handed_over_at === null) return { outcome: "done" };
    if (!found) {
      return this.#fail(send, "delivery_unknown", "The connection ended before the server confirmed the message.");
    }
    const ready = await prepare(this.parts, send, accounts.get(send.account_id)!);
    if (typeof ready !== "string") return this.#end(ready, { next: "sent", rejected: [] });
    const outcome = this.#succeed(send, null, []);
    this.#tidyFiles(send);
    return outcome;
  }
}
