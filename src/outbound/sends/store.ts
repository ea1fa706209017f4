import { notFound } from "../../kernel/errors.ts";
import type { MailScope, Position } from "../../mailbox/queries/scope.ts";
import { messageIdTag } from "../../mailbox/threading/identity.ts";
import type { Platform } from "../../platform/platform.ts";
import type { FailReason } from "./classify.ts";
import type { RejectedRecipient, SendInfo, SendOutcome, SendRow } from "./tables.ts";

/** Kind of the job that dispatches a send; payload { send_id }, one per send. Due when the undo window ends. */
export const DISPATCH_JOB = "dispatch";

export const SEND_STATUSES = [
  "scheduled",
  "sending",
  "sent",
  "failed",
  "undone",
] as const satisfies SendRow["status"][];
export type SendStatus = (typeof SEND_STATUSES)[number];

export interface Send extends SendInfo {
  id: string;
  user_id: string;
  account_id: string;
  key_id: string | null;
  /** The pool whose sends of the day it counts against. */
  pool_id: string;
  draft_id: string | null;
  status: SendStatus;
  undo_until: number;
  scheduled_at: number | null;
  attempts: number;
  first_attempt_at: number | null;
  next_attempt_at: number | null;
  /** Set before the server can have the message, cleared when it certainly does not. */
  handed_over_at: number | null;
  thread_id: string | null;
  message_id: string | null;
  copy: "wanted" | "placed" | null;
  outcome: SendOutcome | null;
  created_at: number;
  finished_at: number | null;
}

type StoredSend = Omit<SendRow, "msgid_hmac">;

const COLUMNS = `id, user_id, account_id, key_id, pool_id, draft_id, status, undo_until, scheduled_at, attempts, first_attempt_at,
  next_attempt_at, handed_over_at, thread_id, message_id, copy, info, outcome, created_at, finished_at`;

export interface NewSend extends SendInfo {
  id: string;
  user_id: string;
  account_id: string;
  key_id: string | null;
  pool_id: string;
  draft_id: string;
  undo_until: number;
  scheduled_at: number | null;
  /** Also the time at which it is counted. */
  created_at: number;
}

/**
 * Stores sends and their states. Each change of state is one UPDATE that names the previous state, so that exactly one
 * of two concurrent changes succeeds. The only owner of the `sends` table.
 */
export class SendStore {
  constructor(private readonly platform: Platform) {}

  insert(send: NewSend): void {
    const { db, keyring } = this.platform;
    const sealer = keyring.forUser(send.user_id);
    const { message_id_header, from, to, cc, bcc, subject } = send;
    const info: SendInfo = { message_id_header, from, to, cc, bcc, subject };
    db.sql
      .query(
        `INSERT INTO sends (id, user_id, account_id, key_id, pool_id, draft_id, status, undo_until, scheduled_at, msgid_hmac,
           info, created_at) VALUES (?, ?, ?, ?, ?, ?, 'scheduled', ?, ?, ?, ?, ?)`,
      )
      .run(
        send.id,
        send.user_id,
        send.account_id,
        send.key_id,
        send.pool_id,
        send.draft_id,
        send.undo_until,
        send.scheduled_at,
        messageIdTag(sealer, message_id_header),
        sealer.sealJson(`sends.info:${send.id}`, info),
        send.created_at,
      );
  }

  get(id: string): Send | null {
    const row = this.platform.db.sql.query<StoredSend, [string]>(`SELECT ${COLUMNS} FROM sends WHERE id = ?`).get(id);
    return row && this.#view(row);
  }

  /** Returns a send of the caller. @throws ApiError not_found */
  owned(scope: MailScope, id: string): Send {
    // The owner is part of the query. Opening another person's send first would take longer than finding nothing, and
    // reveal its existence.
    const row = this.platform.db.sql
      .query<StoredSend, [string, string, string | null]>(
        `SELECT ${COLUMNS} FROM sends WHERE id = ?1 AND user_id = ?2 AND (?3 IS NULL OR account_id = ?3)`,
      )
      .get(id, scope.user_id, scope.account_id);
    if (!row) throw notFound("send");
    return this.#view(row);
  }

  /** Returns sends, newest first, at most `limit`, after the position [id]. */
  list(scope: MailScope, status: SendStatus | undefined, after: Position | null, limit: number): Send[] {
    return this.platform.db.sql
      .query<StoredSend, Record<string, string | number | null>>(
        `SELECT ${COLUMNS} FROM sends WHERE user_id = $user AND ($account IS NULL OR account_id = $account)
           AND ($status IS NULL OR status = $status) AND ($id IS NULL OR id < $id) ORDER BY id DESC LIMIT $limit`,
      )
      .all({
        user: scope.user_id,
        account: scope.account_id,
        status: status ?? null,
        id: after === null ? null : String(after[0]),
        limit,
      })
      .map((row) => this.#view(row));
  }

  /** Counts the sends of a key since a time, without canceled ones. */
  countOfKey(key_id: string, sinceMs: number): number {
    return this.platform.db.sql
      .query<{ c: number }, [string, number]>(
        "SELECT count(*) AS c FROM sends WHERE key_id = ? AND created_at > ? AND status <> 'undone'",
      )
      .get(key_id, sinceMs)!.c;
  }

  /** Cancels a send while its window is open. @returns false when the window is over or dispatch was first */
  undo(id: string): boolean {
    const now = this.platform.clock.now();
    return this.#change(
      "UPDATE sends SET status = 'undone', finished_at = ? WHERE id = ? AND status = 'scheduled' AND undo_until > ?",
      [now, id, now],
    );
  }

  /**
   * Claims a send whose window is over for an attempt, and counts the attempt unless an earlier one may have succeeded.
   * A send that was canceled first is returned as `undone`. @returns the send after the change
   */
  take(id: string): Send | null {
    const now = this.platform.clock.now();
    return this.platform.db.writeLazily(() => {
      this.#change(
        `UPDATE sends SET status = 'sending', first_attempt_at = coalesce(first_attempt_at, ?)
         WHERE id = ? AND status = 'scheduled' AND undo_until <= ?`,
        [now, id, now],
      );
      this.#change(
        `UPDATE sends SET attempts = attempts + 1, next_attempt_at = NULL
         WHERE id = ? AND status = 'sending' AND handed_over_at IS NULL`,
        [id],
      );
      return this.get(id);
    });
  }

  /**
   * Ends the window of a send that was accepted while the clock was ahead. A send scheduled for a time of day keeps it.
   */
  endWindow(id: string): void {
    const now = this.platform.clock.now();
    this.#change(
      "UPDATE sends SET undo_until = ?1 WHERE id = ?2 AND status = 'scheduled' AND scheduled_at IS NULL AND created_at > ?1",
      [now, id],
    );
  }

  /** Marks the last moment at which the server cannot have the whole message. Must be on disk before it can. */
  markHandedOver(id: string): boolean {
    return this.#change("UPDATE sends SET handed_over_at = ? WHERE id = ? AND status = 'sending'", [
      this.platform.clock.now(),
      id,
    ]);
  }

  /** Records that the server did not take the message and that it will be retried. */
  waitForRetry(send: Send, at: number, detail: string): void {
    this.#change(
      `UPDATE sends SET handed_over_at = NULL, next_attempt_at = ?, outcome = ? WHERE id = ? AND status = 'sending'`,
      [at, this.#seal(send, { reason: null, detail, rejected: [] }), send.id],
    );
  }

  /**
   * Records that the message was sent. Until it is stored here it keeps its draft, so that it can be composed again.
   */
  markSent(send: Send, rejected: RejectedRecipient[]): boolean {
    const outcome = rejected.length === 0 ? null : { reason: null, detail: "", rejected };
    return this.#change(
      `UPDATE sends SET status = 'sent', outcome = ?, next_attempt_at = NULL, finished_at = ?
       WHERE id = ? AND status = 'sending'`,
      [outcome && this.#seal(send, outcome), this.platform.clock.now(), send.id],
    );
  }

  /**
   * Records that the message is stored here, or never will be. Its draft is removed with this. @returns false when that
   * was recorded before
   */
  markStored(send: Send, as: Pick<Send, "thread_id" | "message_id" | "copy">): boolean {
    return this.#change(
      `UPDATE sends SET draft_id = NULL, thread_id = ?, message_id = ?, copy = ?
       WHERE id = ? AND status = 'sent' AND draft_id IS NOT NULL`,
      [as.thread_id, as.message_id, as.copy, send.id],
    );
  }

  markFailed(send: Send, reason: FailReason, detail: string): boolean {
    return this.#change(
      `UPDATE sends SET status = 'failed', outcome = ?, next_attempt_at = NULL, finished_at = ?
       WHERE id = ? AND status = 'sending'`,
      [this.#seal(send, { reason, detail, rejected: [] }), this.platform.clock.now(), send.id],
    );
  }

  /** Records that the copy is in the provider's Sent folder. */
  markCopied(id: string): void {
    this.#change("UPDATE sends SET copy = 'placed' WHERE id = ? AND copy = 'wanted'", [id]);
  }

  /** Records that the server's copy of a sent message was seen. */
  markCopySeen(message_id: string): void {
    this.#change("UPDATE sends SET copy = 'placed' WHERE message_id = ? AND copy = 'wanted'", [message_id]);
  }

  /** Returns the user's send with this Message-ID. A reply may arrive in another of their mailboxes. */
  byMessageId(user_id: string, message_id_header: string): Send | null {
    const tag = messageIdTag(this.platform.keyring.forUser(user_id), message_id_header);
    const candidates = this.platform.db.sql
      .query<StoredSend, [string, Uint8Array]>(
        `SELECT ${COLUMNS} FROM sends WHERE user_id = ? AND msgid_hmac = ? ORDER BY id`,
      )
      .all(user_id, tag);
    // Other messages can share the tag by chance.
    return (
      candidates.map((row) => this.#view(row)).find((send) => send.message_id_header === message_id_header) ?? null
    );
  }

  /** Returns sends that have not ended, and when each is due, ms. */
  open(): { id: string; user_id: string; run_at: number }[] {
    return this.platform.db.sql
      .query<Pick<SendRow, "id" | "user_id"> & { run_at: number }, []>(
        `SELECT id, user_id, coalesce(next_attempt_at, undo_until) AS run_at FROM sends
         WHERE status IN ('scheduled', 'sending')`,
      )
      .all();
  }

  #change(statement: string, values: (string | number | Uint8Array | null)[]): boolean {
    return this.platform.db.sql.query(statement).run(...values).changes > 0;
  }

  #seal(send: Send, outcome: SendOutcome): Uint8Array {
    return this.platform.keyring.forUser(send.user_id).sealJson(`sends.outcome:${send.id}`, outcome);
  }

  #view({ info, outcome, ...row }: StoredSend): Send {
    const sealer = this.platform.keyring.forUser(row.user_id);
    return {
      ...row,
      ...sealer.openJson(`sends.info:${row.id}`, info),
      outcome: outcome && sealer.openJson(`sends.outcome:${row.id}`, outcome),
    };
  }
}
