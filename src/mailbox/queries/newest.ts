import type { Platform } from "../../platform/platform.ts";
import { type MessageEnvelope, openEnvelope } from "../store/envelope.ts";
import type { MessageRow } from "../store/tables.ts";

/**
 * Returns the newest message of a thread that is not a draft, which is the one that a reply answers. Null when there is
 * none.
 */
export function newestMessage(platform: Platform, user_id: string, thread_id: string): MessageEnvelope | null {
  const row = platform.db.sql
    .query<Pick<MessageRow, "id" | "head">, [string]>(
      `SELECT id, head FROM messages WHERE thread_id = ? AND is_draft = 0 ORDER BY internal_date DESC, id DESC LIMIT 1`,
    )
    .get(thread_id);
  return row && openEnvelope(platform.keyring.forUser(user_id), row.id, row.head);
}
