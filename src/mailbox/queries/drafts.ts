import type { Platform } from "../../platform/platform.ts";
import type { FolderRow } from "../store/tables.ts";
import { messageWithId } from "../threading/identity.ts";

/**
 * Returns the contents of each account's Drafts folder, as last synced, as a text that changes when messages are added
 * or removed. Accounts without such a folder are left out.
 */
export function draftsFolderContents(platform: Platform): Map<string, string> {
  const rows = platform.db.sql
    .query<Pick<FolderRow, "account_id"> & { contents: string }, []>(
      `SELECT f.account_id, f.id || ' ' || count(l.uid) || ' ' || coalesce(sum(l.uid), 0) AS contents
       FROM folders f LEFT JOIN locations l ON l.folder_id = f.id
       WHERE f.role = 'drafts' AND f.replaced_by IS NULL GROUP BY f.id`,
    )
    .all();
  return new Map(rows.map(({ account_id, contents }) => [account_id, contents]));
}

/** Returns the message of an account that has this Message-ID and is not a draft; null when there is none. */
export function messageOfMessageId(
  platform: Platform,
  account: { id: string; user_id: string },
  message_id_header: string,
): { message_id: string; thread_id: string } | null {
  const found = messageWithId(platform, account, message_id_header, "noDraft");
  return found && { message_id: found.id, thread_id: found.thread_id };
}

/** Returns the thread of the first of these Message-IDs that a message of the account has; null when none is found. */
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
