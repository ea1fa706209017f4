import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { hmac, sealed, time } from "../../platform/db/columns.ts";
import type { ConfirmedOptions } from "./confirmation.ts";
import type { ApprovalState, CONFIRM_MODES, RECIPIENT_MODES } from "./modes.ts";

/** Rules for sending through the tool server with a key or connection. Without a row, the defaults apply. */
export const sendingPolicies = sqliteTable("sending_policies", {
  credential_id: text().primaryKey(),
  user_id: text().notNull(),
  confirm: text().$type<(typeof CONFIRM_MODES)[number]>().notNull(),
  recipients: text().$type<(typeof RECIPIENT_MODES)[number]>().notNull(),
  /** Messages per UTC day. */
  sends_per_day: integer().notNull(),
});
export type SendingPolicyRow = typeof sendingPolicies.$inferSelect;

/** The credential that asked. */
export interface Asker {
  kind: "key" | "connection";
  id: string;
  /** Name that the user recognizes: that of the key or of the assistant. */
  name: string;
}

/** The message as it would be sent, for the person who decides. */
export interface SendPreview {
  from: string;
  to: string[];
  cc: string[];
  bcc: string[];
  subject: string;
  /** As stored in the draft: plain text or simple HTML. */
  body: string;
  attachments: { id: string; name: string; mime: string; size: number }[];
}

/** The request of an assistant, as shown to the person who decides; stored sealed. */
export interface ApprovalRequest {
  asker: Asker;
  preview: SendPreview;
  options: ConfirmedOptions;
  /** Digest of the draft that was shown. */
  content: string;
  /** Why a person must decide, as sentences. */
  reasons: string[];
}

/** Second steps of sends by assistants: those that wait for a person, and the outcome of the others. */
export const sendApprovals = sqliteTable("send_approvals", {
  id: text().primaryKey(),
  user_id: text().notNull(),
  account_id: text().notNull(),
  credential_id: text().notNull(),
  draft_id: text().notNull(),
  /** HMAC of the confirmation, so that one confirmation has one outcome. */
  confirmation_hmac: hmac(256).notNull().unique(),
  state: text().$type<Exclude<ApprovalState, "expired">>().notNull(),
  request: sealed<ApprovalRequest>().notNull(),
  send_id: text(),
  created_at: time().notNull(),
  expires_at: time().notNull(),
  decided_at: time(),
});
export type SendApprovalRow = typeof sendApprovals.$inferSelect;
