import type { Account, NewAccount } from "../../src/mailbox/accounts/accounts.ts";
import type { MailOwner } from "../../src/mailbox/accounts/owner.ts";
import { createMailbox, type Mailbox } from "../../src/mailbox/mailbox.ts";
import type { Folder } from "../../src/mailbox/store/folders.ts";
import type { Imported } from "../../src/mailbox/store/importer.ts";
import type { IncomingMessage, ServerFlags } from "../../src/mailbox/store/incoming.ts";
import type { FolderRole } from "../../src/mailbox/store/state.ts";
import type { Platform } from "../../src/platform/platform.ts";

/** What a test specifies of a message; the rest is generated. Dates are ms. */
export interface SeedMessage extends Partial<Omit<IncomingMessage, "flags" | "folderId">> {
  /** Folder of the message; the inbox when absent. */
  role?: FolderRole;
  /** When it was received; when absent, a minute after the previous message. */
  at?: number;
  flags?: Partial<ServerFlags>;
  category?: string;
}

/** A mailbox filled by a test, as the import would fill it. */
export interface SeededMailbox {
  mailbox: Mailbox;
  account: Account;
  folder(role: FolderRole): Folder;
  /** Stores one message and refreshes its thread. */
  deliver(message?: SeedMessage): Imported;
  /** Stores a conversation in which each message answers the one before. @returns the thread, and its messages in order */
  converse(...messages: SeedMessage[]): { thread_id: string; message_ids: string[] };
}

const FIRST_AT = Date.parse("2026-02-01T08:00:00Z");
const NO_FLAGS: ServerFlags = { seen: true, flagged: false, answered: false, draft: false, important: false };

export function seedMailbox(
  platform: Platform,
  user_id: string,
  options: Partial<NewAccount> & { mailbox?: Mailbox } = {},
): SeededMailbox {
  const { mailbox = createMailbox(platform), ...accountOptions } = options;
  const account = mailbox.accounts.add({
    user_id,
    provider: "imap",
    email: "ada@example.org",
    connection: null,
    ...accountOptions,
  });
  const target: MailOwner = { id: account.id, user_id, self: new Set([account.email]) };
  const folders = new Map<FolderRole, Folder>();
  let uid = 0;
  const folder = (role: FolderRole) => {
    const found = folders.get(role) ?? mailbox.folders.upsert(account, role, "/", role);
    folders.set(role, found);
    return found;
  };
  const deliver = (message: SeedMessage = {}) => {
    uid++;
    const { role = "inbox", at = FIRST_AT + uid * 60_000, flags, category = "primary", ...rest } = message;
    const text = rest.text ?? `Text number ${uid}.`;
    return platform.db.write(() => {
      const imported = mailbox.importer.store(
        target,
        {
          folderId: folder(role).id,
          uid,
          internalDate: at,
          size: 1_000,
          labels: [],
          flagsHash: 0,
          serverThreadId: null,
          messageId: `<${uid}.${account.id}@seed.example>`,
          inReplyTo: [],
          references: [],
          subject: `Subject ${uid}`,
          from: { name: "Bob", email: "bob@example.net" },
          replyTo: [],
          to: [{ name: "Ada", email: "ada@example.org" }],
          cc: [],
          bcc: [],
          date: at,
          headers: new Map(),
          bodyText: text,
          newText: text,
          html: null,
          attachments: [],
          ...rest,
          text,
          flags: { ...NO_FLAGS, ...flags },
        },
        { category, reason: "test" },
      );
      mailbox.threads.refresh(imported.thread_id);
      return imported;
    });
  };
  return {
    mailbox,
    account,
    folder,
    deliver,
    converse(...messages) {
      const chain: string[] = [];
      const message_ids = messages.map((message) => {
        const message_id = `<c${uid}.${account.id}@seed.example>`;
        const stored = deliver({
          subject: "A conversation",
          messageId: message_id,
          references: [...chain],
          ...message,
        });
        chain.push(message_id);
        return stored.message_id;
      });
      const thread_id = platform.db.sql
        .query<{ thread_id: string }, [string]>("SELECT thread_id FROM messages WHERE id = ?")
        .get(message_ids[0]!)!.thread_id;
      return { thread_id, message_ids };
    },
  };
}
