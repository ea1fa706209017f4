import type { Account, Accounts } from "../../mailbox/accounts/accounts.ts";
import type { Folder, Folders } from "../../mailbox/store/folders.ts";
import type { Locations } from "../../mailbox/store/locations.ts";
import type { FolderRole } from "../../mailbox/store/state.ts";
import type { BlobFiles } from "../../platform/blobs/files.ts";
import type { Platform } from "../../platform/platform.ts";
import { yieldInSlices } from "../../platform/process/yielding.ts";
import type { SandboxFolder } from "../../sandbox/types.ts";
import { readContents } from "../message/parsed-message.ts";
import { type Pipeline, toIncoming } from "../message/pipeline.ts";

/** The address of the person whose mail the sandbox shows (src/sandbox). */
export const SANDBOX_ADDRESS = "alex@sandbox.example";

const FOLDERS: Record<FolderRole, string | null> = {
  inbox: "INBOX",
  sent: "Sent",
  drafts: "Drafts",
  trash: "Trash",
  spam: "Spam",
  archive: "Archive",
  snoozed: "Snoozed",
  all: null,
  other: null,
};

export interface SandboxParts {
  platform: Platform;
  accounts: Accounts;
  folders: Folders;
  locations: Locations;
  pipeline: Pipeline;
  /** Stores the whole message, because there is no server to fetch it from. */
  keepRaw: BlobFiles["storeRaw"];
}

/**
 * Gives a sandbox user the built-in account with its sample mail, once (docs/api.md, "Test keys and the sandbox"). An
 * interrupted run resumes at the next start.
 */
export async function seedSandbox(parts: SandboxParts, user_id: string): Promise<void> {
  const { accounts, folders, platform } = parts;
  const account =
    accounts.list(user_id).find((candidate) => candidate.provider === "sandbox") ??
    accounts.add({ user_id, provider: "sandbox", email: SANDBOX_ADDRESS, connection: null });
  if (account.sync.phase === "live") return;
  const byRole = new Map<FolderRole, Folder>();
  for (const [role, path] of Object.entries(FOLDERS) as [FolderRole, string | null][]) {
    if (path === null) continue;
    // Sample mail is history: none of it is announced, however recent it looks.
    const folder = { ...folders.upsert(account, path, "/", role), live_uid: Number.MAX_SAFE_INTEGER };
    byRole.set(role, folder);
  }
  const { sandboxMessages } = await import("../../sandbox/sample-mail.ts");
  // Dates are relative to the creation of the account, so a second attempt makes the same messages.
  const messages = await sandboxMessages(new Date(account.created_at));
  const next = new Map<string, number>();
  // Requests and a stop need not wait for all messages.
  const yieldToOthers = yieldInSlices();
  for (const message of messages) {
    await yieldToOthers();
    const folder = byRole.get(roleOf(message.folder))!;
    const uid = (next.get(folder.id) ?? 0) + 1;
    next.set(folder.id, uid);
    await deliverLocally(parts, account, folder, uid, message);
  }
  for (const folder of byRole.values()) folders.save({ ...folder, live_uid: folder.uidnext, uidvalidity: 1 });
  account.sync = { phase: "live", done: messages.length, total: messages.length };
  accounts.setProgress(account.id, account.sync);
  accounts.noteSynced(account.id);
  platform.log.info("sandbox mailbox ready", { messages: messages.length });
}

/** A message for an account without a server. */
export interface LocalMessage {
  raw: Uint8Array;
  internalDate: Date;
  flags: { seen: boolean; flagged: boolean; answered: boolean };
  labels: string[];
}

/** Stores a message in a mailbox without a server, through the same pipeline as mail from one. */
export async function deliverLocally(
  { platform, folders, locations, pipeline, keepRaw }: SandboxParts,
  account: Account,
  folder: Folder,
  uid: number,
  message: LocalMessage,
): Promise<void> {
  const { contents } = await readContents({ source: message.raw });
  const incoming = toIncoming(contents, {
    folderId: folder.id,
    uid,
    internalDate: message.internalDate.getTime(),
    size: message.raw.length,
    flags: { ...message.flags, draft: folder.role === "drafts", important: false },
    labels: message.labels,
    flagsHash: 0,
    serverThreadId: null,
  });
  platform.db.write(() => {
    pipeline.take(account, folder, [incoming]);
    folder.uidnext = Math.max(folder.uidnext, uid + 1);
    folders.save(folder);
    // Before the commit: if the file does not fit on the disk, the message is not stored either and is delivered again.
    const { message_id } = locations.at(folder.id, uid)!;
    const isThere = () => locations.at(folder.id, uid)?.message_id === message_id;
    keepRaw({ user_id: account.user_id, message_id }, message.raw, isThere);
  });
}

function roleOf(folder: SandboxFolder): FolderRole {
  return folder;
}
