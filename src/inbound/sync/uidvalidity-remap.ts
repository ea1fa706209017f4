import type { ImapFlow } from "imapflow";
import type { Account } from "../../mailbox/accounts/accounts.ts";
import type { Folder } from "../../mailbox/store/folders.ts";
import { flagsHash } from "../../wire/imap/flags.ts";
import { type Listed, uidSet } from "./fetch.ts";
import { readServerMetadata } from "./gmail.ts";
import type { SyncParts } from "./parts.ts";

/**
 * Maps the messages of a renumbered folder to their new UIDs by Message-ID, size and date, without downloading them
 * again.
 * @param old the folder whose UIDs became void
 * @returns the messages that are not known
 */
export async function remapUids(
  { platform, folders, importer, locationSync, locations, labelOf }: SyncParts,
  client: ImapFlow,
  account: Account,
  old: Folder,
  folder: Folder,
  listed: Listed[],
): Promise<Listed[]> {
  if (listed.length === 0) return listed;
  const ids = await messageIds(client, listed);
  const shown = folders.viewsOf(account.user_id, folder.id);
  return platform.db.write(() =>
    listed.filter((message) => {
      const { uid, size, internalDate } = message;
      const message_id = ids.get(uid);
      if (!message_id) return true;
      const found = locations.findLikelyMatch(account, old, folder, { message_id, size, internal_date: internalDate });
      if (!found) return true;
      const word = readServerMetadata(folder, shown, message, (keyword) => labelOf(account.user_id, keyword));
      const hash = flagsHash(message.flags, message.gmailLabels);
      const at = { folderId: folder.id, uid, flagsHash: hash, views: word.views };
      const labels = importer.labelIds(account.user_id, word.labels);
      importer.locate(word.flags ? { ...at, flags: word.flags } : at, found, labels);
      locationSync.combine(found);
      return false;
    }),
  );
}

/** Returns Message-IDs by UID, unfolded. */
async function messageIds(client: ImapFlow, listed: readonly Listed[]): Promise<Map<number, string>> {
  const query = { uid: true, headers: ["message-id"] };
  const found = await client.fetchAll(uidSet(listed.map(({ uid }) => uid)), query, { uid: true });
  return new Map(
    found.flatMap(({ uid, headers }) => {
      const value = /^message-id:\s*(\S.*?)\s*$/ims.exec(String(headers ?? ""))?.[1];
      return value ? [[uid, value.replace(/\r?\n[ \t]/g, " ")] as const] : [];
    }),
  );
}
