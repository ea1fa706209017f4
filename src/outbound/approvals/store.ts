import type { Actor } from "../../platform/ledger/audit.ts";
import type { Platform } from "../../platform/platform.ts";
import type { ApprovalState } from "./modes.ts";
import type { ApprovalRequest, SendApprovalRow } from "./tables.ts";

/** Maximum time for which a send waits for a person, ms. */
const APPROVAL_MS = 24 * 60 * 60_000;

export interface Approval extends ApprovalRequest {
  id: string;
  user_id: string;
  account_id: string;
  credential_id: string;
  draft_id: string;
  state: ApprovalState;
  send_id: string | null;
  created_at: number;
  expires_at: number;
  decided_at: number | null;
}

export interface NewApproval
  extends Pick<Approval, "user_id" | "account_id" | "credential_id" | "draft_id" | "send_id"> {
  /** Only an HMAC of it is kept. */
  confirmation: string;
  state: "waiting" | "confirmed";
  request: ApprovalRequest;
}

/** The credential and the request that tried to send. */
interface SendRequester {
  user_id: string;
  actor: Actor;
  request_id: string | null;
}

type StoredApproval = Omit<SendApprovalRow, "confirmation_hmac">;

const COLUMNS =
  "id, user_id, account_id, credential_id, draft_id, state, request, send_id, created_at, expires_at, decided_at";

/** Stores sends that wait for a person. The only owner of the `send_approvals` table. */
export class ApprovalStore {
  constructor(private readonly platform: Platform) {}

  insert(approval: NewApproval): Approval {
    const { db, keyring, newId, clock } = this.platform;
    const id = newId("approval");
    const sealer = keyring.forUser(approval.user_id);
    const now = clock.now();
    db.sql
      .query(
        `INSERT INTO send_approvals (id, user_id, account_id, credential_id, draft_id, confirmation_hmac, state, request,
           send_id, created_at, expires_at, decided_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        id,
        approval.user_id,
        approval.account_id,
        approval.credential_id,
        approval.draft_id,
        sealer.longHmac("send-confirmation", approval.confirmation),
        approval.state,
        sealer.sealJson(context(id), approval.request),
        approval.send_id,
        now,
        now + APPROVAL_MS,
        approval.state === "waiting" ? null : now,
      );
    return this.get(approval.user_id, id)!;
  }

  /** Returns an approval of a user; null for one of someone else, whose row is not opened. */
  get(user_id: string, id: string): Approval | null {
    const row = this.platform.db.sql
      .query<StoredApproval, [string, string]>(`SELECT ${COLUMNS} FROM send_approvals WHERE id = ? AND user_id = ?`)
      .get(id, user_id);
    return row && this.#view(row);
  }

  /** Returns the approval that a confirmation has made; null: none. */
  byConfirmation(user_id: string, confirmation: string): Approval | null {
    const hmac = this.platform.keyring.forUser(user_id).longHmac("send-confirmation", confirmation);
    const row = this.platform.db.sql
      .query<StoredApproval, [Uint8Array, string]>(
        `SELECT ${COLUMNS} FROM send_approvals WHERE confirmation_hmac = ? AND user_id = ?`,
      )
      .get(hmac, user_id);
    return row && this.#view(row);
  }

  /**
   * Returns the approvals of a user, newest first. @param waiting true: only those that a person can still decide
   */
  list(user_id: string, { waiting, limit }: { waiting: boolean; limit: number }): Approval[] {
    return this.platform.db.sql
      .query<StoredApproval, Record<string, string | number | null>>(
        `SELECT ${COLUMNS} FROM send_approvals
         WHERE user_id = $user AND ($waiting = 0 OR (state = 'waiting' AND expires_at > $now)) AND state <> 'confirmed'
         ORDER BY id DESC LIMIT $limit`,
      )
      .all({
        user: user_id,
        waiting: waiting ? 1 : 0,
        now: this.platform.clock.now(),
        limit,
      })
      .map((row) => this.#view(row));
  }

  /** Returns the approvals of one credential or draft that can still be decided, oldest first. */
  waitingOf(what: "credential_id" | "draft_id", id: string): Approval[] {
    return this.platform.db.sql
      .query<StoredApproval, [string, number]>(
        `SELECT ${COLUMNS} FROM send_approvals WHERE ${what} = ? AND state = 'waiting' AND expires_at > ? ORDER BY id`,
      )
      .all(id, this.platform.clock.now())
      .map((row) => this.#view(row));
  }

  /** Returns the approvals of all users that can still be decided, oldest first. */
  allWaiting(): Approval[] {
    return this.platform.db.sql
      .query<StoredApproval, [number]>(
        `SELECT ${COLUMNS} FROM send_approvals WHERE state = 'waiting' AND expires_at > ? ORDER BY id`,
      )
      .all(this.platform.clock.now())
      .map((row) => this.#view(row));
  }

  /** Returns every second step of a user, with its outcome, oldest first: for the export. */
  *all(user_id: string): Generator<Approval> {
    const rows = this.platform.db.sql
      .query<StoredApproval, [string]>(`SELECT ${COLUMNS} FROM send_approvals WHERE user_id = ? ORDER BY id`)
      .all(user_id);
    for (const row of rows) yield this.#view(row);
  }

  /** Returns how many approvals of a user can still be decided. */
  countWaiting(user_id: string): number {
    return this.platform.db.sql
      .query<{ n: number }, [string, number]>(
        "SELECT count(*) AS n FROM send_approvals WHERE user_id = ? AND state = 'waiting' AND expires_at > ?",
      )
      .get(user_id, this.platform.clock.now())!.n;
  }

  /** Ends a waiting approval. @returns false when it does not wait any more */
  decide(id: string, state: "approved" | "rejected" | "withdrawn" | "void", send_id: string | null = null): boolean {
    const now = this.platform.clock.now();
    const { changes } = this.platform.db.sql
      .query(
        `UPDATE send_approvals SET state = ?, send_id = ?, decided_at = ?
         WHERE id = ? AND state = 'waiting' AND expires_at > ?`,
      )
      .run(state, send_id, now, id, now);
    return changes > 0;
  }

  /** Records a second step that sent nothing: that an assistant tried is part of what a person can look up. */
  recordUnsent(
    { user_id, ...by }: SendRequester,
    draft_id: string,
    outcome: "declined" | "refused",
    code?: string,
  ): void {
    const { audit, db } = this.platform;
    const after = { draft_id, ...(code && { code }) };
    const { actor, request_id } = by;
    db.write(() => audit.record({ user_id, actor, action: `send.${outcome}`, target: draft_id, after, request_id }));
  }

  /** Deletes approvals that were asked before `beforeMs`. */
  prune(beforeMs: number): void {
    this.platform.db.sql.query("DELETE FROM send_approvals WHERE created_at < ?").run(beforeMs);
  }

  #view({ request, ...row }: StoredApproval): Approval {
    const { keyring, clock } = this.platform;
    const opened = keyring.forUser(row.user_id).openJson(context(row.id), request);
    const isExpired = row.state === "waiting" && row.expires_at <= clock.now();
    return { ...row, ...opened, state: isExpired ? "expired" : row.state };
  }
}

const context = (id: string): string => `send_approvals.request:${id}`;
