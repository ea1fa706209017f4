import type { ImapFlow, ListResponse } from "imapflow";
import type { Account } from "../mailbox/accounts.ts";
import type { Copies } from "../mailbox/copies.ts";
import type { Folder, Folders } from "../mailbox/folders.ts";
import type { Places } from "../mailbox/places.ts";
import type { FolderRole } from "../mailbox/state.ts";
import type { Platform } from "../platform/platform.ts";
import { GMAIL_FOLDERS, GMAIL_VIEWS, isGmail } from "../wire/imap/gmail.ts";
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
  places: Places;
}

/**
 * Brings our list of folders in line with the server's: new ones are noted, renamed ones keep their messages, deleted
 * ones give theirs up. @returns the folders to synchronise, the most looked-at first
 */
export async function syncFolderList(parts: FolderParts, client: ImapFlow, account: Account): Promise<Folder[]> {
  const { folders, platform } = parts;
  const listed = (await client.list()).map(toListed);
  const there = listed.filter(isSelectable);
  if (!there.some((folder) => folder.path.toUpperCase() === "INBOX")) {
    throw new Implausible("The server lists no INBOX.");
  }
  const wanted = there.filter((folder) => !account.exclude.includes(folder.path));
  const roles = assignRoles(wanted);
  const { real, views } = splitViews(client, wanted, roles);
  if (views.length === 0) for (const view of viewsOfAccount(folders, account)) folders.remove(view.id);
  const known = folders.real(account);
  const paths = new Set(listed.map((folder) => folder.path));
  const knownPaths = new Set(known.map((folder) => folder.path));
  const realPaths = new Set(real.map((folder) => folder.path));
  const fresh = real.filter((folder) => !knownPaths.has(folder.path));
  const renames = new RenameSearch(parts, client, fresh);
  for (const folder of known) {
    if (realPaths.has(folder.path)) continue;
    const successor = there.some(({ path }) => path === folder.path) ? null : await renames.successorOf(folder);
    if (successor) folders.rename(account, folder, successor.path, storedRole(roles.get(successor.path)));
    else {
      if (!paths.has(folder.path)) await confirmGone(client, folder);
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
 * On Gmail every message lies in All Mail, Spam or Trash, and the other folders are views of All Mail. Where the user hides
 * All Mail from IMAP programs, it is a server like others.
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

/** A folder that is missing in the list, yet can be asked for, is not gone: the list is to blame. @throws Implausible */
async function confirmGone(client: ImapFlow, folder: Folder): Promise<void> {
  const status = await client.status(folder.path, { messages: true }).catch((error: unknown) => {
    if (!client.usable) throw error;
    return false;
  });
  if (status) throw new Implausible("The server's folder list omits a folder that exists.");
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
export function dropFolder(parts: FolderParts, account: Account, folder: Folder): void {
  const BATCH = 500;
  const { platform, folders, copies } = parts;
  // It may stand in for another whose UIDs became void, and which goes with it.
  for (const old of folders.list(account)) {
    if (old.replaced_by === folder.id && old.view_of === null) dropFolder(parts, account, old);
  }
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
class RenameSearch {
  readonly #validity = new Map<string, Promise<number | null>>();
  readonly #taken = new Set<string>();

  constructor(
    private readonly parts: FolderParts,
    private readonly client: ImapFlow,
    private readonly fresh: readonly ListedFolder[],
  ) {}

  async successorOf(lost: Folder): Promise<ListedFolder | null> {
    const { copies, places } = this.parts;
    if (lost.uidvalidity === null) return null;
    const sample = copies.uidsFrom(lost.id, 0, RENAME_SAMPLE);
    if (sample.length === 0) return null;
    const sizes = places.sizes(lost.id, sample);
    for (const candidate of this.fresh) {
      if (this.#taken.has(candidate.path) || (await this.#validityOf(candidate.path)) !== lost.uidvalidity) continue;
      const box = await this.client.mailboxOpen(candidate.path, { readOnly: true }).catch(() => null);
      if (!box) continue;
      const found = await this.client.fetchAll(sample.join(","), { uid: true, size: true }, { uid: true });
      const same = found.filter(({ uid, size }) => sizes.get(uid) === size).length;
      // Somebody may have deleted some meanwhile, but nobody changes a message.
      if (same !== found.length || same * 2 < sample.length) continue;
      this.#taken.add(candidate.path);
      return candidate;
    }
    return null;
  }

  /** Asked once per folder: after a rename at the top of a tree every folder below it is lost, and every one is new. */
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
