import type { Platform } from "../../platform/platform.ts";
import { messageWithId } from "../threading/identity.ts";

/**
 * What the sync found in each account's Drafts folder, as a text that changes when messages come or go there; of accounts
 * that have such a folder.
 */
export function draftsFolderContents(platform: Platform): Map<string, string> {
  const rows = platform.db.sql
    .query<{ account_id: string; contents: string }, []>(
      `SELECT f.account_id, f.id || ' ' || count(l.uid) || ' ' || coalesce(sum(l.uid), 0) AS contents
       FROM folders f LEFT JOIN locations l ON l.folder_id = f.id
       WHERE f.role = 'drafts' AND f.replaced_by IS NULL GROUP BY f.id`,
    )
    .all();
  return new Map(rows.map(({ account_id, contents }) => [account_id, contents]));
}

/** The message of an account, none of its drafts, that has this Message-ID; null when it is not here. */
export function messageOfMessageId(
  platform: Platform,
  account: { id: string; user_id: string },
  messageIdHeader: string,
): { message_id: string; thread_id: string } | null {
  const found = messageWithId(platform, account, messageIdHeader, "noDraft");
  return found && { message_id: found.id, thread_id: found.thread_id };
}

/** The thread of the message of an account that has the first of these Message-IDs which is known; null when none is. */
export function threadOfMessageIds(
  platform: Platform,
  account: { id: string; user_id: string },
  message_ids: readonly string[],
): string | null {
  for (const message_id of message_ids) {
    const found = messageOfMessageId(platform, account, message_id);
    if (found) return found.thread_id;
  }
  return null;
}
