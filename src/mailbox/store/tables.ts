import { integer, primaryKey, sqliteTable, text, unique } from "drizzle-orm/sqlite-core";
import { flag, hmac, json, sealed, time } from "../../platform/db/columns.ts";
import type { MessageEnvelope, StoredText } from "./envelope.ts";
import type { FolderRole } from "./state.ts";

export interface AttachmentInfo {
  name: string;
  mime: string;
  content_id: string | null;
  disposition: "attachment" | "inline";
}

export const folders = sqliteTable(
  "folders",
  {
    id: text().primaryKey(),
    account_id: text().notNull(),
    name: sealed<{ path: string; delimiter: string | null }>().notNull(),
    path_hmac: hmac().notNull(),
    role: text().$type<FolderRole>().notNull(),
    /** Null: never opened. */
    uidvalidity: integer(),
    /** All UIDs below it, down to `backfill_uid`, have been read. */
    uidnext: integer().notNull(),
    /** UIDs below it are still to be read; 1: none. */
    backfill_uid: integer().notNull(),
    /** Messages from this UID on arrived after the mailbox was connected. */
    live_uid: integer().notNull(),
    /** A decimal number of 64 bits. */
    highestmodseq: text(),
    server_count: integer().notNull(),
    checked_at: time(),
    /** The folder of which this one shows some messages under the same UIDs (Gmail labels). */
    view_of: text(),
    /** The folder with the new UIDVALIDITY; this one is kept until that one has been read. */
    replaced_by: text(),
    /** The server stores keywords in this folder. */
    keywords_ok: flag().notNull(),
  },
  (t) => [unique().on(t.account_id, t.path_hmac)],
);
export type FolderRow = typeof folders.$inferSelect;

export const messages = sqliteTable("messages", {
  /** For bodies and the search index; not part of the API. */
  n: integer().primaryKey(),
  id: text().notNull().unique(),
  user_id: text().notNull(),
  account_id: text().notNull(),
  thread_id: text().notNull(),
  internal_date: time().notNull(),
  /** The Date header, or `internal_date`. */
  sent_date: time().notNull(),
  /** RFC822.SIZE. */
  size: integer().notNull(),
  unread: flag().notNull(),
  starred: flag().notNull(),
  answered: flag().notNull(),
  important: flag().notNull(),
  is_draft: flag().notNull(),
  has_attachment: flag().notNull(),
  category: text().notNull(),
  category_reason: text().notNull(),
  /** Tag of the Message-ID, or of the content where there is none. */
  msgid_hmac: hmac(16).notNull(),
  /** Equal for copies of one message. */
  content_hmac: hmac(8).notNull(),
  /** Tag of the From address. */
  sender_hmac: hmac(12).notNull(),
  /** Tag of the base subject; null: too generic for threading. */
  subject_hmac: hmac(8),
  /** 2: a reply by its subject without references; 1: another reply; 0: no reply. */
  subject_kind: integer().notNull(),
  /** One bit of 16 for each participant, of an HMAC of subject and address. */
  people: hmac(16).notNull(),
  head: sealed<MessageEnvelope>().notNull(),
  /** The pass during which the message was missing from its last folder. */
  missing_pass: integer(),
  created_at: time().notNull(),
  /** 1: some text or parts were left out; null: stored by a version that did not record it. */
  truncated: flag(),
  /** 1: the user has written to its sender. */
  from_correspondent: flag().notNull(),
});
export type MessageRow = typeof messages.$inferSelect;

export const bodies = sqliteTable("bodies", {
  n: integer().primaryKey(),
  text: sealed<StoredText>().notNull(),
  html: sealed<string>(),
});
export type BodyRow = typeof bodies.$inferSelect;

/** Where messages are on the server; one message can be in several folders. */
export const locations = sqliteTable(
  "locations",
  {
    folder_id: text().notNull(),
    uid: integer().notNull(),
    message_id: text().notNull(),
    /** Hash of the flags and keywords that the server last reported. */
    flags_hash: integer().notNull(),
    /** Bits: 1 seen, 2 flagged, 4 answered, 8 draft, 16 important; null: unknown. */
    flags: integer(),
    /** Label ids; null: none. */
    labels: json<string[]>(),
  },
  (t) => [primaryKey({ columns: [t.folder_id, t.uid] })],
);
export type LocationRow = typeof locations.$inferSelect;

export const attachments = sqliteTable(
  "attachments",
  {
    id: text().primaryKey(),
    message_id: text().notNull(),
    /** Position in the message. */
    idx: integer().notNull(),
    /** IMAP part number; null: read from the whole source. */
    part: text(),
    encoding: text(),
    size: integer().notNull(),
    info: sealed<AttachmentInfo>().notNull(),
    /** 1: computed from the encoded size. */
    size_estimated: flag().notNull(),
  },
  (t) => [unique().on(t.message_id, t.idx)],
);
export type AttachmentRow = typeof attachments.$inferSelect;

export const labels = sqliteTable(
  "labels",
  {
    id: text().primaryKey(),
    user_id: text().notNull(),
    name: sealed<string>().notNull(),
    name_hmac: hmac().notNull(),
    /** The label's id in the API. It moves to another row when the label is renamed, because a row is one name. */
    api_id: text().notNull(),
  },
  (t) => [unique().on(t.user_id, t.name_hmac)],
);
export type LabelRow = typeof labels.$inferSelect;

/** Labels that are listed even without a thread. */
export const createdLabels = sqliteTable("created_labels", {
  label_id: text().notNull(),
  /** The mailbox that the key which created it is bound to; null: none. */
  account_id: text(),
  created_at: time().notNull(),
});
export type CreatedLabelRow = typeof createdLabels.$inferSelect;

export const messageLabels = sqliteTable(
  "message_labels",
  {
    message_id: text().notNull(),
    label_id: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.message_id, t.label_id] })],
);
export type MessageLabelRow = typeof messageLabels.$inferSelect;

/** Addresses that the account wrote to. */
export const correspondents = sqliteTable(
  "correspondents",
  {
    account_id: text().notNull(),
    address_hmac: hmac().notNull(),
  },
  (t) => [primaryKey({ columns: [t.account_id, t.address_hmac] })],
);

/** Messages for which message.received has been emitted. */
export const announced = sqliteTable(
  "announced",
  {
    account_id: text().notNull(),
    /** HMAC of the Message-ID or of the content. */
    identity: hmac().notNull(),
  },
  (t) => [primaryKey({ columns: [t.account_id, t.identity] })],
);
