import type { AccessTokens } from "../../mailbox/accounts/access-tokens.ts";
import type { CompletenessStore } from "../../mailbox/accounts/completeness.ts";
import type { OAuthClients } from "../../mailbox/accounts/oauth-clients.ts";
import type { OAuthFlows } from "../../mailbox/accounts/oauth-flows.ts";
import type { OAuthProviderName, StoredOAuthClient } from "../../mailbox/accounts/tables.ts";
import type { Mailbox } from "../../mailbox/mailbox.ts";
import type { Platform } from "../../platform/platform.ts";
import type { Found } from "../../wire/autoconfig/found.ts";
import type { Login, LoginTest } from "../../wire/login-test.ts";
import type { Tokens } from "../../wire/oauth/token.ts";

/** The services of other modules that connecting mailboxes needs. */
export interface ConnectParts {
  platform: Platform;
  mailbox: Pick<Mailbox, "accounts" | "folders" | "locationSync">;
  clients: OAuthClients;
  flows: OAuthFlows;
  tokens: Pick<AccessTokens, "store" | "credentials">;
  checks: CompletenessStore;
  /** Finds the servers for an address; null if it is not an email address. */
  discover: (email: string) => Promise<Found | null>;
  /** Logs in to both servers once, within the limits of what this person may reach. */
  testLogins: (login: Login, user_id: string) => Promise<LoginTest>;
  /** Exchanges the code of a sign-in for tokens. @throws TokenFault */
  redeem: (provider: OAuthProviderName, client: StoredOAuthClient, grant: Redeemed) => Promise<Tokens>;
}

export interface Redeemed {
  code: string;
  redirect_uri: string;
  code_verifier: string;
}
