import { ApiError } from "../../kernel/errors.ts";
import type { Scope } from "../../kernel/scopes.ts";
import type { User } from "../../platform/identity/users.ts";
import type { Actor } from "../../platform/ledger/audit.ts";

/** What a request shows to be let in: an API key, or a session of the settings page, which has every scope. */
export interface Credential {
  kind: "key" | "session";
  id: string;
  scopes: readonly Scope[];
  /** The one mailbox that a key is bound to. */
  account_id: string | null;
  /** 0 for a session: what holds for a key's first day does not hold for it. */
  created_at: number;
}

/**
 * Who asks, after every check has passed. Services take it as their first argument and put `user_id` into their
 * queries.
 */
export interface Caller {
  /** Owner of everything that this request may see: the person for live keys and sessions, the sandbox user for test keys. */
  user_id: string;
  user: User;
  key: Credential;
  /** The one mailbox that the key is bound to; null: all of the user's. */
  account_id: string | null;
  /** For audit rows. */
  actor: Actor;
  /** True for a `service_test_` key, and for a session that looks at its sandbox. */
  isTest: boolean;
  request_id: string;
}

/** For what concerns all mailboxes of a user at once. @throws ApiError forbidden_scope to a key that is bound to one */
export function requireUnbound({ account_id }: Caller): void {
  if (account_id === null) return;
  throw new ApiError(
    "forbidden_scope",
    "This key is bound to one mailbox, but the request concerns all mailboxes. Use a key that is not bound.",
  );
}
