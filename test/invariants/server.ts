import type { ImapFlow } from "imapflow";
import type { Account } from "../../src/mailbox/accounts.ts";
import { openHead } from "../../src/mailbox/head.ts";
import { createMailbox } from "../../src/mailbox/mailbox.ts";
import type { Platform } from "../../src/platform/platform.ts";
import { type Finding, rows } from "./finding.ts";

interface Here {
  message_id: string;
  header: string | null;
  size: number;
  unread: number;
  starred: number;
}

/**
 * Every message that the server has, exactly once here and in the same place, and nothing here that the server has not.
 * The client is logged in to the account's mailbox; folders are only read.
 * @param flags also compare what is read and starred
 */
export async function compareWithServer(
  platform: Platform,
  account: Account,
  client: ImapFlow,
  options: { flags?: boolean } = {},
): Promise<{ copies: number; findings: Finding[] }> {
  const findings: Finding[] = [];
  const miss = (what: string) => void findings.push({ rule: "the server's mail", what });
  const here = placesOf(platform, account);
  let copies = 0;
  for (const { path, flags } of await client.list()) {
    if (flags.has("\\Noselect") || flags.has("\\NonExistent") || account.exclude.includes(path)) continue;
    const box = await client.mailboxOpen(path, { readOnly: true });
    if (box.exists === 0) continue;
    const query = { uid: true, flags: true, size: true, headers: ["message-id"] };
    for (const { uid, size = 0, flags: set = new Set<string>(), headers } of await client.fetchAll("1:*", query)) {
      copies++;
      const place = `${path}:${uid}`;
      const found = here.get(place) ?? [];
      here.delete(place);
      if (found.length !== 1) {
        miss(`${place} is here ${found.length} times`);
        continue;
      }
      const [row] = found as [Here];
      const header = /^message-id:\s*(\S+)/im.exec(String(headers))?.[1] ?? null;
      if (header && !row.header?.startsWith(header)) miss(`${place} is another message here (${row.message_id})`);
      if (!header && row.size !== size) miss(`${place} has ${size} bytes, here ${row.size}`);
      if (!options.flags) continue;
      if ((row.unread === 0) !== set.has("\\Seen")) miss(`${place}: read on one side only`);
      if ((row.starred === 1) !== set.has("\\Flagged")) miss(`${place}: starred on one side only`);
    }
  }
  for (const place of here.keys()) miss(`${place} is here and not on the server`);
  return { copies, findings };
}

/** Places of an account's mail, "INBOX:7". Views of a folder and what only this machine has are left out. */
function placesOf(platform: Platform, account: Account): Map<string, Here[]> {
  const paths = new Map(
    createMailbox(platform)
      .folders.real(account)
      .map(({ id, path }) => [id, path]),
  );
  const sealer = platform.keyring.forUser(account.user_id);
  const places = new Map<string, Here[]>();
  for (const { folder_id, uid, head, ...row } of rows<
    Omit<Here, "header"> & { folder_id: string; uid: number; head: Uint8Array }
  >(
    platform,
    `SELECT l.folder_id, l.uid, l.message_id, m.size, m.unread, m.starred, m.head FROM locations l
       JOIN messages m ON m.id = l.message_id WHERE m.account_id = ?`,
    account.id,
  )) {
    const path = paths.get(folder_id);
    if (path === undefined) continue;
    const place = `${path}:${uid}`;
    const header = openHead(sealer, row.message_id, head).message_id;
    places.set(place, [...(places.get(place) ?? []), { ...row, header }]);
  }
  return places;
}
