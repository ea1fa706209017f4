import type { Account } from "../../mailbox/accounts/accounts.ts";
import type { Folder, Folders } from "../../mailbox/store/folders.ts";

/** Sorts the folders that people look at first. */
export function orderByPriority(list: readonly Folder[]): Folder[] {
  const ranks = ["inbox", "all", "sent"];
  const rank = ({ role }: Folder) => (ranks.includes(role) ? ranks.indexOf(role) : ranks.length);
  return list.toSorted((a, b) => rank(a) - rank(b));
}

/** Returns the path of the folder to watch with IDLE: the inbox, or the folder behind it if the inbox is a view. */
export function watchedFolder(folders: Folders, account: Account): string {
  const inbox = folders.list(account).find((folder) => folder.role === "inbox" && folder.replaced_by === null);
  const holder = inbox?.view_of ? folders.get(account.user_id, inbox.view_of) : inbox;
  return holder?.path ?? "INBOX";
}
