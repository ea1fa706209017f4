import type { IncomingMessage } from "../../mailbox/store/incoming.ts";
import type { FolderRole } from "../../mailbox/store/state.ts";
import type { Platform } from "../../platform/platform.ts";
import { type ContactStore, NAME_RANK } from "./store.ts";

/** What a contact needs to know of a message. */
export interface Correspondence {
  user_id: string;
  message_id: string;
  /** The account's own addresses, lower case. */
  self: ReadonlySet<string>;
  roles: readonly FolderRole[];
  /** The user wrote it, judged by the folders of its copies (Importer.isOwn). */
  own: boolean;
  incoming: Pick<IncomingMessage, "from" | "to" | "cc" | "bcc" | "date" | "internal_date" | "flags">;
}

/** A message to more people than this says little about each of them. */
const MOST_RECIPIENTS = 100;

/**
 * Notes who wrote a message to the user, or whom the user wrote it to. Drafts are nobody's contact yet. Runs in the message's
 * transaction; repeating it changes nothing.
 */
export function recordContacts(platform: Platform, store: ContactStore, mail: Correspondence): void {
  const { user_id, incoming, roles, self } = mail;
  if (incoming.flags.draft || roles.every((role) => role === "drafts")) return;
  const isOwn = (email: string) => self.has(email.toLowerCase());
  const sent = roles.includes("sent") || mail.own;
  const people = sent ? [...incoming.to, ...incoming.cc, ...incoming.bcc].slice(0, MOST_RECIPIENTS) : [incoming.from];
  const rank = sent ? NAME_RANK.user : NAME_RANK.owner;
  const at = incoming.date ?? incoming.internal_date;
  const others = people.filter(({ email }) => email !== "" && !isOwn(email));
  if (others.length === 0) return;
  const message = platform.db.sql
    .query<{ n: number }, [string]>("SELECT n FROM messages WHERE id = ?")
    .get(mail.message_id);
  if (!message) return;
  for (const { name, email } of others) {
    const address_n = store.see(user_id, { name, email, rank, at });
    if (address_n !== null) store.tie(message.n, address_n);
  }
}
