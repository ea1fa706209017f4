import type { ConnectParts } from "../features/connect/parts.ts";
import { ServerAccess } from "../features/connect/server-access.ts";
import { Unsubscriber } from "../features/unsubscribe/service.ts";
import { UserError } from "../kernel/errors.ts";
import { AccessTokens, NoToken } from "../mailbox/accounts/access-tokens.ts";
import { CompletenessStore } from "../mailbox/accounts/completeness.ts";
import { OAuthClients } from "../mailbox/accounts/oauth-clients.ts";
import { OAuthFlows } from "../mailbox/accounts/oauth-flows.ts";
import { Unsubscribes } from "../mailbox/changes/unsubscribes.ts";
import type { Mailbox } from "../mailbox/mailbox.ts";
import type { Config } from "../platform/config/load.ts";
import { readCaFile } from "../platform/egress/ca-file.ts";
import { EgressClient } from "../platform/egress/client.ts";
import { EgressGuard } from "../platform/egress/guard.ts";
import type { Platform } from "../platform/platform.ts";
import { VERSION } from "../version.ts";
import { discover } from "../wire/autoconfig/discover.ts";
import { mailDns } from "../wire/autoconfig/dns.ts";
import type { MailServer } from "../wire/autoconfig/found.ts";
import { speaksProtocol } from "../wire/autoconfig/greeting.ts";
import { endpointsOf } from "../wire/oauth/endpoints.ts";
import { requestTokens, TokenFault } from "../wire/oauth/token.ts";

/** The dependencies of connecting mailboxes, on the main thread. Call `close` after the server has stopped. */
export interface ConnectServices extends ConnectParts {
  tokens: AccessTokens;
  close(): void;
}

/** Opens what connecting mailboxes needs. @throws UserError for invalid settings */
export function openConnectServices(platform: Platform, mailbox: Mailbox): ConnectServices {
  const { config } = platform;
  const egress = connectEgress(platform);
  const ca = authorities(config);
  const reach = new ServerAccess({ users: platform.users, accounts: mailbox.accounts, guard: connectGuard(config) });
  return {
    platform,
    mailbox,
    tokens: createTokens(platform, egress),
    clients: new OAuthClients(platform),
    flows: new OAuthFlows(platform),
    checks: new CompletenessStore(platform, mailbox.folders),
    discover: createDiscovery(platform, egress),
    testLogins: async (login, user_id) => {
      // The mail clients are loaded for the test. Otherwise only the mail worker needs them.
      const { testLogins } = await import("../wire/logins.ts");
      return testLogins(login, ca, (server) => reach.isAllowed(user_id, server));
    },
    redeem: (provider, client, grant) => {
      const code = { grant_type: "authorization_code", ...grant } as const;
      return requestTokens(egress, endpointsOf(config, provider, client), client, code);
    },
    close: () => egress.close(),
  };
}

/** Builds the discovery of an address's mail servers. @throws UserError for invalid settings */
export function createDiscovery(
  base: Pick<Platform, "config" | "clock">,
  egress: Pick<EgressClient, "request"> = connectEgress(base),
): ConnectParts["discover"] {
  const { config, clock } = base;
  const ca = authorities(config);
  const dns = mailDns();
  const ispdb_url = config.get("mail.ispdb") ? config.get("mail.ispdb_url") : null;
  const reach = (kind: "imap" | "smtp", server: MailServer) => speaksProtocol(kind, server, { ca, clock });
  return (email) => discover({ egress, dns, speaksProtocol: reach, ispdb_url }, email);
}

function authorities(config: Config): string | null {
  return readCaFile("mail.ca_file", config.get("mail.ca_file"));
}

/**
 * Builds the client for the requests that connect mailboxes: a provider's server settings and OAuth tokens.
 * @throws UserError
 */
export function connectEgress({ config, clock }: Pick<Platform, "config" | "clock">): EgressClient {
  return new EgressClient({ guard: connectGuard(config), clock, ca: authorities(config) });
}

/** Builds the guard from `mail.allow`. @throws UserError that names the invalid setting */
function connectGuard(config: Config): EgressGuard {
  try {
    return new EgressGuard(config.get("mail.allow"), "mail.allow");
  } catch (error) {
    throw error instanceof UserError ? new UserError(`mail.allow: ${error.message}`) : error;
  }
}

/**
 * Builds unsubscribing from mailings. The sender of a mail chooses these URLs, so the guard allows no private
 * addresses.
 */
export function createUnsubscriber(platform: Platform, mailbox: Mailbox): Unsubscriber {
  const egress = new EgressClient({ guard: new EgressGuard([]), clock: platform.clock, ca: null });
  const unsubscribes = new Unsubscribes(platform);
  return new Unsubscriber({
    messages: mailbox.messageQueries,
    unsubscribes,
    egress,
    user_agent: `Postroom/${VERSION}`,
  });
}

/**
 * Builds the access tokens for mailboxes that use OAuth. Each thread has its own instance; they coordinate through the
 * database.
 */
export function createTokens(platform: Platform, egress: Pick<EgressClient, "request">): AccessTokens {
  const clients = new OAuthClients(platform);
  return new AccessTokens(platform, async (provider, refresh_token) => {
    const client = clients.get(provider);
    if (!client) throw new NoToken("client", `no client ID for ${provider} is stored`);
    try {
      const grant = { grant_type: "refresh_token", refresh_token } as const;
      return await requestTokens(egress, endpointsOf(platform.config, provider, client), client, grant);
    } catch (error) {
      if (!(error instanceof TokenFault)) throw error;
      platform.log.warn("an access token was not renewed", { provider, reason: error.message });
      throw new NoToken(error.reason, error.message, error);
    }
  });
}
