import { isEmailAddress, nameFault } from "../../kernel/names.ts";
import type { Actor } from "../../platform/ledger/audit.ts";
import type { Platform } from "../../platform/platform.ts";
import type { Account, Accounts } from "./accounts.ts";

/** Returns why mail cannot be imported into a mailbox of this name, as the end of a sentence; null if it can. */
export function importedNameFault(accounts: Accounts, user_id: string, name: string): string | null {
  const fault = nameFault(name) ?? (name.includes("@") && !isEmailAddress(name) ? "is not an address" : null);
  if (fault) return fault;
  const same = sameName(accounts, user_id, name);
  return same && same.provider !== "imported"
    ? `is the address of a connected mailbox (${same.email}). Choose another name`
    : null;
}

/** Returns the imported mailbox of this name, which is created if it is new. The name must have no fault. */
export function openImported(
  platform: Pick<Platform, "db" | "users">,
  accounts: Accounts,
  user_id: string,
  name: string,
  actor?: Actor,
): Account {
  const same = sameName(accounts, user_id, name);
  if (same) return same;
  const email = addressOf(name);
  const own = accounts.addressesOf(user_id);
  const aliases = [...new Set([platform.users.get(user_id)!.email, ...own])].filter((address) => address !== email);
  return platform.db.write(() => {
    const about = { user_id, provider: "imported", email, connection: null, read_only: true } as const;
    const account = accounts.add({ ...about, ...(actor ? { actor } : {}) });
    // The user's own addresses identify the mail that the user wrote.
    accounts.setProfile(account, { email, aliases, exclude: [] });
    return accounts.get(account.id)!;
  });
}

function sameName(accounts: Accounts, user_id: string, name: string): Account | undefined {
  const email = addressOf(name).toLowerCase();
  return accounts.list(user_id).find((account) => account.email.toLowerCase() === email);
}

/** Returns the address under which an imported mailbox is stored. */
function addressOf(name: string): string {
  return name.includes("@") ? name : `${name.trim().replace(/\s+/g, "-")}@imported.invalid`;
}
