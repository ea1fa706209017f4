import type { Platform } from "../../platform/platform.ts";
import { openEnvelope, openText } from "./envelope.ts";
import type { IncomingAttachment, IncomingMessage } from "./incoming.ts";

/** The parts of an arriving message that the mailbox keeps. */
export type KeptOfMessage = Omit<
  IncomingMessage,
  "folder_id" | "uid" | "flags" | "flags_untold" | "labels" | "views" | "flags_hash" | "server_thread_id" | "headers"
>;

interface StoredRow {
  n: number;
  user_id: string;
  internal_date: number;
  size: number;
  head: Uint8Array;
  text: Uint8Array;
  html: Uint8Array | null;
}

interface StoredAttachment {
  id: string;
  idx: number;
  part: string | null;
  encoding: string | null;
  size: number;
  info: Uint8Array;
}

/** Opens a stored message, with attachments but without their bytes. Returns null when it no longer exists. */
export function keptOfMessage({ db, keyring }: Platform, message_id: string): KeptOfMessage | null {
  const row = db.sql
    .query<StoredRow, [string]>(
      `SELECT m.n, m.user_id, m.internal_date, m.size, m.head, b.text, b.html
       FROM messages m JOIN bodies b ON b.n = m.n WHERE m.id = ?`,
    )
    .get(message_id);
  if (!row) return null;
  const sealer = keyring.forUser(row.user_id);
  const {
    subject,
    from,
    reply_to,
    to,
    cc,
    bcc,
    date,
    message_id: header,
    in_reply_to,
    references,
  } = openEnvelope(sealer, message_id, row.head);
  const { text, body_text, new_text } = openText(sealer, message_id, row.text);
  const attachments = db.sql
    .query<StoredAttachment, [string]>(
      "SELECT id, idx, part, encoding, size, info FROM attachments WHERE message_id = ? ORDER BY idx",
    )
    .all(message_id)
    .map(({ id, idx, info, ...attachment }): IncomingAttachment => {
      const { content_id, ...named } = sealer.openJson<
        Pick<IncomingAttachment, "name" | "mime" | "disposition"> & { content_id: string | null }
      >(`attachments.info:${id}`, info);
      return { ...attachment, ...named, index: idx, contentId: content_id };
    });
  return {
    internal_date: row.internal_date,
    size: row.size,
    message_id: header,
    in_reply_to,
    references,
    subject,
    from,
    reply_to,
    to,
    cc,
    bcc,
    date,
    text,
    body_text,
    new_text,
    html: row.html === null ? null : sealer.open(`bodies.html:${message_id}`, row.html),
    attachments,
  };
}
