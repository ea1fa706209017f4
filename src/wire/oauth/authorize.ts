/** The first half of the authorization code flow (RFC 6749 §4.1) with PKCE (RFC 7636). */
import { createHash, randomBytes } from "node:crypto";
import type { Endpoints } from "./endpoints.ts";

/** Secrets that are kept while the user signs in at the provider. */
export interface Secrets {
  /** Returned with the answer; an answer without it is not ours. */
  state: string;
  /** Proves that the client redeeming the code is the one that requested it. */
  verifier: string;
}

/** Returns new random secrets for one sign-in. */
export function newSecrets(): Secrets {
  return { state: randomBytes(32).toString("base64url"), verifier: randomBytes(32).toString("base64url") };
}

export interface Asked {
  client_id: string;
  redirect_uri: string;
  /** The address, so that the provider offers the right account. */
  email: string;
}

/** Returns the URL of the provider's page to which the user is sent. */
export function authorizeUrl(
  endpoints: Endpoints,
  { client_id, redirect_uri, email }: Asked,
  secrets: Secrets,
): string {
  const url = new URL(endpoints.authorize_url);
  const params = {
    response_type: "code",
    client_id,
    redirect_uri,
    scope: endpoints.scope,
    state: secrets.state,
    code_challenge: createHash("sha256").update(secrets.verifier).digest("base64url"),
    code_challenge_method: "S256",
    login_hint: email,
    ...endpoints.extra,
  };
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value);
  return url.href;
}
