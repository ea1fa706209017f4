import type { AppendResponseObject, ImapFlow } from "imapflow";
import type { Account } from "../../mailbox/accounts/accounts.ts";
import type { Folder, Folders } from "../../mailbox/store/folders.ts";
import { isGmail } from "../../wire/imap/gmail.ts";
import { createFolder, openForWriting, Refusal } from "../mirror/commands.ts";

/** Folders in which a sent message may appear, the likeliest first. */
const SEARCHED_ROLES = ["sent", "all", "inbox"];

/** Returns true if the provider files sent mail automatically, in which case our copy would be a duplicate. */
export function filesSentMail(client: ImapFlow, account: Account): boolean {
  return account.provider === "gmail" || isGmail(client);
}

/** Returns the account's Sent folder, created if it is missing; null when the server does not allow it. */
export async function sentFolder(client: ImapFlow, account: Account, folders: Folders): Promise<Folder | null> {
  const have = folders.list(account).find((folder) => folder.role === "sent" && folder.replaced_by === null);
  if (have) return have;
  const personal = client.namespace;
  const path = `${personal?.prefix ?? ""}Sent`;
  try {
    await createFolder(client, path);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return null;
  }
  return folders.upsert(account, path, personal?.delimiter ?? null, "sent");
}

/**
 * Appends a message to a folder with its flags. The folder is opened for writing first, because imapflow drops flags
 * that the open folder would not keep, and a folder opened read-only keeps none. @throws Refusal when the folder cannot
 * be written
 */
export async function appendTo(
  client: ImapFlow,
  path: string,
  raw: Uint8Array,
  flags: string[],
  dateMs: number,
): Promise<AppendResponseObject | false> {
  await openForWriting(client, path);
  return client.append(path, Buffer.from(raw), flags, new Date(dateMs));
}

/** Returns whether a folder has a message with this Message-ID. */
export async function folderHasMessage(client: ImapFlow, path: string, message_id_header: string): Promise<boolean> {
  await client.mailboxOpen(path, { readOnly: true });
  const found = await client.search({ header: { "message-id": message_id_header } }, { uid: true });
  if (!found) throw new Error("The server did not report whether it has the message.");
  return found.length > 0;
}

/** Returns whether the server has a message with this Message-ID in a folder where sent mail appears. */
export async function isOnServer(
  client: ImapFlow,
  account: Account,
  folders: Folders,
  message_id_header: string,
): Promise<boolean> {
  const paths = folders
    .list(account)
    .filter((folder) => folder.replaced_by === null && SEARCHED_ROLES.includes(folder.role))
    .sort((a, b) => SEARCHED_ROLES.indexOf(a.role) - SEARCHED_ROLES.indexOf(b.role))
    .map((folder) => folder.path);
  for (const path of paths) if (await folderHasMessage(client, path, message_id_header)) return true;
  return false;
}
