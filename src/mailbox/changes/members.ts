import type { Db } from "../../platform/db/open.ts";
import type { FolderRole } from "../store/state.ts";
import type { MessageRow } from "../store/tables.ts";
import { type Movable, messageState } from "./move.ts";

/** A message of a thread, with what changes need to know about it. */
export interface Member extends Movable {
  unread: boolean;
  starred: boolean;
  is_draft: boolean;
}

type StoredMember = Pick<MessageRow, "id" | "internal_date" | "unread" | "starred" | "is_draft"> & {
  roles: string | null;
  pending: string | null;
};

/**
 * Returns the messages of a thread, oldest first, with the roles of their folders, including moves that are not on the
 * server yet.
 */
export function threadMembers(db: Db, thread_id: string): Member[] {
  return db.sql
    .query<StoredMember, [string]>(
      `SELECT m.id, m.internal_date, m.unread, m.starred, m.is_draft,
         (SELECT group_concat(f.role) FROM locations l JOIN folders f ON f.id = l.folder_id WHERE l.message_id = m.id) AS roles,
         (SELECT value FROM pending_changes p WHERE p.message_id = m.id AND p.field = 'folder') AS pending
       FROM messages m WHERE m.thread_id = ? ORDER BY m.internal_date, m.id`,
    )
    .all(thread_id)
    .map(({ roles, pending, unread, starred, is_draft, ...row }) => ({
      ...row,
      roles: (pending ? [pending] : (roles?.split(",") ?? [])) as FolderRole[],
      unread: unread === 1,
      starred: starred === 1,
      is_draft: is_draft === 1,
    }));
}

/**
 * Returns the message that "unread" and "starred" apply to: the newest received one, else the newest that is not a
 * draft.
 */
export function newestReceived(members: readonly Member[]): Member | null {
  return (
    members.findLast((member) => !member.is_draft && messageState(member.roles) !== null) ??
    members.findLast((member) => !member.is_draft) ??
    members.at(-1) ??
    null
  );
}
