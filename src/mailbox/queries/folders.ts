import { notFound } from "../../kernel/errors.ts";
import type { Platform } from "../../platform/platform.ts";
import { type Accounts, hasServer } from "../accounts/accounts.ts";
import type { Folder, Folders } from "../store/folders.ts";
import { FOLDER_ROLES, type FolderRole } from "../store/state.ts";
import type { MailScope } from "./scope.ts";

/** A folder of a mailbox, with what is stored of it here. */
export interface FolderUse {
  id: string;
  account_id: string;
  path: string;
  role: FolderRole;
  message_count: number;
  unread_count: number;
  /** All of its messages have been read once. */
  synced: boolean;
}

interface Count {
  messages: number;
  unread: number;
}

/** A copy is unread by its own flags; a view shows the flags of the folder that it is a view of. */
const FLAGS = "coalesce(b.flags, l.flags)";
const BASE = (view_of: string) => `LEFT JOIN locations b ON b.folder_id = ${view_of} AND b.uid = l.uid`;
/** Reads the flags of locations, because reading 100,000 messages takes a second. Unknown flags are rare. */
const COUNT = `SELECT count(*) AS messages,
    sum(CASE WHEN ${FLAGS} IS NULL THEN (SELECT unread FROM messages WHERE id = l.message_id) ELSE (${FLAGS} & 1) = 0 END)
      AS unread
  FROM locations l ${BASE("?2")} WHERE l.folder_id = ?1`;
/** What changes that are not on the server yet add to these counts. */
const NOT_MIRRORED = `SELECT l.folder_id, sum((p.value = '0') - ((${FLAGS} & 1) = 0)) AS unread
  FROM pending_changes p JOIN locations l ON l.message_id = p.message_id JOIN folders f ON f.id = l.folder_id
    ${BASE("f.view_of")}
  WHERE p.account_id = ? AND p.field = 'seen' AND ${FLAGS} IS NOT NULL GROUP BY l.folder_id`;

/** Lists folders. */
export class FolderQueries {
  constructor(
    private readonly platform: Platform,
    private readonly accounts: Accounts,
    private readonly folders: Folders,
  ) {}

  /**
   * Returns the folders of the caller's mailboxes: by mailbox, then by role, then by path.
   * @param account_id only this mailbox
   * @throws ApiError not_found when `account_id` is not a mailbox of the caller
   */
  list({ user_id, account_id: bound }: MailScope, account_id?: string): FolderUse[] {
    const accounts = this.accounts
      .list(user_id)
      .filter(({ id }) => (bound === null || id === bound) && (account_id === undefined || id === account_id));
    if (account_id !== undefined && accounts.length === 0) throw notFound("account", "account_id");
    return accounts.flatMap((account) => {
      const folders = this.folders.list(account);
      const listed = folders.filter(({ replaced_by }) => replaced_by === null).sort(byRoleAndPath);
      const counts = this.#counts(account.id, listed);
      const isRead = ({ uidvalidity, backfill_uid }: Folder) => uidvalidity !== null && backfill_uid <= 1;
      return listed.map((folder) => {
        // A view is never opened: it shows messages of another folder.
        const opened = folders.find(({ id }) => id === folder.view_of) ?? folder;
        const { messages, unread } = counts.get(folder.id)!;
        const { id, path, role } = folder;
        const synced = !hasServer(account) || isRead(opened);
        return { id, account_id: account.id, path, role, message_count: messages, unread_count: unread, synced };
      });
    });
  }

  #counts(account_id: string, folders: readonly Folder[]): Map<string, Count> {
    const { sql } = this.platform.db;
    const count = sql.query<{ messages: number; unread: number | null }, [string, string | null]>(COUNT);
    const changed = sql.query<{ folder_id: string; unread: number }, [string]>(NOT_MIRRORED).all(account_id);
    const more = new Map(changed.map(({ folder_id, unread }) => [folder_id, unread]));
    return new Map(
      folders.map(({ id, view_of }) => {
        const { messages, unread } = count.get(id, view_of)!;
        return [id, { messages, unread: (unread ?? 0) + (more.get(id) ?? 0) }];
      }),
    );
  }
}

function byRoleAndPath(a: Folder, b: Folder): number {
  const order = FOLDER_ROLES.indexOf(a.role) - FOLDER_ROLES.indexOf(b.role);
  return order || (a.path < b.path ? -1 : 1);
}
