import { ApiError } from "../../kernel/errors.ts";
import type { Scope } from "../../kernel/scopes.ts";
import type { User } from "../../platform/identity/users.ts";
import type { Actor } from "../../platform/ledger/audit.ts";

/**
 * The credential of a request: an API key, a connection of an assistant, or a session of the settings page, which has
 * every scope.
 */
export interface Credential {
  kind: "key" | "connection" | "session";
  id: string;
  /** Name that the user recognizes: that of the key; empty for a session. */
  name: string;
  scopes: readonly Scope[];
  /**
   * Whether its holder can read what the user keeps about clients. For a connection, its own scopes count, because its
   * program can ask for an access token with fewer scopes at any time.
   */
  readsContext: boolean;
  /** The only mailbox that the key or connection is bound to. */
  account_id: string | null;
  /** Whether it is accepted only by the tool server. */
  tools_only?: boolean;
  /** 0 for a session: the limits of a key's first day do not apply to it. */
  created_at: number;
}

/**
 * The caller of a request, after every check has passed. Services take it as their first argument and put `user_id`
 * into their queries.
 */
export interface Caller {
  /** Owner of everything that this request may see: the person for live keys and sessions, the sandbox user for test keys. */
  user_id: string;
  user: User;
  key: Credential;
  /** The only mailbox that the key or connection is bound to; null: all of the user's. */
  account_id: string | null;
  /** For audit rows. */
  actor: Actor;
  /** True for a `service_test_` key, a connection to the sandbox, and a session that shows its sandbox. */
  isTest: boolean;
  request_id: string;
}

/**
 * Refuses keys that are bound to one mailbox, for operations on all mailboxes of a user. @throws ApiError
 * forbidden_scope
 */
export function requireUnbound({ account_id }: Caller): void {
  if (account_id === null) return;
  throw new ApiError(
    "forbidden_scope",
    "This key is bound to one mailbox, but the request concerns all mailboxes. Use a key without this limit.",
  );
}
