import type { Caller } from "../../http/guard/caller.ts";
import { isoTime } from "../../kernel/clock.ts";
import { notFound } from "../../kernel/errors.ts";
import type { ConfirmedSends } from "../../outbound/approvals/service.ts";
import type { Approval } from "../../outbound/approvals/store.ts";
import type { Sender } from "../../outbound/sends/schedule.ts";
import type { Users } from "../../platform/identity/users.ts";
import { bodyForms, bodyKind } from "../../wire/smtp/body.ts";
import { personOf } from "./assistants.ts";
import type { ApprovalItem, ApprovalView, Approved } from "./model.ts";

const MAX_LISTED = 100;

/** The sends of assistants that wait for a person, in their mail and in their sandbox. */
export class Approvals {
  constructor(
    private readonly users: Users,
    private readonly sends: ConfirmedSends,
  ) {}

  /** Returns the newest approvals. @param waiting true: only those that can still be decided */
  list(caller: Caller, waiting: boolean): ApprovalItem[] {
    return this.#of(caller, waiting)
      .sort((a, b) => (a.id < b.id ? 1 : -1))
      .slice(0, MAX_LISTED)
      .map((approval) => this.#item(approval));
  }

  /** Returns how many sends wait. */
  count(caller: Caller): number {
    return this.#userIds(caller).reduce((sum, user_id) => sum + this.sends.store.countWaiting(user_id), 0);
  }

  /** @throws ApiError not_found */
  get(caller: Caller, id: string): ApprovalView {
    const approval = this.#owned(caller, id);
    const { preview, options, reasons, draft_id, send_id } = approval;
    const { from, to, cc, bcc, body, attachments } = preview;
    return {
      ...this.#item(approval),
      ...{ from, to, cc, bcc, attachments, reasons, draft_id, send_id },
      text: bodyForms(body).text,
      html: bodyKind(body) === "html" ? body : null,
      scheduled_at: timeOrNull(options.scheduled_at),
      undo_window_s: options.undo_window_s,
    };
  }

  /** Closes an approval whose draft has changed, and commits that. @throws ApiError not_found, approval_closed */
  closeIfChanged(caller: Caller, id: string): void {
    this.sends.closeIfChanged(this.#decider(caller, id), id);
  }

  /** Sends what waits. @throws ApiError as `ConfirmedSends.approve` */
  approve(caller: Caller, id: string): Approved {
    const send = this.sends.approve(this.#decider(caller, id), id);
    const { undo_until, scheduled_at } = send;
    return { send_id: send.id, undo_until: isoTime(undo_until), scheduled_at: timeOrNull(scheduled_at) };
  }

  /** Ends an approval. Nothing is sent. @throws ApiError not_found, approval_closed */
  reject(caller: Caller, id: string): void {
    this.sends.reject(this.#decider(caller, id), id);
  }

  /** Returns the person as the sender from the mail that the approval belongs to. @throws ApiError not_found */
  #decider(caller: Caller, id: string): Sender {
    const { user_id } = this.#owned(caller, id);
    return { ...caller, user_id, user: this.users.get(user_id)!, account_id: null };
  }

  #owned(caller: Caller, id: string): Approval {
    for (const user_id of this.#userIds(caller)) {
      const approval = this.sends.store.get(user_id, id);
      if (approval && approval.state !== "confirmed") return approval;
    }
    throw notFound("approval");
  }

  #of(caller: Caller, waiting: boolean): Approval[] {
    return this.#userIds(caller).flatMap((user_id) => this.sends.store.list(user_id, { waiting, limit: MAX_LISTED }));
  }

  #userIds(caller: Caller): string[] {
    return this.users.rowsOf(personOf(caller));
  }

  #item({ id, user_id, state, asker, preview, created_at, expires_at, decided_at }: Approval): ApprovalItem {
    const { to, cc, bcc, subject } = preview;
    return {
      ...{ id, state, asked_by: asker, subject },
      sandbox: this.users.get(user_id)?.sandbox_of !== null,
      recipients: [...to, ...cc, ...bcc],
      created_at: isoTime(created_at),
      expires_at: isoTime(expires_at),
      decided_at: timeOrNull(decided_at),
    };
  }
}

const timeOrNull = (ms: number | null): string | null => (ms === null ? null : isoTime(ms));
