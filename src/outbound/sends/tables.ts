import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { hmac, sealed, time } from "../../platform/db/columns.ts";
import type { FailReason } from "./classify.ts";

/** The details of a send, kept after its draft is gone; sealed. */
export interface SendInfo {
  /** The Message-ID header, with angle brackets. */
  message_id_header: string;
  /** Address without a name. */
  from: string;
  to: string[];
  cc: string[];
  bcc: string[];
  subject: string;
}

/** A recipient that the server refused while accepting the message for others. */
export interface RejectedRecipient {
  recipient: string;
  detail: string;
}

/** How a send ended, or why it waits; sealed. */
export interface SendOutcome {
  /** Null while it is retried, and for sent messages. */
  reason: FailReason | null;
  /** The server's reply. */
  detail: string;
  rejected: RejectedRecipient[];
}

export const sends = sqliteTable("sends", {
  id: text().primaryKey(),
  user_id: text().notNull(),
  account_id: text().notNull(),
  /** The API key that requested it. */
  key_id: text(),
  /** The pool whose sends of the day it counts against. */
  pool_id: text().notNull(),
  /** The draft that is sent, or that returned to the drafts; null once sent. */
  draft_id: text(),
  status: text().$type<"scheduled" | "sending" | "sent" | "failed" | "undone">().notNull(),
  /** It can be cancelled until then. */
  undo_until: time().notNull(),
  scheduled_at: time(),
  attempts: integer().notNull(),
  /** Time of the first attempt, which is also in the Date header. */
  first_attempt_at: time(),
  /** Set after a temporary failure. */
  next_attempt_at: time(),
  /** The server may have the message from then on; null: it certainly does not. */
  handed_over_at: time(),
  /** Thread of the sent message, by our id. */
  thread_id: text(),
  message_id: text(),
  /** State of the copy in Sent; null: none is made. */
  copy: text().$type<"wanted" | "placed">(),
  /** Tag of the Message-ID, which links bounces and copies to the send. */
  msgid_hmac: hmac(16).notNull(),
  info: sealed<SendInfo>().notNull(),
  outcome: sealed<SendOutcome>(),
  created_at: time().notNull(),
  finished_at: time(),
});
export type SendRow = typeof sends.$inferSelect;
