import type { Database } from "bun:sqlite";
import type { ServerFlags } from "./incoming.ts";
import { type FolderRole, receivedState } from "./state.ts";

/** Bits of `locations.flags`. */
const SEEN = 1;
const FLAGGED = 2;
const ANSWERED = 4;
const DRAFT = 8;
const IMPORTANT = 16;

/** What a copy of a message says; `flags` is null where its server has not told. */
export interface CopyFlags {
  role: FolderRole;
  flags: number | null;
  /** Ids. */
  labels: string[];
}

/** What a message shows; `unread` is null where the copies that decide are not known: then it stays as it is. */
export interface MessageFlags {
  unread: boolean | null;
  starred: boolean;
  answered: boolean;
  draft: boolean;
  important: boolean;
  labels: string[];
}

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
 * What a message with several copies shows. Read is what the copy says that also decides the state of the message: the one in
 * the inbox before an archived one, and the user's own copies in Sent and Drafts only where there are no others. Of several
 * that decide alike, each has to be read. A star, label or other mark on any copy counts; a draft is one in every copy.
 * @returns null when nothing is known of any copy
 */
export function combineFlags(copies: readonly CopyFlags[]): MessageFlags | null {
  const known = copies.filter((copy): copy is CopyFlags & { flags: number } => copy.flags !== null);
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

function decidingCopies(copies: readonly CopyFlags[]): readonly CopyFlags[] {
  const state = receivedState(copies.map(({ role }) => role));
  if (state === null) return copies;
  // As in receivedState: "all" says nothing of its own of what people write.
  const written = copies.some(({ role }) => role === "sent" || role === "drafts");
  return copies.filter(({ role }) => receivedState([role]) === state && !(written && role === "all"));
}

/** The copies of a message in folders of their own; a view has no flags of its own. */
export function copyFlags(sql: Database, message_id: string): CopyFlags[] {
  return sql
    .query<{ role: FolderRole; flags: number | null; labels: string | null }, [string]>(
      `SELECT f.role, l.flags, l.labels FROM locations l JOIN folders f ON f.id = l.folder_id
       WHERE l.message_id = ? AND f.view_of IS NULL`,
    )
    .all(message_id)
    .map(({ labels, ...row }) => ({ ...row, labels: labels === null ? [] : (JSON.parse(labels) as string[]) }));
}

/** The value of `locations.labels`. */
export function packLabels(ids: readonly string[]): string | null {
  return ids.length === 0 ? null : JSON.stringify([...ids].sort());
}

/** What a message shows by now, as the flags and labels of one copy. */
export function flagsOfMessage(sql: Database, message_id: string): { flags: number; labels: string | null } {
  const { flags } = sql
    .query<{ flags: number }, [string]>(
      `SELECT (1 - unread) * ${SEEN} + starred * ${FLAGGED} + answered * ${ANSWERED} + is_draft * ${DRAFT}
         + important * ${IMPORTANT} AS flags FROM messages WHERE id = ?`,
    )
    .get(message_id)!;
  const labels = sql
    .query<{ label_id: string }, [string]>("SELECT label_id FROM message_labels WHERE message_id = ?")
    .all(message_id)
    .map(({ label_id }) => label_id);
  return { flags, labels: packLabels(labels) };
}

/** Every copy whose flags are not known gets those that the message shows, before another copy has a say. */
export function fillUnknownFlags(sql: Database, message_id: string): void {
  const unknown = "message_id = ? AND flags IS NULL AND folder_id IN (SELECT id FROM folders WHERE view_of IS NULL)";
  if (sql.query(`SELECT 1 FROM locations WHERE ${unknown}`).get(message_id) === null) return;
  const { flags, labels } = flagsOfMessage(sql, message_id);
  sql.query(`UPDATE locations SET flags = ?, labels = ? WHERE ${unknown}`).run(flags, labels, message_id);
}

/** Notes that all copies of a message have a change: a field of PendingChange and its value; moves are no flags. */
export function setCopyFlag(sql: Database, message_id: string, field: string, value: string): void {
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

/** The server's copy in Sent takes the place of ours (LocalFolder), which counts as read whatever its provider files it as. */
export function keepSeenOfOurs(sql: Database, at: { folder_id: string; uid: number }): void {
  sql
    .query(
      `UPDATE locations SET flags = flags | ${SEEN} WHERE folder_id = ?1 AND uid = ?2
         AND EXISTS (SELECT 1 FROM folders WHERE id = ?1 AND role = 'sent' AND view_of IS NULL)
         AND EXISTS (SELECT 1 FROM locations o JOIN folders f ON f.id = o.folder_id
           WHERE o.message_id = locations.message_id AND f.replaced_by = 'here' AND o.flags & ${SEEN})`,
    )
    .run(at.folder_id, at.uid);
}
