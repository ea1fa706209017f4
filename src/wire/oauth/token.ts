/** The second half of the flow: exchanges codes and refresh tokens for access tokens (RFC 6749 §4.1.3, §6). */
import type { EgressClient } from "../../platform/egress/client.ts";
import { explainFault } from "../../platform/egress/faults.ts";
import type { Endpoints, OAuthClient } from "./endpoints.ts";

/** The tokens that the provider issues. */
export interface Tokens {
  access_token: string;
  /** Null when the refresh token in use remains valid. */
  refresh_token: string | null;
  /** Lifetime of the access token. */
  expiresInS: number;
}

/**
 * Why there is no token. `withdrawn`: the user or the provider revoked the access. `client`: the provider does not
 * accept the client id or secret. `unavailable`: it did not answer properly, and may later.
 */
export class TokenFault extends Error {
  override readonly name = "TokenFault";

  constructor(
    readonly reason: "withdrawn" | "client" | "unavailable",
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

type Grant =
  | { grant_type: "authorization_code"; code: string; redirect_uri: string; code_verifier: string }
  | { grant_type: "refresh_token"; refresh_token: string };

const TIMEOUT_MS = 20_000;
const MAX_BYTES = 64 * 1024;
/** Lifetime when the provider does not report one. */
const USUAL_LIFE_S = 3_600;

/** @throws TokenFault */
export async function requestTokens(
  egress: Pick<EgressClient, "request">,
  { token_url, scope }: Pick<Endpoints, "token_url" | "scope">,
  { client_id, client_secret }: OAuthClient,
  grant: Grant,
): Promise<Tokens> {
  const form = new URLSearchParams({ ...grant, client_id });
  // Public clients (installed applications) have no secret.
  if (client_secret !== "") form.set("client_secret", client_secret);
  if (grant.grant_type === "refresh_token") form.set("scope", scope);
  const request = {
    method: "POST",
    url: token_url,
    headers: {
      "Content-Type": "application/x-www-form-urlencoded",
      Accept: "application/json",
      // On a reused connection a request may be sent twice, and a refresh token that is used twice may be revoked.
      Connection: "close",
    },
    body: Buffer.from(form.toString()),
    timeoutMs: TIMEOUT_MS,
    maxBodyBytes: MAX_BYTES,
  };
  const response = await egress.request(request).catch((error: unknown) => {
    throw new TokenFault("unavailable", explainFault(error).message, error);
  });
  const answer = parse(response.body);
  if (response.status !== 200) throw refusal(response.status, answer);
  const { access_token, refresh_token, expires_in } = answer;
  if (typeof access_token !== "string" || access_token === "" || /[\s\p{Cc}]/u.test(access_token)) {
    throw new TokenFault("unavailable", "the sign-in service answered without a token");
  }
  const seconds = Number(expires_in);
  return {
    access_token,
    refresh_token: typeof refresh_token === "string" && refresh_token !== "" ? refresh_token : null,
    expiresInS: Number.isFinite(seconds) && seconds > 0 ? seconds : USUAL_LIFE_S,
  };
}

function parse(body: Uint8Array): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(Buffer.from(body).toString());
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** RFC 6749 §5.2. Microsoft answers `interaction_required` when the user must sign in again. */
const WITHDRAWN = new Set(["invalid_grant", "interaction_required", "consent_required", "login_required"]);
const CLIENT = new Set(["invalid_client", "unauthorized_client", "invalid_scope", "redirect_uri_mismatch"]);

function refusal(status: number, { error }: Record<string, unknown>): TokenFault {
  const code = typeof error === "string" && /^[\w.-]{1,60}$/.test(error) ? error : "";
  const words = `the sign-in service answered ${status}${code && ` (${code})`}`;
  if (WITHDRAWN.has(code)) return new TokenFault("withdrawn", words);
  return new TokenFault(CLIENT.has(code) ? "client" : "unavailable", words);
}
