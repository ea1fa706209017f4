import type { Config } from "../../platform/config/load.ts";
import type { OAuthProvider } from "../autoconfig/found.ts";

export const OAUTH_PROVIDERS = ["google", "microsoft"] as const satisfies readonly OAuthProvider[];

/** The client that the owner registered with a provider. */
export interface OAuthClient {
  client_id: string;
  client_secret: string;
  /** Microsoft's directory, or "common". */
  tenant: string;
}

/**
 * The URL for signing in, the URL that exchanges codes and refresh tokens for access tokens, and the requested scope.
 */
export interface Endpoints {
  authorize_url: string;
  token_url: string;
  scope: string;
  /** Further parameters of the first request. */
  extra: Readonly<Record<string, string>>;
}

/** Mail over IMAP and SMTP, nothing else, and permission to renew the access without the user. */
const WANTED: Record<OAuthProvider, Pick<Endpoints, "scope" | "extra">> = {
  // Without renewed consent, Google issues no second refresh token.
  google: { scope: "https://mail.google.com/", extra: { access_type: "offline", prompt: "consent" } },
  microsoft: {
    scope: "https://outlook.office.com/IMAP.AccessAsUser.All https://outlook.office.com/SMTP.Send offline_access",
    extra: { prompt: "select_account" },
  },
};

/** Returns the endpoints of a provider; Microsoft's are those of the tenant, by default of all tenants. */
export function endpointsOf(
  config: Config,
  provider: OAuthProvider,
  { tenant }: Pick<OAuthClient, "tenant">,
): Endpoints {
  const inTenant = (url: string) => url.replace("{tenant}", encodeURIComponent(tenant || "common"));
  return {
    authorize_url: inTenant(config.get(`oauth.${provider}_authorize_url`)),
    token_url: inTenant(config.get(`oauth.${provider}_token_url`)),
    ...WANTED[provider],
  };
}
