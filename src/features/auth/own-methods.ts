import type { User } from "../../platform/identity/users.ts";
import type { Platform } from "../../platform/platform.ts";

/**
 * Whether a person can prove here who they are, without another service. Who can has to, before what is only done for
 * somebody who has just proved it: providers and proxies let an open browser in again without asking anybody.
 */
export function hasOwnMethods({ sign_in }: Pick<Platform, "sign_in">, { id }: Pick<User, "id">): boolean {
  return sign_in.passwords.has(id) || sign_in.passkeys.has(id);
}
