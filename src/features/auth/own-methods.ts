import type { User } from "../../platform/identity/users.ts";
import type { Platform } from "../../platform/platform.ts";

/**
 * Whether a person has a sign-in method that needs no other service. A person who has one must use it to re-authenticate,
 * because providers and proxies let an open browser in again without asking.
 */
export function hasOwnMethods({ signIn }: Pick<Platform, "signIn">, { id }: Pick<User, "id">): boolean {
  return signIn.passwords.has(id) || signIn.passkeys.has(id);
}
