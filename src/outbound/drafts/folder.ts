/** The Drafts folder of a server, in terms of IMAP commands. */
import type { ImapFlow } from "imapflow";
import type { Account } from "../../mailbox/accounts/accounts.ts";
import type { Folder, Folders } from "../../mailbox/store/folders.ts";
import { fetchByUid, mergeResponses } from "../../wire/imap/responses.ts";
import { createFolder, openForWriting, Refusal, storeFlags } from "../mirror/commands.ts";
import { appendTo } from "../sends/server-copies.ts";
import type { DraftLocation } from "./store.ts";

/** A message in the folder. */
export interface ListedDraft {
  uid: number;
  /** The Message-ID header; null if missing. */
  message_id: string | null;
  /** INTERNALDATE, ms. */
  date: number;
  /** RFC822.SIZE, bytes. */
  size: number;
}

/** Returns the account's Drafts folder from the synced list; null when there is none yet. */
export function draftsFolder(account: Account, folders: Folders): Folder | null {
  return folders.list(account).find((folder) => folder.role === "drafts" && folder.replaced_by === null) ?? null;
}

/** Creates the folder. @returns null when the server, or the account's settings, do not allow it */
export async function makeDraftsFolder(client: ImapFlow, account: Account, folders: Folders): Promise<Folder | null> {
  const personal = client.namespace;
  const path = `${personal?.prefix ?? ""}Drafts`;
  if (account.exclude.includes(path)) return null;
  try {
    await createFolder(client, path);
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
  return folders.upsert(account, path, personal?.delimiter ?? null, "drafts");
}

/**
 * Lists the folder without messages marked as deleted. The folder stays open.
 * @throws Error when the response is inconsistent, because a server's mistake must not delete drafts
 */
export async function listDrafts(
  client: ImapFlow,
  path: string,
): Promise<{ uidvalidity: number; listed: ListedDraft[] }> {
  const box = await client.mailboxOpen(path, { readOnly: true });
  const uidvalidity = Number(box.uidValidity ?? 0);
  // Without it all drafts would look moved, and the messages at their supposed old locations would be removed.
  if (uidvalidity === 0) throw new Error("The server did not report the UIDVALIDITY of its Drafts folder.");
  if (box.exists === 0) return { uidvalidity, listed: [] };
  const query = { uid: true, flags: true, internalDate: true, size: true, headers: ["message-id"] };
  // Unsolicited flag updates between the responses are not drafts.
  const found = mergeResponses(await client.fetchAll("1:*", query)).filter((message) => "headers" in message);
  if (found.length < box.exists) throw new Error("The server did not list everything in its Drafts folder.");
  const listed = found
    .filter(({ flags }) => !flags?.has("\\Deleted"))
    .map(({ uid, headers, internalDate, size }) => ({
      uid,
      message_id: headerValue(headers),
      date: internalDate ? new Date(internalDate).getTime() : 0,
      size: size ?? 0,
    }));
  return { uidvalidity, listed };
}

function headerValue(headers: Buffer | undefined): string | null {
  const match = /^message-id:[ \t]*((?:[^\r\n]|\r?\n[ \t])*)/im.exec(headers?.toString("utf8") ?? "");
  return match?.[1]?.replace(/\r?\n[ \t]+/g, " ").trim() || null;
}

/** Returns the source of a message of the open folder; null when it is gone. */
export async function draftSource(client: ImapFlow, uid: number): Promise<Uint8Array | null> {
  return (await fetchByUid(client, uid, { source: true }))?.source || null;
}

/** Appends a draft to the folder. @returns its location @throws Refusal, or the server's rejection of the message */
export async function appendDraft(
  client: ImapFlow,
  path: string,
  raw: Uint8Array,
  message_id: string,
  date: number,
): Promise<DraftLocation> {
  const placed = await appendTo(client, path, raw, ["\\Draft", "\\Seen"], date);
  if (!placed) throw new Error("The server rejected the draft.");
  if (placed.uid && placed.uidValidity) return { uid: placed.uid, uidvalidity: Number(placed.uidValidity) };
  // Without UIDPLUS the server does not report the location. It is the last message with this Message-ID.
  const box = await client.mailboxOpen(path, { readOnly: true });
  const found = await client.search({ header: { "message-id": message_id } }, { uid: true });
  if (!found || found.length === 0) throw new Error("The draft is not where it was stored.");
  return { uid: Math.max(...found), uidvalidity: Number(box.uidValidity ?? 0) };
}

/** Removes exactly these messages; those already gone are skipped. @throws Refusal */
export async function removeDrafts(client: ImapFlow, path: string, uids: readonly number[]): Promise<void> {
  await openForWriting(client, path);
  await storeFlags(client, uids, true, ["\\Deleted"]);
  const uidplus = client.capabilities.has("UIDPLUS") || client.capabilities.has("IMAP4rev2");
  if (!uidplus) {
    const deleted = await client.search({ deleted: true }, { uid: true });
    // A plain EXPUNGE would also remove messages that others marked. In that case the mark must be enough.
    if (!deleted || deleted.some((uid) => !uids.includes(uid))) return;
  }
  await client.messageDelete(uids.join(","), { uid: true });
}
