import type { ImapFlow, ListResponse } from "imapflow";
import type { Account } from "../../mailbox/accounts/accounts.ts";
import type { Folder, Folders } from "../../mailbox/store/folders.ts";
import type { LocationSync } from "../../mailbox/store/location-sync.ts";
import type { Locations } from "../../mailbox/store/locations.ts";
import type { FolderRole } from "../../mailbox/store/state.ts";
import type { Platform } from "../../platform/platform.ts";
import { GMAIL_FOLDERS, GMAIL_VIEWS, isGmail } from "../../wire/imap/gmail.ts";
import { assignRoles, isSelectable, type ListedFolder } from "../../wire/imap/special-use.ts";

/** The server's response cannot be true. Nothing is changed because of it. */
export class ImplausibleResponse extends Error {
  override readonly name = "Implausible";
}

/** The most important folders first: people look at the inbox, then at what they sent. */
const ORDER: FolderRole[] = ["inbox", "all", "sent", "drafts", "snoozed", "archive", "other", "spam", "trash"];
/** Number of known UIDs that are compared before a new path is treated as a renamed folder. */
const RENAME_SAMPLE = 10;

interface FolderParts {
  platform: Platform;
  folders: Folders;
  locationSync: LocationSync;
  locations: Locations;
}

/**
 * Matches our list of folders with the server's. New folders are added, renamed ones keep their messages, and deleted
 * ones lose theirs. @returns the folders to sync, the most used first
 */
export async function syncFolderList(parts: FolderParts, client: ImapFlow, account: Account): Promise<Folder[]> {
  const { folders, platform } = parts;
  const listed = (await client.list()).map(toListed);
  const selectable = listed.filter(isSelectable);
  if (!selectable.some((folder) => folder.path.toUpperCase() === "INBOX")) {
    throw new ImplausibleResponse("The server lists no INBOX.");
  }
  const wanted = selectable.filter((folder) => !account.exclude.includes(folder.path));
  const roles = assignRoles(wanted);
  const { real, views } = splitViews(client, wanted, roles);
  if (views.length === 0) for (const view of viewsOfAccount(folders, account)) folders.remove(view.id);
  const known = folders.real(account);
  const paths = new Set(listed.map((folder) => folder.path));
  const knownPaths = new Set(known.map((folder) => folder.path));
  const realPaths = new Set(real.map((folder) => folder.path));
  const added = real.filter((folder) => !knownPaths.has(folder.path));
  const renames = new RenameSearch(parts, client, added);
  for (const folder of known) {
    if (realPaths.has(folder.path)) continue;
    const successor = selectable.some(({ path }) => path === folder.path) ? null : await renames.successorOf(folder);
    if (successor) folders.rename(account, folder, successor.path, storedRole(roles.get(successor.path)));
    else {
      if (!paths.has(folder.path)) await confirmDeleted(client, folder);
      dropFolder(parts, account, folder);
    }
  }
  platform.db.write(() => {
    for (const { path, delimiter } of real) folders.upsert(account, path, delimiter, storedRole(roles.get(path)));
  });
  noteViews(parts, account, views, roles);
  return folders.real(account).sort((a, b) => ORDER.indexOf(a.role) - ORDER.indexOf(b.role) || (a.id < b.id ? -1 : 1));
}

/**
 * Separates views from real folders. On Gmail every message is in All Mail, Spam or Trash, and the other folders are
 * views of All Mail. If the user hides All Mail from IMAP programs, Gmail is treated like other servers.
 */
function splitViews(
  client: ImapFlow,
  wanted: readonly ListedFolder[],
  roles: ReadonlyMap<string, string>,
): { real: ListedFolder[]; views: ListedFolder[] } {
  const has = (list: readonly string[]): ListedFolder[] =>
    wanted.filter(({ path }) => list.includes(roles.get(path) ?? ""));
  if (!isGmail(client) || has(["all"]).length === 0) return { real: [...wanted], views: [] };
  return { real: has(GMAIL_FOLDERS), views: has(GMAIL_VIEWS) };
}

const viewsOfAccount = (folders: Folders, account: Account) =>
  folders.list(account).filter((folder) => folder.view_of !== null && folder.replaced_by === null);

function noteViews(
  { platform, folders }: FolderParts,
  account: Account,
  views: readonly ListedFolder[],
  roles: ReadonlyMap<string, string>,
): void {
  const holder = folders.real(account).find((folder) => folder.role === "all");
  if (!holder || views.length === 0) return;
  platform.db.write(() => {
    for (const view of viewsOfAccount(folders, account)) {
      if (!views.some(({ path }) => path === view.path)) folders.remove(view.id);
    }
    for (const { path } of views) folders.upsertView(account, holder, path, storedRole(roles.get(path)));
  });
}

/**
 * Checks that a folder missing from the list is really gone. If it can still be opened, the list is wrong. @throws
 * Implausible
 */
async function confirmDeleted(client: ImapFlow, folder: Folder): Promise<void> {
  const status = await client.status(folder.path, { messages: true }).catch((error: unknown) => {
    if (!client.usable) throw error;
    return false;
  });
  if (status) throw new ImplausibleResponse("The server's folder list omits a folder that exists.");
}

/**
 * Returns the role to store. `flagged` and `important` are views of mail in other folders; for a thread's state they
 * count as ordinary folders.
 */
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

/** Deletes a folder. Its messages count as missing until a full pass has not found them elsewhere. */
export function dropFolder(parts: FolderParts, account: Account, folder: Folder): void {
  const BATCH = 500;
  const { platform, folders, locationSync } = parts;
  // It may replace a folder whose UIDs became void, which is deleted with it.
  for (const old of folders.list(account)) {
    if (old.replaced_by === folder.id && old.view_of === null) dropFolder(parts, account, old);
  }
  for (;;) {
    const uids = locationSync.uidsFrom(folder.id, 0, BATCH);
    platform.db.write(() => {
      const touched = uids
        .map((uid) => locationSync.vanished(folder.id, uid, account.pass))
        .filter((id) => id !== null);
      locationSync.refreshAll(account.user_id, touched, true);
      if (uids.length < BATCH) folders.remove(folder.id);
    });
    if (uids.length < BATCH) return;
  }
}

/**
 * Recognizes renamed folders: one that vanished while another with the same UIDVALIDITY and the same mail appeared (RFC
 * 9051 §6.3.6).
 */
class RenameSearch {
  readonly #validity = new Map<string, Promise<number | null>>();
  readonly #taken = new Set<string>();

  constructor(
    private readonly parts: FolderParts,
    private readonly client: ImapFlow,
    private readonly added: readonly ListedFolder[],
  ) {}

  async successorOf(lost: Folder): Promise<ListedFolder | null> {
    const { locationSync, locations } = this.parts;
    if (lost.uidvalidity === null) return null;
    const sample = locationSync.uidsFrom(lost.id, 0, RENAME_SAMPLE);
    if (sample.length === 0) return null;
    const sizes = locations.sizes(lost.id, sample);
    for (const candidate of this.added) {
      if (this.#taken.has(candidate.path) || (await this.#validityOf(candidate.path)) !== lost.uidvalidity) continue;
      const box = await this.client.mailboxOpen(candidate.path, { readOnly: true }).catch(() => null);
      if (!box) continue;
      const found = await this.client.fetchAll(sample.join(","), { uid: true, size: true }, { uid: true });
      const same = found.filter(({ uid, size }) => sizes.get(uid) === size).length;
      // Some may have been deleted in between, but messages never change.
      if (same !== found.length || same * 2 < sample.length) continue;
      this.#taken.add(candidate.path);
      return candidate;
    }
    return null;
  }

  /**
   * Asked once per folder. After a rename at the top of a tree, every folder below it is missing and every new path is
   * unknown.
   */
  #validityOf(path: string): Promise<number | null> {
    const known = this.#validity.get(path);
    if (known) return known;
    const asked = this.client
      .status(path, { uidValidity: true })
      .then((status) => (status && status.uidValidity !== undefined ? Number(status.uidValidity) : null))
      .catch(() => null);
    this.#validity.set(path, asked);
    return asked;
  }
}
