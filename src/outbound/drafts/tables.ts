import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { flag, hmac, sealed, time } from "../../platform/db/columns.ts";

/** The text and recipients of a draft, sealed as one record. Recipients are stored as given: "a@b" or "Name <a@b>". */
export interface DraftContent {
  /** One of the account's addresses; null for the account's own address. */
  from: string | null;
  to: string[];
  cc: string[];
  bcc: string[];
  subject: string;
  /** Plain text or simple HTML. */
  body: string;
  /** Message-IDs with angle brackets, of the answered message and of those before it. */
  in_reply_to: string | null;
  references: string[];
  /** Message-ID of its copy in the server's Drafts folder, with angle brackets; null until there has been one. */
  message_id: string | null;
}

export const drafts = sqliteTable("drafts", {
  id: text().primaryKey(),
  user_id: text().notNull(),
  account_id: text().notNull(),
  /** The conversation that it answers; null: new mail. */
  thread_id: text(),
  content: sealed<DraftContent>().notNull(),
  /** The send that locks the draft. */
  send_id: text(),
  /** Composed and sent in one call. */
  hidden: flag().notNull(),
  /** Counts the changes of its content. */
  revision: integer().notNull(),
  /** The revision in the Drafts folder of the server; 0: none. */
  placed: integer().notNull(),
  /** Location of that copy; null: there is none. */
  uidvalidity: integer(),
  uid: integer(),
  /** HMAC of the Message-ID of that copy. */
  msgid_hmac: hmac(),
  /** When it was first found missing there. */
  missing_at: time(),
  created_at: time().notNull(),
  updated_at: time().notNull(),
  /** Whether anyone who wrote it could read what the user keeps about clients. */
  context_reader: flag().notNull(),
});
export type DraftRow = typeof drafts.$inferSelect;

/** Copies to remove from the Drafts folder of the server. */
export const draftRemains = sqliteTable(
  "draft_remains",
  {
    account_id: text().notNull(),
    uidvalidity: integer().notNull(),
    uid: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.account_id, t.uidvalidity, t.uid] })],
);
export type DraftRemainRow = typeof draftRemains.$inferSelect;

/** Attachments of drafts. Their bytes are blobs under the ids of the draft and the attachment. */
export const draftAttachments = sqliteTable("draft_attachments", {
  id: text().primaryKey(),
  draft_id: text().notNull(),
  size: integer().notNull(),
  info: sealed<{ name: string; mime: string; content_id: string | null }>().notNull(),
  created_at: time().notNull(),
});
export type DraftAttachmentRow = typeof draftAttachments.$inferSelect;
