import type { IncomingMessage } from "../../mailbox/store/incoming.ts";
import type { FolderRole } from "../../mailbox/store/state.ts";
import type { MessageRow } from "../../mailbox/store/tables.ts";
import type { Platform } from "../../platform/platform.ts";
import { type ContactStore, NAME_RANK } from "./store.ts";

/** The properties of a message that determine its contacts. */
export interface Correspondence {
  user_id: string;
  message_id: string;
  /** The account's own addresses, lower case. */
  self: ReadonlySet<string>;
  roles: readonly FolderRole[];
  /** Whether the user wrote it, judged by the folders of its copies (isOwnMail). */
  own: boolean;
  incoming: Pick<IncomingMessage, "from" | "to" | "cc" | "bcc" | "date" | "internalDate" | "flags">;
}

/** Further recipients are ignored: a message to more people than this says little about each of them. */
const MAX_RECIPIENTS = 100;

/**
 * Records the sender of a message to the user, or the recipients of a message by the user. Ignores drafts. Runs in the
 * message's transaction and is idempotent.
 */
export function recordContacts(platform: Platform, store: ContactStore, mail: Correspondence): void {
  const { user_id, incoming, roles, self } = mail;
  if (incoming.flags.draft || roles.every((role) => role === "drafts")) return;
  const isOwn = (email: string) => self.has(email.toLowerCase());
  const sent = roles.includes("sent") || mail.own;
  const people = sent ? [...incoming.to, ...incoming.cc, ...incoming.bcc].slice(0, MAX_RECIPIENTS) : [incoming.from];
  const rank = sent ? NAME_RANK.user : NAME_RANK.owner;
  const at = incoming.date ?? incoming.internalDate;
  const others = people.filter(({ email }) => email !== "" && !isOwn(email));
  if (others.length === 0) return;
  const message = platform.db.sql
    .query<Pick<MessageRow, "n">, [string]>("SELECT n FROM messages WHERE id = ?")
    .get(mail.message_id);
  if (!message) return;
  for (const { name, email } of others) {
    const address_n = store.recordAddress(user_id, { name, email, rank, at });
    if (address_n !== null) store.linkMessage(message.n, address_n);
  }
}
