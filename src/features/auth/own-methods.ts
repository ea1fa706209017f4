import type { User } from "../../platform/identity/users.ts";
import type { Platform } from "../../platform/platform.ts";

/**
 * Whether a person can prove here who they are, without another service. Who can has to, before what is only done for
 * somebody who has just proved it: providers and proxies let an open browser in again without asking anybody.
 */
export function hasOwnMethods({ signIn }: Pick<Platform, "signIn">, { id }: Pick<User, "id">): boolean {
  return signIn.passwords.has(id) || signIn.passkeys.has(id);
}
