import type { ImapFlow } from "imapflow";
import type { Account } from "../../src/mailbox/accounts/accounts.ts";
import { createMailbox } from "../../src/mailbox/mailbox.ts";
import { openEnvelope } from "../../src/mailbox/store/envelope.ts";
import type { Platform } from "../../src/platform/platform.ts";
import { isGmail } from "../../src/wire/imap/gmail.ts";
import { keywordToLabel, labelToKeyword } from "../../src/wire/imap/keywords.ts";
import { type Finding, rows } from "./finding.ts";

interface Here {
  message_id: string;
  header: string | null;
  size: number;
  unread: number;
  starred: number;
  /** Fields with a change that the server does not have yet, separated by commas. */
  pending: string | null;
  /** The folder's server keeps no keywords: its labels are only here. */
  labels_here: number;
}

interface There {
  location: string;
  header: string | null;
  size: number;
  flags: ReadonlySet<string>;
}

/** Read and starred: the server's name, the field of a pending change, and the value here. */
const FLAGS: readonly (readonly [flag: string, field: string, words: string, here: (row: Here) => boolean])[] = [
  ["\\Seen", "seen", "read", ({ unread }) => unread === 0],
  ["\\Flagged", "flagged", "starred", ({ starred }) => starred === 1],
];

type Labels = ReturnType<typeof createMailbox>["labels"];

/**
 * Checks that every message of the server is here exactly once and in the same folder, and that nothing here is missing
 * on the server. The client is logged in to the account's mailbox; folders are only read.
 * @param flags also compare read, starred and, except on Gmail, labels, without changes that wait for the server, and
 * without messages whose copies on the server disagree. A read-only mailbox never sends such changes, so its own are
 * not compared.
 */
export async function compareWithServer(
  platform: Platform,
  account: Account,
  client: ImapFlow,
  options: { flags?: boolean } = {},
): Promise<{ copies: number; findings: Finding[] }> {
  const findings: Finding[] = [];
  const miss = (what: string) => void findings.push({ rule: "the server's mail", what });
  const here = locationsOf(platform, account);
  const same = new Map<string, { row: Here; copies: There[] }>();
  let copies = 0;
  for await (const copy of copiesOf(account, client)) {
    copies++;
    const { location, header, size } = copy;
    const found = here.get(location) ?? [];
    here.delete(location);
    if (found.length !== 1) {
      miss(`${location} is stored here ${found.length} times`);
      continue;
    }
    const [row] = found as [Here];
    if (header && !row.header?.startsWith(header)) miss(`${location} is another message here (${row.message_id})`);
    else if (row.size !== size) miss(`${location} has ${size} bytes on the server and ${row.size} here`);
    else same.set(row.message_id, { row, copies: [...(same.get(row.message_id)?.copies ?? []), copy] });
  }
  for (const location of here.keys()) miss(`${location} is stored here but not on the server`);
  if (options.flags && !account.read_only) {
    const { labels } = createMailbox(platform);
    for (const { row, copies } of same.values()) {
      for (const what of flagDifferences(row, copies)) miss(what);
      if (isGmail(client) || row.labels_here) continue;
      for (const what of labelDifferences(labels, account.user_id, row, copies)) miss(what);
    }
  }
  return { copies, findings };
}

function flagDifferences(row: Here, [first, ...others]: readonly There[]): string[] {
  return FLAGS.filter(([flag, field, , here]) => {
    const set = first!.flags.has(flag);
    if (row.pending?.split(",").includes(field) || others.some(({ flags }) => flags.has(flag) !== set)) return false;
    return here(row) !== set;
  }).map(([, , words]) => `${first!.location}: ${words} on one side only`);
}

/** Keywords of people's own are labels (docs/mail.md, "Labels"). */
function labelDifferences(labels: Labels, user_id: string, row: Here, copies: readonly There[]): string[] {
  const known = (keyword: string) => labels.byKeyword(user_id, keyword, labelToKeyword);
  const labelsOf = ({ flags }: There) =>
    new Set([...flags].map((keyword) => keywordToLabel(keyword, known)).filter((label) => label !== null));
  const [there, ...others] = copies.map(labelsOf) as [Set<string>, ...Set<string>[]];
  const here = new Set(labels.ofMessage(row.message_id));
  const waits = (label: string) => row.pending?.split(",").includes(`label:${labels.find(user_id, label)}`);
  const disagrees = (label: string) => others.some((other) => other.has(label) !== there.has(label));
  return [...here.symmetricDifference(there)]
    .filter((label) => !waits(label) && !disagrees(label))
    .map((label) => `${copies[0]!.location}: the label ${JSON.stringify(label)} on one side only`);
}

/** Everything that the server has in the synced folders. */
async function* copiesOf(account: Account, client: ImapFlow): AsyncGenerator<There> {
  for (const { path, flags } of await client.list()) {
    if (flags.has("\\Noselect") || flags.has("\\NonExistent") || account.exclude.includes(path)) continue;
    const box = await client.mailboxOpen(path, { readOnly: true });
    if (box.exists === 0) continue;
    const query = { uid: true, flags: true, size: true, headers: ["message-id"] };
    for (const { uid, size = 0, flags: set = new Set<string>(), headers } of await client.fetchAll("1:*", query)) {
      const header = /^message-id:\s*(\S+)/im.exec(String(headers))?.[1] ?? null;
      yield { location: `${path}:${uid}`, header, size, flags: set };
    }
  }
}

/** Locations of an account's mail, "INBOX:7". Views of a folder and mail that only this machine has are left out. */
function locationsOf(platform: Platform, account: Account): Map<string, Here[]> {
  const paths = new Map(
    createMailbox(platform)
      .folders.real(account)
      .map(({ id, path }) => [id, path]),
  );
  const sealer = platform.keyring.forUser(account.user_id);
  const byLocation = new Map<string, Here[]>();
  for (const { folder_id, uid, head, ...row } of rows<
    Omit<Here, "header"> & { folder_id: string; uid: number; head: Uint8Array }
  >(
    platform,
    `SELECT l.folder_id, l.uid, l.message_id, m.size, m.unread, m.starred, m.head,
       (SELECT group_concat(field) FROM pending_changes p WHERE p.message_id = m.id) AS pending,
       EXISTS (SELECT 1 FROM locations k JOIN folders f ON f.id = k.folder_id
         WHERE k.message_id = m.id AND f.keywords_ok = 0) AS labels_here
     FROM locations l JOIN messages m ON m.id = l.message_id WHERE m.account_id = ?`,
    account.id,
  )) {
    const path = paths.get(folder_id);
    if (path === undefined) continue;
    const location = `${path}:${uid}`;
    const header = openEnvelope(sealer, row.message_id, head).message_id;
    byLocation.set(location, [...(byLocation.get(location) ?? []), { ...row, header }]);
  }
  return byLocation;
}
