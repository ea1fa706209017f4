import type { ApiError } from "../../kernel/errors.ts";
import type { User } from "../../platform/identity/users.ts";
import type { Actor } from "../../platform/ledger/audit.ts";
import type { Caller, Credential } from "./caller.ts";

/** The identified sender of a request, before authorization. */
export interface Identity {
  credential: Credential;
  /** For the log: the first characters of the key, "connection" or "session". */
  hint: string;
  /** Whose mail the request sees: the person, or the person's sandbox user. */
  user: User;
  actor: Actor;
  isTest: boolean;
  /** Returns whether the credential is still valid, for replies that stay open. */
  usable: () => boolean;
  /**
   * Set for an organization key that names no member: the error that ends the request after all other checks have
   * passed.
   */
  refusal: ApiError | null;
}

/** Returns an identity whose every check has passed, as services take it. */
export function callerOf({ credential, user, actor, isTest }: Identity, request_id: string): Caller {
  const { account_id } = credential;
  return { user_id: user.id, user, key: credential, account_id, actor, isTest, request_id };
}
