import type { ImapFlow } from "imapflow";
import type { Account } from "../../mailbox/accounts/accounts.ts";
import { MIRROR_JOB } from "../../mailbox/changes/edits.ts";
import type { Cursor, PendingChange } from "../../mailbox/changes/pending-changes.ts";
import type { AttemptOutcome, Job } from "../../platform/jobs/queue.ts";
import type { JobHandler } from "../../platform/jobs/runner.ts";
import { errorFields } from "../../platform/log.ts";
import { FlagReplay } from "./flags.ts";
import { GmailMoveReplay } from "./gmail.ts";
import { type LedgerParts, MirrorLedger } from "./ledger.ts";
import { MoveJournal } from "./move-journal.ts";
import { Mover } from "./mover.ts";
import { MoveReplay } from "./moves.ts";
import { retryDelay_ms } from "./plan.ts";
import { Results, type Wait } from "./results.ts";

/** Messages per turn on the connection, so that interactive requests get theirs. */
const BATCH_MESSAGES = 500;
/** Turns per job. A larger backlog continues in a new one. */
const MAX_BATCHES = 20;
/**
 * How often a change is retried, and how long it waits at least, if its message is missing or the server is
 * unreachable.
 */
const MAX_CHECKS = 8;
const WAIT_MS = 10 * 60_000;
const PAUSED_MS = 5 * 60_000;

export interface MirrorParts extends LedgerParts {
  /** Runs a task on the account's connection, one task at a time. @throws when the server cannot be reached */
  withMailbox: <T>(account_id: string, task: (client: ImapFlow) => Promise<T>) => Promise<T>;
}

interface Turn {
  /** Position to continue from; null at the end. */
  next: Cursor | null;
  /** Keys of the changes that keep waiting. */
  waiting: string[];
}

interface Waiting {
  since: number;
  checks: number;
}

/**
 * Mirrors changes made here to the mail servers until both agree (docs/mail.md, "Mirroring to the mail server").
 *
 * The last writer wins. If another program changed the same flag in between, the user's explicit change here is newer
 * than the server's earlier state, so it is set without asking. Commands are coalesced: one STORE or MOVE for all
 * messages of a folder. A change is dropped only when the server has been seen to have it, and only if it was not
 * changed again.
 */
export class Mirror {
  readonly #mover: Mover;
  /** Changes that could not be replayed so far, by message and field. A restart resets the counts. */
  readonly #waiting = new Map<string, Waiting>();

  constructor(private readonly parts: MirrorParts) {
    this.#mover = new Mover(new MoveJournal(parts.platform));
  }

  /** Runs the jobs of kind MIRROR_JOB; payload { account_id }. */
  readonly handler: JobHandler = { concurrency: 4, run: (job) => this.#run(job) };

  /** Queues a job for every account with waiting changes, regardless of earlier jobs. */
  resume(): void {
    const { accounts, pending } = this.parts;
    for (const account_id of pending.accounts()) {
      const account = accounts.get(account_id);
      if (account && !account.read_only && account.provider !== "sandbox") this.#enqueue(account);
    }
  }

  async #run(job: Job): Promise<AttemptOutcome> {
    const { platform, accounts } = this.parts;
    const { account_id } = job.payload as { account_id: string };
    const account = accounts.get(account_id);
    // In a read-only account the pending changes stay. They keep sync from overwriting the user's state.
    if (!account || account.provider === "sandbox" || account.read_only) return { outcome: "done" };
    const now = platform.clock.now();
    if (account.status === "paused") return { outcome: "retry", run_at: now + PAUSED_MS, detail: "paused" };
    try {
      const { waiting, more } = await this.#replay(account);
      if (more) this.#enqueue(account);
      if (!waiting || more) return { outcome: "done" };
      return { outcome: "retry", run_at: platform.clock.now() + retryDelay_ms(job.attempt), detail: "waiting" };
    } catch (error) {
      // The connection broke or could not be made. Replayed changes are recorded; the rest stay pending.
      platform.log.debug("mirroring interrupted", { account: account.id, attempt: job.attempt, ...errorFields(error) });
      return { outcome: "retry", run_at: platform.clock.now() + retryDelay_ms(job.attempt), detail: String(error) };
    }
  }

  async #replay(account: Account): Promise<{ waiting: boolean; more: boolean }> {
    const seen = new Set<string>();
    let after: Cursor | null = null;
    for (let batch = 0; batch < MAX_BATCHES && this.#anyAfter(account, after); batch++) {
      const turn: Turn = await this.#turn(account, after);
      for (const key of turn.waiting) seen.add(key);
      after = turn.next;
      if (after === null) break;
    }
    if (after === null) this.#pruneWaiting(account, seen);
    return { waiting: seen.size > 0, more: after !== null };
  }

  #turn(account: Account, after: Cursor | null): Promise<Turn> {
    return this.parts.withMailbox(account.id, (client) => this.#batch(client, account, after));
  }

  /** Returns whether changes remain, to avoid a needless connection. */
  #anyAfter(account: Account, after: Cursor | null): boolean {
    const ledger = new MirrorLedger(this.parts, account);
    return ledger.page(after, 1).messages.length > 0;
  }

  async #batch(client: ImapFlow, account: Account, after: Cursor | null): Promise<Turn> {
    const { folders, labels } = this.parts;
    const ledger = new MirrorLedger(this.parts, account);
    const { messages, next } = ledger.page(after, BATCH_MESSAGES);
    const results = new Results();
    await new FlagReplay(client, ledger, labels, results).run(messages);
    this.#conclude(ledger, results);
    // Moves change UIDs, so they run last.
    const moves = new Results();
    const replay = new MoveReplay(client, account, folders, ledger, this.#mover, moves);
    const gmail = GmailMoveReplay.for(client, account, folders, ledger, replay, moves);
    await (gmail ?? replay).run(messages);
    this.#conclude(ledger, moves);
    const waiting = [...this.#wait(account, ledger, results), ...this.#wait(account, ledger, moves)];
    return { next, waiting };
  }

  #conclude(ledger: MirrorLedger, results: Results): void {
    ledger.settle(results.accepted);
    for (const [reason, changes] of results.refused) ledger.refuse(changes, reason);
  }

  /** Counts waiting changes and gives up on those that waited long enough. @returns keys of those that keep waiting */
  #wait(account: Account, ledger: MirrorLedger, results: Results): string[] {
    const now = this.parts.platform.clock.now();
    const kept: string[] = [];
    const over: Record<Wait, PendingChange[]> = { missing: [], unavailable: [] };
    for (const [change, why] of results.waiting) {
      const key = `${account.id} ${change.message_id} ${change.field}`;
      const entry = this.#waiting.get(key) ?? { since: now, checks: 0 };
      // During the first sync it may take long until a folder has been read again.
      if (account.sync.phase === "live") entry.checks++;
      if (entry.checks >= MAX_CHECKS && now - entry.since >= WAIT_MS) {
        this.#waiting.delete(key);
        over[results.hasTaken(change) ? "missing" : why].push(change);
      } else {
        this.#waiting.set(key, entry);
        kept.push(key);
      }
    }
    ledger.settle(over.missing);
    ledger.refuse(over.unavailable, "The mail server did not apply the change.");
    return kept;
  }

  #pruneWaiting(account: Account, keys: ReadonlySet<string>): void {
    for (const key of this.#waiting.keys()) {
      if (key.startsWith(`${account.id} `) && !keys.has(key)) this.#waiting.delete(key);
    }
  }

  #enqueue({ id, user_id }: Account): void {
    this.parts.platform.jobs.enqueue({ kind: MIRROR_JOB, dedupe_key: id, user_id, payload: { account_id: id } });
  }
}
