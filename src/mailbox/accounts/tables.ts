import { integer, sqliteTable, text, unique } from "drizzle-orm/sqlite-core";
import { flag, hmac, sealed, time } from "../../platform/db/columns.ts";

/** `sandbox` is the built-in sample mailbox, `imported` one that was read from files. Neither has a mail server. */
export type Provider = "imap" | "gmail" | "outlook" | "sandbox" | "imported";

export type Security = "tls" | "starttls" | "none";

export interface ServerAddress {
  host: string;
  port: number;
  security: Security;
}

/** Servers and credentials of the mailbox; stored sealed. */
export interface Connection {
  imap: ServerAddress;
  smtp: ServerAddress | null;
  username: string;
  /** "" where `oauth` is set. */
  password: string;
  /**
   * Set where the mailbox was connected by signing in at the provider; the tokens are stored apart (AccessTokens).
   * `granted_at` distinguishes one grant from the next.
   */
  oauth?: { provider: "google" | "microsoft"; granted_at: number };
}

/** The names and settings of an account; stored sealed. */
export interface AccountProfile {
  email: string;
  /** Further addresses of the same mailbox. */
  aliases: string[];
  /** Paths of folders that are never synced. */
  exclude: string[];
}

export type OAuthProviderName = "google" | "microsoft";

/**
 * The OAuth client that the owner registered with a provider, so that people can connect mailboxes by signing in there.
 */
export interface StoredOAuthClient {
  client_id: string;
  /** "" for a client without a secret. */
  client_secret: string;
  /** Microsoft's directory; "" means "common". */
  tenant: string;
}

/** A sign-in at a provider that is under way, to connect a mailbox. */
export interface OAuthFlow {
  provider: OAuthProviderName;
  email: string;
  /** The mailbox that is being reconnected; null for a new one. */
  account_id: string | null;
  verifier: string;
  redirect_uri: string;
  imap: ServerAddress;
  smtp: ServerAddress | null;
  username: string;
}

export interface OAuthTokens {
  provider: OAuthProviderName;
  refresh_token: string;
  access_token: string;
}

export const accounts = sqliteTable(
  "accounts",
  {
    id: text().primaryKey(),
    user_id: text().notNull(),
    provider: text().$type<Provider>().notNull(),
    profile: sealed<AccountProfile>().notNull(),
    /** Null: a mailbox without a server. */
    connection: sealed<Connection>(),
    email_hmac: hmac().notNull(),
    is_primary: flag().notNull(),
    status: text().$type<"active" | "connecting" | "auth_failed" | "unreachable" | "paused">().notNull(),
    read_only: flag().notNull(),
    on_server_delete: text().$type<"follow" | "keep">().notNull(),
    /** Full passes over all folders so far. */
    pass: integer().notNull(),
    last_error: sealed<string>(),
    last_sync_at: time(),
    sync_phase: text().$type<"waiting" | "importing" | "live">().notNull(),
    sync_done: integer().notNull(),
    sync_total: integer().notNull(),
    created_at: time().notNull(),
  },
  (t) => [unique().on(t.user_id, t.email_hmac)],
);
export type AccountRow = typeof accounts.$inferSelect;

/** The OAuth clients that the owner registered with providers. */
export const oauthClients = sqliteTable("oauth_clients", {
  provider: text().$type<OAuthProviderName>().primaryKey(),
  client: sealed<StoredOAuthClient>("system").notNull(),
  updated_at: time().notNull(),
});
export type OAuthClientRow = typeof oauthClients.$inferSelect;

/** Sign-ins at a provider's page that have not ended. */
export const oauthFlows = sqliteTable("oauth_flows", {
  /** HMAC of the state that the answer contains. */
  state_hash: hmac(256).primaryKey(),
  user_id: text().notNull(),
  flow: sealed<OAuthFlow & { expires_at: number }>().notNull(),
  expires_at: time().notNull(),
});
export type OAuthFlowRow = typeof oauthFlows.$inferSelect;

/** Access to a mailbox that a provider granted. */
export const oauthGrants = sqliteTable("oauth_grants", {
  account_id: text().primaryKey(),
  tokens: sealed<OAuthTokens>().notNull(),
  /** When the access token expires. */
  expires_at: time().notNull(),
  /** When the provider revoked the grant. */
  withdrawn_at: time(),
  /** The thread that renews the token; others wait. */
  renewing_by: text(),
  renewing_until: time(),
});
export type OAuthGrantRow = typeof oauthGrants.$inferSelect;

/** The last comparison of each folder with the server, in numbers of messages. */
export const folderChecks = sqliteTable("folder_checks", {
  folder_id: text().primaryKey(),
  /** Messages on the server. */
  server: integer().notNull(),
  /** Messages stored here. */
  here: integer().notNull(),
  /** Messages on the server but not here. */
  missing: integer().notNull(),
  /** Messages here but not on the server. */
  extra: integer().notNull(),
  /** The server did not open the folder, so the numbers mean nothing. */
  refused: flag().notNull(),
  verified_at: time().notNull(),
});
export type FolderCheckRow = typeof folderChecks.$inferSelect;

export const accountChecks = sqliteTable("account_checks", {
  account_id: text().primaryKey(),
  tried_at: time().notNull(),
  /** When the last complete comparison ended. */
  checked_at: time(),
  /** Why the last comparison failed. */
  error: sealed<string>(),
});
export type AccountCheckRow = typeof accountChecks.$inferSelect;
