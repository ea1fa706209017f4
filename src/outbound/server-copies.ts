import type { AppendResponseObject, ImapFlow } from "imapflow";
import type { Account } from "../mailbox/accounts.ts";
import type { Folder, Folders } from "../mailbox/folders.ts";
import { isGmail } from "../wire/imap/gmail.ts";
import { createFolder, openForWriting, Refusal } from "./mirror-commands.ts";

/** Folders in which a message that left may show, the likeliest first. */
const LOOK_IN = ["sent", "all", "inbox"];

/** True where the provider files what it sends itself, so that a copy of ours would be a second one. */
export function keepsItself(client: ImapFlow, account: Account): boolean {
  return account.provider === "gmail" || isGmail(client);
}

/** The account's Sent folder, made when there is none; null when the server will not have one. */
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
 * Puts a message into a folder, with its flags: imapflow drops those that the folder which happens to be open would not keep,
 * and one that was opened for reading keeps none. @throws Refusal when the folder cannot be written
 */
export async function appendTo(
  client: ImapFlow,
  path: string,
  raw: Uint8Array,
  flags: string[],
  date_ms: number,
): Promise<AppendResponseObject | false> {
  await openForWriting(client, path);
  return client.append(path, Buffer.from(raw), flags, new Date(date_ms));
}

/** Whether a folder holds a message with this Message-ID. */
export async function holds(client: ImapFlow, path: string, message_id_header: string): Promise<boolean> {
  await client.mailboxOpen(path, { readOnly: true });
  const found = await client.search({ header: { "message-id": message_id_header } }, { uid: true });
  if (!found) throw new Error("The server did not say whether it has the message.");
  return found.length > 0;
}

/** Whether the server has a message with this Message-ID in a folder where it would show after it was sent. */
export async function isOnServer(
  client: ImapFlow,
  account: Account,
  folders: Folders,
  message_id_header: string,
): Promise<boolean> {
  const paths = folders
    .list(account)
    .filter((folder) => folder.replaced_by === null && LOOK_IN.includes(folder.role))
    .sort((a, b) => LOOK_IN.indexOf(a.role) - LOOK_IN.indexOf(b.role))
    .map((folder) => folder.path);
  for (const path of paths) if (await holds(client, path, message_id_header)) return true;
  return false;
}
