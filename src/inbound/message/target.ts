import type { Account } from "../../mailbox/accounts/accounts.ts";
import type { ImportTarget } from "../../mailbox/store/importer.ts";

/** Returns the view of an account that the import uses. */
export function importTarget(account: Account): ImportTarget {
  const self = new Set([account.email, ...account.aliases].map((address) => address.toLowerCase()));
  return { id: account.id, user_id: account.user_id, self };
}
