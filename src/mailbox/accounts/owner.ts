import type { Account } from "./accounts.ts";

/** A mailbox, with the addresses that identify the person it belongs to. */
export interface MailOwner {
  /** The account. */
  id: string;
  user_id: string;
  /** The account's own addresses, lower case. */
  self: ReadonlySet<string>;
}

/** Returns the owner of an account, as import and rules use it. */
export function ownerOf({ id, user_id, email, aliases }: Account): MailOwner {
  return { id, user_id, self: new Set([email, ...aliases].map((address) => address.toLowerCase())) };
}
