import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Plan } from "../../kernel/plans.ts";
import type { Scope } from "../../kernel/scopes.ts";
import { flag, hmac, json, sealed, time } from "../db/columns.ts";

export interface TotpSecret {
  secret: string;
  /** SHA-256 of the unused codes, hex. */
  backup_hashes: string[];
}

export interface PasskeyCredential {
  name: string;
  /** Base64url, as the authenticator names it. */
  credential_id: string;
  /** Base64url. */
  public_key: string;
  transports: string[];
  /** The host name that it is permanently bound to. */
  rp_id: string;
}

export const users = sqliteTable("users", {
  id: text().primaryKey(),
  profile: sealed<{ email: string }>("system").notNull(),
  email_hmac: hmac().notNull().unique(),
  /** The person's own plan; while they are in a team, the team's plan counts. */
  plan: text().$type<Plan>().notNull(),
  role: text().$type<"owner" | "member" | "sandbox">().notNull(),
  /** The person whose sandbox this row is; null: a person. */
  sandbox_of: text(),
  timezone: text().notNull(),
  created_at: time().notNull(),
  /** Set: the person is locked out, and their data is being deleted. */
  removing_at: time(),
});
export type UserRow = typeof users.$inferSelect;

export const apiKeys = sqliteTable("api_keys", {
  id: text().primaryKey(),
  user_id: text().notNull(),
  /** HMAC of the whole key. */
  hash: hmac(256).notNull().unique(),
  label: sealed<{ name: string; ip_allow: string[] }>("system").notNull(),
  /** "service_live_" and four characters, safe to log. */
  hint: text().notNull(),
  scopes: json<Scope[]>().notNull(),
  /** Set: the key is bound to this mailbox. */
  account_id: text(),
  created_at: time().notNull(),
  expires_at: time(),
  revoked_at: time(),
  last_used_at: time(),
  /** Set: an organization key of this team. */
  team_id: text(),
  /** Refused for the API, accepted by the tool server. */
  tools_only: flag().notNull(),
});
export type ApiKeyRow = typeof apiKeys.$inferSelect;

/** The program that a person connected, as it describes itself. */
export interface ConnectedClient {
  id: string;
  name: string;
  uri: string | null;
  /** Host to which the browser returned; for a program on the same computer "localhost" or its own scheme. */
  redirect_host: string;
  /** Whether the description was fetched from the address that is the client's id. */
  verified: boolean;
}

/** Assistants that may use the tool server. */
export const assistantConnections = sqliteTable("assistant_connections", {
  id: text().primaryKey(),
  user_id: text().notNull(),
  /** HMAC of the client's id. */
  client_hmac: hmac().notNull(),
  client: sealed<ConnectedClient>("system").notNull(),
  scopes: json<Scope[]>().notNull(),
  /** Set: the connection is bound to this mailbox. */
  account_id: text(),
  created_at: time().notNull(),
  revoked_at: time(),
  last_used_at: time(),
});
export type AssistantConnectionRow = typeof assistantConnections.$inferSelect;

/** Programs that registered themselves (RFC 7591). */
export const assistantClients = sqliteTable("assistant_clients", {
  id_hmac: hmac().primaryKey(),
  metadata: sealed<object>("system").notNull(),
  created_at: time().notNull(),
  /** First consent of a person; null: none yet, the row expires after a day. */
  used_at: time(),
});
export type AssistantClientRow = typeof assistantClients.$inferSelect;

/** The purpose of a secret of the authorization server. */
export interface AssistantToken<P extends object = object> {
  connection_id: string | null;
  user_id: string | null;
  /** Never contains the secret itself. */
  payload: P;
  expires_at: number;
}

/** Authorization requests, codes, access and refresh tokens. */
export const assistantTokens = sqliteTable(
  "assistant_tokens",
  {
    kind: text().notNull(),
    /** HMAC of the secret, which is not stored. */
    hash: hmac(256).notNull(),
    connection_id: text(),
    user_id: text(),
    payload: sealed<AssistantToken>("system").notNull(),
    expires_at: time().notNull(),
  },
  (t) => [primaryKey({ columns: [t.kind, t.hash] })],
);
export type AssistantTokenRow = typeof assistantTokens.$inferSelect;

export const sessions = sqliteTable("sessions", {
  id: text().primaryKey(),
  user_id: text().notNull(),
  /** HMAC of the cookie's value. */
  hash: hmac(256).notNull().unique(),
  method: text().$type<"setup" | "password" | "passkey" | "oidc" | "forward_auth" | "invitation">().notNull(),
  about: sealed<{ address: string; user_agent: string }>("system").notNull(),
  created_at: time().notNull(),
  /** When the person last proved their identity; 0: only another service has confirmed it. */
  proved_at: time().notNull(),
  last_used_at: time().notNull(),
  /** Time at which the session ends at the latest, regardless of use. */
  expires_at: time().notNull(),
});
export type SessionRow = typeof sessions.$inferSelect;

export const passwords = sqliteTable("passwords", {
  user_id: text().primaryKey(),
  /** An argon2id hash. */
  hash: sealed<string>("system").notNull(),
  changed_at: time().notNull(),
});
export type PasswordRow = typeof passwords.$inferSelect;

/** Authenticator apps (RFC 6238). */
export const totp = sqliteTable("totp", {
  user_id: text().primaryKey(),
  secret: sealed<TotpSecret>("system").notNull(),
  /** The newest accepted time step; it and older ones are refused. */
  last_step: integer().notNull(),
  /** Null: enrollment has begun and has no effect yet. */
  confirmed_at: time(),
});
export type TotpRow = typeof totp.$inferSelect;

export const passkeys = sqliteTable("passkeys", {
  id: text().primaryKey(),
  user_id: text().notNull(),
  credential_hmac: hmac().notNull().unique(),
  credential: sealed<PasskeyCredential>("system").notNull(),
  /** The authenticator's counter; 0 where it has none. */
  counter: integer().notNull(),
  created_at: time().notNull(),
  last_used_at: time(),
});
export type PasskeyRow = typeof passkeys.$inferSelect;

/** Links that set a password. */
export const invitations = sqliteTable("invitations", {
  /** HMAC of the link's token. */
  hash: hmac(256).primaryKey(),
  user_id: text().notNull(),
  created_at: time().notNull(),
  expires_at: time().notNull(),
});
export type InvitationRow = typeof invitations.$inferSelect;

/** Failed sign-ins, kept across restarts. */
export const signInFailures = sqliteTable("sign_in_failures", {
  /** HMAC of the address of an account or of a client. */
  name: hmac().primaryKey(),
  failures: integer().notNull(),
  last_at: time().notNull(),
});
export type SignInFailureRow = typeof signInFailures.$inferSelect;

/** People who share the limits of a plan, and whose mail organization keys read. */
export const teams = sqliteTable("teams", {
  id: text().primaryKey(),
  profile: sealed<{ name: string }>("system").notNull(),
  created_at: time().notNull(),
});
export type TeamRow = typeof teams.$inferSelect;

export const teamMembers = sqliteTable(
  "team_members",
  {
    team_id: text().notNull(),
    user_id: text().notNull(),
    invited_at: time().notNull(),
    /** Null: invited, and not accepted yet. */
    joined_at: time(),
  },
  (t) => [primaryKey({ columns: [t.team_id, t.user_id] })],
);
export type TeamMemberRow = typeof teamMembers.$inferSelect;
