import type { Account } from "../mailbox/accounts.ts";
import type { Folders } from "../mailbox/folders.ts";
import type { Platform } from "../platform/platform.ts";

/** A copy of a message on its server. */
export interface Place {
  path: string;
  uidvalidity: number;
  uid: number;
}

/** Where a message lies, the inbox first. Folders whose UIDs became void are left out. */
export function placesOf(platform: Platform, folders: Folders, account: Account, message_id: string): Place[] {
  const rows = platform.db.sql
    .query<{ folder_id: string; uid: number }, [string, string]>(
      `SELECT l.folder_id, l.uid FROM locations l JOIN folders f ON f.id = l.folder_id
       WHERE l.message_id = ? AND f.account_id = ? AND f.replaced_by IS NULL AND f.uidvalidity IS NOT NULL
       ORDER BY f.role <> 'inbox', l.folder_id, l.uid`,
    )
    .all(message_id, account.id);
  return rows.flatMap(({ folder_id, uid }) => {
    const folder = folders.get(account.user_id, folder_id);
    return folder && folder.uidvalidity !== null ? [{ path: folder.path, uidvalidity: folder.uidvalidity, uid }] : [];
  });
}
