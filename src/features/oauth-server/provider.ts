import { generateKeyPairSync } from "node:crypto";
import { APP_PAGE_HEADERS } from "../../http/page.ts";
import { TOOL_SCOPES } from "../../kernel/scopes.ts";
import type { Platform } from "../../platform/platform.ts";
import { createAdapter, STORED_KINDS } from "./adapter.ts";
import { isRedirectUri } from "./client-metadata.ts";
import type { Library, LibraryClient, LibraryContext, LibraryProvider } from "./library.ts";
import { CONSENT_COOKIE, LIBRARY_SESSION_COOKIE, PATHS } from "./paths.ts";
import { describeClient } from "./request.ts";

/** Consent includes signing in, perhaps with a new password. */
const CONSENT_S = 1_800;
const CODE_S = 60;
/** Some clients never refresh: their users would have to connect again several times a day. */
const ACCESS_TOKEN_S = 86_400;
/** Lifetime of a refresh token since its last use. */
const REFRESH_TOKEN_S = 90 * 86_400;

interface ProviderOptions {
  platform: Platform;
  library: Library;
  /** "https://mail.example.org/mail" */
  issuer: string;
  /** URL of the tool server, the only audience of tokens. */
  resource: string;
  /** See `documentFetch`. */
  fetch: (url: string | URL) => Promise<Response>;
  /** Returns whether one more metadata document may be fetched now, for a request from this address. */
  mayFetch: (address: string) => boolean;
}

/** Configures the library as an OAuth 2.1 server with public clients, PKCE and opaque tokens for one resource. */
export function createProvider({
  platform,
  library,
  issuer,
  resource,
  fetch,
  mayFetch,
}: ProviderOptions): LibraryProvider {
  const { users, log } = platform;
  const { InvalidGrant, InvalidTarget } = library.errors;
  const usedTwice = () => new InvalidGrant("a code or token was used twice");
  const provider = new library.default(issuer, {
    adapter: (kind: string) => createAdapter({ platform, resource, usedTwice }, kind),
    routes: { ...PATHS },
    scopes: [],
    claims: {},
    jwks: { keys: [unusedKey()] },
    responseTypes: ["code"],
    clientAuthMethods: ["none", "client_secret_post", "client_secret_basic", "private_key_jwt"],
    pkce: { required: () => true },
    clientDefaults: {
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      id_token_signed_response_alg: "ES256",
    },
    cookies: {
      names: {
        session: LIBRARY_SESSION_COOKIE,
        interaction: CONSENT_COOKIE,
        resume: `${CONSENT_COOKIE}_resume`,
      },
      // Not signed: their values are random names of stored requests.
      short: { httpOnly: true, sameSite: "lax", signed: false, overwrite: true },
      long: { httpOnly: true, sameSite: "lax", signed: false, overwrite: true },
    },
    ttl: {
      AccessToken: ACCESS_TOKEN_S,
      AuthorizationCode: CODE_S,
      Grant: REFRESH_TOKEN_S,
      IdToken: CODE_S,
      Interaction: CONSENT_S,
      RefreshToken: REFRESH_TOKEN_S,
      Session: CONSENT_S,
    },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      userinfo: { enabled: false },
      registration: { enabled: true, issueRegistrationAccessToken: false },
      revocation: {
        enabled: true,
        allowedPolicy: (_: unknown, client: LibraryClient, token: { clientId: string }) =>
          client.clientId === token.clientId,
      },
      resourceIndicators: {
        enabled: true,
        // Clients of older protocol revisions do not name the resource.
        defaultResource: () => resource,
        useGrantedResource: () => true,
        getResourceServerInfo: (_: unknown, asked: string) => {
          if (asked !== resource) throw new InvalidTarget(`The only resource of this server is ${resource}.`);
          return { scope: TOOL_SCOPES.join(" "), audience: resource, accessTokenFormat: "opaque" };
        },
      },
      clientIdMetadataDocument: {
        enabled: true,
        ack: "draft-02",
        allowFetch: ({ req }: LibraryContext) => mayFetch(req.socket.remoteAddress),
        allowClient: (_: unknown, client: LibraryClient) => client.redirectUris.every(isRedirectUri),
      },
    },
    fetch,
    fetchResponseBodyLimits: { jwks_uri: 16_384 },
    expiresWithSession: () => false,
    issueRefreshToken: () => true,
    rotateRefreshToken: () => true,
    findAccount: (_: unknown, id: string) =>
      users.get(id) ? { accountId: id, claims: () => ({ sub: id }) } : undefined,
    loadExistingGrant: ({ oidc }: LibraryContext) => {
      const id = oidc.result?.consent?.grantId;
      return id === undefined ? undefined : oidc.provider.Grant.find(id);
    },
    interactions: {
      policy: [alwaysAsk(library)],
      url: ({ oidc }: LibraryContext, { uid }: { uid: string }) => {
        describeClient(platform, uid, oidc.client, oidc.params.redirect_uri);
        return `${issuer}/app/#/assistants/consent?uid=${uid}`;
      },
    },
    renderError: (context: LibraryContext, out: { error: string; error_description?: string }) => {
      context.type = "html";
      context.body = errorPage(out.error === "server_error" ? null : (out.error_description ?? out.error));
    },
  });
  // The library stores values under the names of its classes, which the bundler removes.
  for (const kind of STORED_KINDS) Object.defineProperty(provider[kind], "name", { value: kind });
  const failed = (_: never, error: Error & { error_description?: string; status?: number }) => {
    const expected = error.status !== undefined && error.status < 500;
    log[expected ? "debug" : "error"]("authorization failed", {
      error: error.message,
      detail: error.error_description ?? error.stack,
    });
  };
  for (const event of ["authorization", "grant", "registration_create", "revocation", "server"]) {
    provider.on(event === "server" ? "server_error" : `${event}.error`, failed as (...given: never[]) => void);
  }
  return provider;
}

/** The library requires a key for ID tokens, which are never issued. This one lasts as long as the process. */
function unusedKey(): object {
  return generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" });
}

/** Every authorization leads to the settings page, where the person signs in and decides. */
function alwaysAsk({ interactionPolicy }: Library): unknown {
  const { Check, Prompt } = interactionPolicy;
  return new Prompt(
    { name: "consent", requestable: true },
    new Check("consent_required", "The user has to decide.", ({ oidc }) => oidc.result?.consent === undefined),
  );
}

/** Headers of the page that explains a request that cannot be answered at the client. */
export const ERROR_PAGE_HEADERS = APP_PAGE_HEADERS;

/** @param fault what is wrong with the request; null if the fault is ours */
export function errorPage(fault: string | null): string {
  const what =
    fault === null
      ? "Postroom had an internal error. Its log has the reason."
      : `The assistant sent a request that Postroom cannot accept: ${Bun.escapeHTML(fault)}.`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Not connected</title>
</head>
<body>
<main>
<h1>Not connected</h1>
<p>${what}</p>
<p>Go back to the assistant and connect again.</p>
</main>
</body>
</html>
`;
}
