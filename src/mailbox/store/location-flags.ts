import type { Database } from "bun:sqlite";
import type { ServerFlags } from "./incoming.ts";
import { type FolderRole, receivedState } from "./state.ts";
import type { FolderRow, LocationRow, MessageLabelRow } from "./tables.ts";

/** Bits of `locations.flags`. */
const SEEN = 1;
const FLAGGED = 2;
const ANSWERED = 4;
const DRAFT = 8;
const IMPORTANT = 16;

/** Flags and labels of one copy of a message; `flags` is null while they are unknown. */
export interface LocationFlags {
  role: FolderRole;
  flags: number | null;
  /** Label ids. */
  labels: string[];
}

/**
 * Flags and labels that a message shows. `unread` is null, meaning unchanged, while the flags of the deciding copies
 * are unknown.
 */
export interface MessageFlags {
  unread: boolean | null;
  starred: boolean;
  answered: boolean;
  draft: boolean;
  important: boolean;
  labels: string[];
}

/** Packs the flags of a message on the server into one number. */
export function packFlags(flags: ServerFlags): number {
  const { seen, flagged, answered, draft, important } = flags;
  return (
    Number(seen) * SEEN +
    Number(flagged) * FLAGGED +
    Number(answered) * ANSWERED +
    Number(draft) * DRAFT +
    Number(important) * IMPORTANT
  );
}

/**
 * Combines the copies of a message. The copy that decides the state of the message also decides whether it is read: a
 * copy in the inbox takes precedence over an archived one, and copies in Sent and Drafts decide only where there are no
 * others. Where several copies decide, all of them must be read. A star, label or other mark on any copy counts. A
 * message is a draft only if every copy is a draft.
 * @returns null when the flags of all copies are unknown
 */
export function combineFlags(copies: readonly LocationFlags[]): MessageFlags | null {
  const known = copies.filter((copy): copy is LocationFlags & { flags: number } => copy.flags !== null);
  if (known.length === 0) return null;
  const deciding = decidingCopies(copies);
  const seen = deciding.flatMap(({ flags }) => (flags === null ? [] : [(flags & SEEN) !== 0]));
  const any = (bit: number) => known.some(({ flags }) => (flags & bit) !== 0);
  return {
    unread: seen.length === 0 ? null : seen.includes(false),
    starred: any(FLAGGED),
    answered: any(ANSWERED),
    draft: known.every(({ flags }) => (flags & DRAFT) !== 0),
    important: any(IMPORTANT),
    labels: [...new Set(known.flatMap(({ labels }) => labels))],
  };
}

function decidingCopies(copies: readonly LocationFlags[]): readonly LocationFlags[] {
  const state = receivedState(copies.map(({ role }) => role));
  if (state === null) return copies;
  // As in receivedState: for mail that the user wrote, the role "all" does not count.
  const written = copies.some(({ role }) => role === "sent" || role === "drafts");
  return copies.filter(({ role }) => receivedState([role]) === state && !(written && role === "all"));
}

/** Returns the copies of a message, except those in views, which have no flags. */
export function locationFlags(sql: Database, message_id: string): LocationFlags[] {
  return sql
    .query<Pick<FolderRow, "role"> & Pick<LocationRow, "flags" | "labels">, [string]>(
      `SELECT f.role, l.flags, l.labels FROM locations l JOIN folders f ON f.id = l.folder_id
       WHERE l.message_id = ? AND f.view_of IS NULL`,
    )
    .all(message_id)
    .map(({ labels, ...row }) => ({ ...row, labels: labels === null ? [] : (JSON.parse(labels) as string[]) }));
}

/** Returns the value of `locations.labels`. */
export function packLabels(ids: readonly string[]): string | null {
  return ids.length === 0 ? null : JSON.stringify([...ids].sort());
}

/** Returns the flags and labels that a message shows, in the form of `locations.flags` and `locations.labels`. */
export function flagsOfMessage(sql: Database, message_id: string): { flags: number; labels: string | null } {
  const { flags } = sql
    .query<{ flags: number }, [string]>(
      `SELECT (1 - unread) * ${SEEN} + starred * ${FLAGGED} + answered * ${ANSWERED} + is_draft * ${DRAFT}
         + important * ${IMPORTANT} AS flags FROM messages WHERE id = ?`,
    )
    .get(message_id)!;
  const labels = sql
    .query<Pick<MessageLabelRow, "label_id">, [string]>("SELECT label_id FROM message_labels WHERE message_id = ?")
    .all(message_id)
    .map(({ label_id }) => label_id);
  return { flags, labels: packLabels(labels) };
}

/** Gives every copy with unknown flags the flags that the message shows. Call it before combining another copy. */
export function fillUnknownFlags(sql: Database, message_id: string): void {
  const unknown = "message_id = ? AND flags IS NULL AND folder_id IN (SELECT id FROM folders WHERE view_of IS NULL)";
  if (sql.query(`SELECT 1 FROM locations WHERE ${unknown}`).get(message_id) === null) return;
  const { flags, labels } = flagsOfMessage(sql, message_id);
  sql.query(`UPDATE locations SET flags = ?, labels = ? WHERE ${unknown}`).run(flags, labels, message_id);
}

/** Applies a change to all copies of a message: `field` and `value` of a PendingChange. Moves are ignored. */
export function setLocationFlag(sql: Database, message_id: string, field: string, value: string): void {
  const known = "WHERE message_id = ? AND flags IS NOT NULL";
  if (field.startsWith("label:")) {
    const id = field.slice("label:".length);
    const without = "(SELECT json_group_array(value) FROM json_each(coalesce(labels, '[]')) WHERE value <> ?1)";
    const labels = value === "1" ? `json_insert(${without}, '$[#]', ?1)` : without;
    sql.query(`UPDATE locations SET labels = nullif(${labels}, '[]') ${known.replace("?", "?2")}`).run(id, message_id);
    return;
  }
  const bit = field === "seen" ? SEEN : field === "flagged" ? FLAGGED : 0;
  if (bit === 0) return;
  const flags = value === "1" ? `flags | ${bit}` : `flags & ~${bit}`;
  sql.query(`UPDATE locations SET flags = ${flags} ${known}`).run(message_id);
}

/** Marks the server's copy in Sent as read if our copy (LocalFolder) is read: some providers file it as unread. */
export function copySeenFromLocal(sql: Database, at: { folderId: string; uid: number }): void {
  sql
    .query(
      `UPDATE locations SET flags = flags | ${SEEN} WHERE folder_id = ?1 AND uid = ?2
         AND EXISTS (SELECT 1 FROM folders WHERE id = ?1 AND role = 'sent' AND view_of IS NULL)
         AND EXISTS (SELECT 1 FROM locations o JOIN folders f ON f.id = o.folder_id
           WHERE o.message_id = locations.message_id AND f.replaced_by = 'here' AND o.flags & ${SEEN})`,
    )
    .run(at.folderId, at.uid);
}
