import { ApiError, invalidParam } from "../../kernel/errors.ts";
import { type Accounts, reasonWithoutServer } from "../../mailbox/accounts/accounts.ts";
import { type MeteredUser, poolOf } from "../../platform/ledger/meters.ts";
import type { Platform } from "../../platform/platform.ts";
import { parseRecipients } from "../../wire/smtp/addresses.ts";
import { messageIdFor } from "../../wire/smtp/reply.ts";
import { checkRecipients, senderOf } from "../drafts/checks.ts";
import type { Drafts, NewDraft, Writer } from "../drafts/drafts.ts";
import type { Draft, DraftStore } from "../drafts/store.ts";
import { newKeyCap } from "./cap.ts";
import { DISPATCH_JOB, type Send, type SendStore } from "./store.ts";

/** The sender: the key counts against its reduced cap, the user against the plan's. */
export interface Sender extends Writer {
  key: { id: string; created_at: number; readsContext?: boolean };
  user: MeteredUser & { id: string };
}

export interface SendOptions {
  /** Seconds, 0–30, fractions allowed. */
  undo_window_s: number;
  /** ms; if absent, as soon as the undo window is over. */
  scheduled_at?: number;
}

export interface ScheduleParts {
  platform: Platform;
  accounts: Accounts;
  drafts: Drafts;
  draftStore: DraftStore;
  sends: SendStore;
}

const DAY_MS = 86_400_000;
const LATEST_MS = 366 * DAY_MS;

/**
 * Accepts messages for sending. Send, job, usage and audit rows commit together before the response is returned, so an
 * accepted send is carried out even after a crash (docs/sending.md, "Sending": nothing is sent without an undo window
 * and a cap).
 */
export class Scheduler {
  constructor(private readonly parts: ScheduleParts) {}

  /**
   * Sends a draft, which is locked until the send has ended. @throws ApiError not_found, draft_locked, invalid_params,
   * quota_exceeded
   */
  sendDraft(sender: Sender, draft_id: string, options: SendOptions): Send {
    return this.parts.platform.db.write(() =>
      this.#schedule(sender, this.parts.drafts.unlocked(sender, draft_id), options),
    );
  }

  /**
   * Composes and sends in one call. The draft stays hidden unless the send is canceled or fails. @throws as `sendDraft`
   */
  sendNow(sender: Sender, message: NewDraft, options: SendOptions): Send {
    const { platform, drafts, draftStore } = this.parts;
    return platform.db.write(() => {
      const draft_id = drafts.compose(sender, message, { hidden: true });
      return this.#schedule(sender, draftStore.get(draft_id)!, options);
    });
  }

  /**
   * Checks everything that scheduling a draft checks, except the caps. Changes nothing.
   * @throws ApiError invalid_params
   */
  check(draft: Draft, options: SendOptions): void {
    this.#checked(draft, options, this.parts.platform.clock.now());
  }

  /** Returns the addresses and the end of the window of a draft that can be sent. @throws ApiError invalid_params */
  #checked(draft: Draft, options: SendOptions, now: number) {
    const { accounts } = this.parts;
    const undo_until = undoUntil(options, now);
    const account = accounts.get(draft.account_id)!;
    if (account.provider === "imported") {
      throw invalidParam("account_id", `${reasonWithoutServer(account)} It cannot send mail.`);
    }
    if (account.read_only)
      throw invalidParam(
        "account_id",
        "This mailbox is connected read-only and cannot send mail. Choose another mailbox.",
      );
    if (account.provider !== "sandbox" && !accounts.connection(account)?.smtp) {
      throw invalidParam("account_id", "This mailbox has no outgoing mail server (SMTP).");
    }
    const from = senderOf(account, draft.from).email;
    const { to, cc, bcc } = addressesOf(draft);
    if (to.length + cc.length + bcc.length === 0) throw invalidParam("to", "At least one recipient is required.");
    return { from, to, cc, bcc, undo_until };
  }

  #schedule(sender: Sender, draft: Draft, options: SendOptions): Send {
    const { platform, sends, draftStore } = this.parts;
    // Read once, so that the send counts on the day of its timestamp.
    const now = platform.clock.now();
    const { from, to, cc, bcc, undo_until } = this.#checked(draft, options, now);
    this.#spend(sender, now);
    const id = platform.newId("send");
    const { user_id, account_id, subject } = draft;
    const message_id_header = messageIdFor(id, from);
    const about = { message_id_header, from, to, cc, bcc, subject };
    const key_id = sender.key.id;
    const scheduled_at = options.scheduled_at ?? null;
    const pool_id = poolOf(sender.user);
    const times = { undo_until, scheduled_at, created_at: now };
    sends.insert({ id, user_id, account_id, key_id, pool_id, draft_id: draft.id, ...times, ...about });
    if (!draftStore.lock(draft.id, id)) throw new ApiError("draft_locked", "This draft is already being sent.");
    platform.jobs.enqueue({
      kind: DISPATCH_JOB,
      dedupe_key: id,
      user_id,
      payload: { send_id: id },
      run_at: undo_until,
    });
    const { actor, request_id } = sender;
    const after = { draft_id: draft.id, account_id, to, cc, bcc, subject, undo_until, scheduled_at };
    platform.audit.record({ user_id, actor, action: "send.schedule", target: id, after, request_id });
    return sends.get(id)!;
  }

  /** Counts the send against the key's first day and the plan's day. @throws ApiError quota_exceeded */
  #spend({ user, key }: Sender, now: number): void {
    const { platform, sends } = this.parts;
    const { meters } = platform;
    const cap = newKeyCap(platform, sends, key, now);
    if (cap && cap.used >= cap.limit) {
      throw new ApiError(
        "quota_exceeded",
        `A key can send at most ${cap.limit} messages in its first 24 hours. Wait, or use an older key.`,
        {
          retryAfterS: Math.ceil((cap.endsAt - now) / 1000),
        },
      );
    }
    const limit = meters.limits(user).sends_per_day;
    if (meters.spend("sends", poolOf(user), 1, limit, now)) return;
    const retryAfterS = Math.ceil((meters.resetsAt(now) - now) / 1000);
    throw new ApiError(
      "quota_exceeded",
      `The plan's ${limit} sends for today are used up. The quota resets at midnight UTC.`,
      { retryAfterS },
    );
  }
}

/**
 * Returns the plain addresses. They are checked again, because a stored draft may come from another program through the
 * Drafts folder.
 */
function addressesOf(draft: Draft): { to: string[]; cc: string[]; bcc: string[] } {
  checkRecipients(draft);
  const emails = (field: "to" | "cc" | "bcc") => parseRecipients(field, draft[field]).map(({ email }) => email);
  return { to: emails("to"), cc: emails("cc"), bcc: emails("bcc") };
}

/**
 * Returns when the window ends and dispatch begins (docs/sending.md, "Undo window and schedule": the later of
 * scheduled_at and now + undo_window_s).
 */
function undoUntil({ undo_window_s, scheduled_at }: SendOptions, now: number): number {
  const windowEnd = now + Math.round(undo_window_s * 1000);
  if (scheduled_at === undefined) return windowEnd;
  if (scheduled_at < now) throw invalidParam("scheduled_at", "scheduled_at is in the past. Choose a future time.");
  if (scheduled_at > now + LATEST_MS) throw invalidParam("scheduled_at", "scheduled_at can be at most one year ahead.");
  return Math.max(scheduled_at, windowEnd);
}
