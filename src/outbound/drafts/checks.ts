import { invalidParam } from "../../kernel/errors.ts";
import type { Account } from "../../mailbox/accounts/accounts.ts";
import {
  AddressFault,
  type MailAddress,
  parseRecipient,
  parseRecipients,
  sameAddress,
} from "../../wire/smtp/addresses.ts";

/** Fields of a draft that hold recipients. */
const RECIPIENT_FIELDS = ["to", "cc", "bcc"] as const;
export type RecipientField = (typeof RECIPIENT_FIELDS)[number];

/** Checks that every recipient is one email address. @throws ApiError invalid_params that names it: `to[1]` */
export function checkRecipients(fields: Partial<Record<RecipientField, readonly string[]>>): void {
  try {
    for (const field of RECIPIENT_FIELDS) parseRecipients(field, fields[field] ?? []);
  } catch (error) {
    if (error instanceof AddressFault) throw invalidParam(error.param, error.message);
    throw error;
  }
}

/** Returns every address that an account may write from: its own address first, then its aliases. */
export function ownAddresses(account: Account): string[] {
  return [account.email, ...account.aliases];
}

/**
 * Returns the sender of a message: the account's own address, or the requested one if it belongs to the account. It may
 * include a display name.
 * @throws ApiError invalid_params (`from`)
 */
export function senderOf(account: Account, from: string | null): MailAddress {
  if (from === null) return { name: "", email: account.email };
  const address = parseRecipient(from);
  const own = address && ownAddresses(account).find((email) => sameAddress(email, address.email));
  if (!own) throw invalidParam("from", "from must be the mailbox's address or one of its aliases.");
  return { name: address.name, email: own };
}
