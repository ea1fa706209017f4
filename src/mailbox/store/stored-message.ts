import type { Platform } from "../../platform/platform.ts";
import { type MessageEnvelope, type MessageText, openEnvelope, openText, snippetOf } from "./envelope.ts";
import type { IncomingAttachment, IncomingContents, IncomingMetadata } from "./incoming.ts";
import type { AttachmentRow, BodyRow, MessageRow } from "./tables.ts";

/** One stored message, opened. Its fields have the names of the columns and sealed values. Times are ms. */
export interface StoredMessage extends MessageText {
  id: string;
  thread_id: string;
  account_id: string;
  /** The date that lists show. */
  date: number;
  internal_date: number;
  unread: boolean;
  starred: boolean;
  draft: boolean;
  category: string;
  category_reason: string;
  head: MessageEnvelope;
  /** Part of the message was left out; absent for messages stored by a version that did not record this. */
  truncated?: boolean;
  attachments: StoredAttachment[];
}

/** An attachment in the form that messages list it. */
interface StoredAttachment {
  id: string;
  name: string;
  /** Bytes, decoded. */
  size: number;
  /** `size` is an estimate, because the part has not been read yet; absent when it is exact. */
  size_estimated?: true;
  mime: string;
  /** The sender did not offer it as a file: it is part of the message's HTML, such as a picture. */
  inline: boolean;
}

type StoredRow = Pick<MessageRow, "n" | "user_id" | "internal_date" | "size" | "head"> & Pick<BodyRow, "text" | "html">;

type StoredAttachmentRow = Pick<AttachmentRow, "id" | "idx" | "part" | "encoding" | "size" | "info">;

/** Maximum number of Delivered-To headers that are kept per message. */
const MAX_DELIVERED_TO = 16;

/** Returns the envelope of an arriving message. */
export function envelopeOf(
  message: Omit<IncomingContents, "headers"> & { headers?: IncomingContents["headers"] },
): MessageEnvelope {
  const { subject, from, to, cc, bcc, date, references, headers } = message;
  const head: MessageEnvelope = {
    ...{ subject, from, reply_to: message.replyTo, to, cc, bcc, date },
    snippet: snippetOf(message.newText || message.bodyText || message.text),
    ...{ message_id: message.messageId, in_reply_to: message.inReplyTo, references },
  };
  const list_id = headers?.get("list-id")?.[0]?.trim();
  if (list_id) head.list_id = list_id;
  const delivered_to = headers?.get("delivered-to");
  if (delivered_to) head.delivered_to = delivered_to.slice(0, MAX_DELIVERED_TO);
  if (message.authentication) head.authentication = message.authentication;
  return head;
}

/**
 * Opens a stored message in the form in which it arrived, as far as the mailbox stores it: without other headers, flags
 * and the bytes of attachments. Returns null when it no longer exists.
 */
export function openStoredContent(
  { db, keyring }: Platform,
  message_id: string,
): (Omit<IncomingContents, "headers"> & Pick<IncomingMetadata, "internalDate" | "size">) | null {
  const row = db.sql
    .query<StoredRow, [string]>(
      `SELECT m.n, m.user_id, m.internal_date, m.size, m.head, b.text, b.html
       FROM messages m JOIN bodies b ON b.n = m.n WHERE m.id = ?`,
    )
    .get(message_id);
  if (!row) return null;
  const sealer = keyring.forUser(row.user_id);
  const { message_id: messageId, in_reply_to, reply_to, ...head } = openEnvelope(sealer, message_id, row.head);
  const { subject, from, to, cc, bcc, date, references } = head;
  const { text, body_text, new_text } = openText(sealer, message_id, row.text);
  const attachments = db.sql
    .query<StoredAttachmentRow, [string]>(
      "SELECT id, idx, part, encoding, size, info FROM attachments WHERE message_id = ? ORDER BY idx",
    )
    .all(message_id)
    .map(({ id, idx, info, ...attachment }): IncomingAttachment => {
      const { content_id, ...named } = sealer.openJson(`attachments.info:${id}`, info);
      return { ...attachment, ...named, index: idx, contentId: content_id };
    });
  return {
    ...{ internalDate: row.internal_date, size: row.size },
    ...{ messageId, inReplyTo: in_reply_to, references, subject, from, replyTo: reply_to, to, cc, bcc, date },
    ...{ text, bodyText: body_text, newText: new_text },
    html: row.html === null ? null : sealer.open(`bodies.html:${message_id}`, row.html),
    attachments,
  };
}
