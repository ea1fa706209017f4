import type { ImapFlow, ListResponse } from "imapflow";
import type { Account } from "../mailbox/accounts.ts";
import type { Copies } from "../mailbox/copies.ts";
import type { Folder, Folders } from "../mailbox/folders.ts";
import type { FolderRole } from "../mailbox/state.ts";
import type { Platform } from "../platform/platform.ts";
import { assignRoles, isSelectable, type ListedFolder } from "../wire/imap/special-use.ts";

/** The server said something that cannot be true; nothing is changed on the strength of it. */
export class Implausible extends Error {
  override readonly name = "Implausible";
}

/** Folders that a pass cannot do without come first: people look at the inbox, then at what they sent. */
const ORDER: FolderRole[] = ["inbox", "all", "sent", "drafts", "snoozed", "archive", "other", "spam", "trash"];
/** How many known UIDs are compared before a new path is believed to be a renamed folder. */
const RENAME_SAMPLE = 10;

interface FolderParts {
  platform: Platform;
  folders: Folders;
  copies: Copies;
}

/**
 * Brings our list of folders in line with the server's: new ones are noted, renamed ones keep their messages, deleted
 * ones give theirs up. @returns the folders to synchronise, the most looked-at first
 */
export async function syncFolderList(parts: FolderParts, client: ImapFlow, account: Account): Promise<Folder[]> {
  const listed = (await client.list()).map(toListed).filter(isSelectable);
  const { folders } = parts;
  const known = folders.list(account).filter((folder) => folder.replaced_by === null);
  if (!listed.some((folder) => folder.path.toUpperCase() === "INBOX")) {
    throw new Implausible("The server lists no INBOX.");
  }
  const wanted = listed.filter((folder) => !account.exclude.includes(folder.path));
  const roles = assignRoles(wanted);
  const paths = new Set(listed.map((folder) => folder.path));
  const lost = known.filter((folder) => !paths.has(folder.path));
  const fresh = wanted.filter((folder) => !known.some((have) => have.path === folder.path));
  for (const folder of lost) {
    const successor = await findRenamed(parts, client, folder, fresh);
    if (successor) {
      folders.rename(account, folder, successor.path, storedRole(roles.get(successor.path)));
      fresh.splice(fresh.indexOf(successor), 1);
    } else {
      dropFolder(parts, account, folder);
    }
  }
  for (const folder of known) {
    if (paths.has(folder.path) && account.exclude.includes(folder.path)) dropFolder(parts, account, folder);
  }
  for (const { path, delimiter } of wanted) folders.upsert(account, path, delimiter, storedRole(roles.get(path)));
  return folders
    .list(account)
    .filter((folder) => folder.replaced_by === null)
    .sort((a, b) => ORDER.indexOf(a.role) - ORDER.indexOf(b.role) || (a.id < b.id ? -1 : 1));
}

/** `flagged` and `important` are views of mail that lies elsewhere: for a thread's state they are like any folder. */
function storedRole(role: string | undefined): FolderRole {
  return ORDER.find((known) => known === role) ?? "other";
}

function toListed(entry: ListResponse): ListedFolder {
  return {
    path: entry.path,
    delimiter: entry.delimiter || null,
    specialUse: entry.specialUse || null,
    flags: entry.flags,
  };
}

/** Forgets a folder; its messages count as missing until a whole pass has not found them elsewhere. */
export function dropFolder({ platform, folders, copies }: FolderParts, account: Account, folder: Folder): void {
  const BATCH = 500;
  for (;;) {
    const uids = copies.uidsFrom(folder.id, 0, BATCH);
    platform.db.write(() => {
      const touched = uids.map((uid) => copies.vanished(folder.id, uid, account.pass)).filter((id) => id !== null);
      copies.refreshAll(account.user_id, touched, true);
      if (uids.length < BATCH) folders.remove(folder.id);
    });
    if (uids.length < BATCH) return;
  }
}

/** A folder that vanished while one with the same UIDVALIDITY and the same mail appeared was renamed (RFC 9051 §6.3.6). */
async function findRenamed(
  { platform, copies }: FolderParts,
  client: ImapFlow,
  lost: Folder,
  fresh: readonly ListedFolder[],
): Promise<ListedFolder | null> {
  if (lost.uidvalidity === null) return null;
  const sample = copies.uidsFrom(lost.id, 0, RENAME_SAMPLE);
  if (sample.length === 0) return null;
  const sizes = platform.db.sql.query<{ size: number }, [string, number]>(
    "SELECT m.size FROM locations l JOIN messages m ON m.id = l.message_id WHERE l.folder_id = ? AND l.uid = ?",
  );
  for (const candidate of fresh) {
    const box = await client.mailboxOpen(candidate.path, { readOnly: true }).catch(() => null);
    if (!box || Number(box.uidValidity) !== lost.uidvalidity) continue;
    const found = await client.fetchAll(sample.join(","), { uid: true, size: true }, { uid: true });
    if (found.length > 0 && found.every(({ uid, size }) => sizes.get(lost.id, uid)?.size === size)) return candidate;
  }
  return null;
}
