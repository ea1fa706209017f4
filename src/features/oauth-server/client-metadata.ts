/** The description of a client by itself (RFC 7591 §2), as the library stores it. */
export interface ClientMetadata {
  application_type: "web" | "native";
  redirect_uris: string[];
  [name: string]: unknown;
}

/** A registration that is refused (RFC 7591 §3.2.2). */
export class RegistrationFault extends Error {
  constructor(
    readonly code: "invalid_redirect_uri" | "invalid_client_metadata",
    message: string,
  ) {
    super(message);
  }
}

const MAX_REDIRECT_URIS = 20;
const MAX_URI_CHARS = 2_000;
const MAX_NAME_CHARS = 100;
/** Schemes that a browser or the system handles itself, so that no program receives what is sent there. */
const FOREIGN_SCHEMES =
  /^(javascript|vbscript|data|blob|file|about|s?ftp|wss?|mailto|tel|sms|view-source|filesystem|intent|chrome.*|moz-.*|ms-.*|search(-ms)?|shell|hcp|ldaps?|smb|ssh|telnet|res|jar|cid|mid):$/;
const PRIVATE_SCHEME = /^[a-z][a-z0-9+.-]+:$/;
const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);
const GRANT_TYPES = ["authorization_code", "refresh_token"];
const AUTH_METHODS = ["none", "client_secret_post", "client_secret_basic", "private_key_jwt"];
/** Characters that would make a name look different from what it is. */
const MISLEADING = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * Keeps what we use of a client's metadata and brings it into the form that the library accepts. Clients often register
 * without `application_type`, although only native ones may use loopback addresses.
 * @throws RegistrationFault
 */
export function clientMetadata(given: unknown): ClientMetadata {
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    throw new RegistrationFault("invalid_client_metadata", "The metadata must be a JSON object.");
  }
  const from = given as Record<string, unknown>;
  const redirect_uris = redirectUris(from.redirect_uris);
  const native = redirect_uris.some((uri) => !uri.startsWith("https:"));
  const method = String(from.token_endpoint_auth_method ?? "client_secret_basic");
  if (!AUTH_METHODS.includes(method)) {
    throw new RegistrationFault(
      "invalid_client_metadata",
      `token_endpoint_auth_method must be one of ${AUTH_METHODS.join(", ")}.`,
    );
  }
  const keys = ["jwks", "jwks_uri"].filter((name) => method === "private_key_jwt" && from[name] !== undefined);
  return {
    application_type: native ? "native" : "web",
    redirect_uris,
    client_name: cleanName(from.client_name),
    ...(isWebUri(from.client_uri) && { client_uri: from.client_uri }),
    token_endpoint_auth_method: method,
    grant_types: GRANT_TYPES,
    response_types: ["code"],
    ...Object.fromEntries(keys.map((name) => [name, from[name]])),
  };
}

/** Returns whether a redirect URI leads to https, to the client's own computer, or to a program by its own scheme. */
export function isRedirectUri(uri: string): boolean {
  if (uri.length > MAX_URI_CHARS || uri.includes("#") || !URL.canParse(uri)) return false;
  const { protocol, hostname, username, password } = new URL(uri);
  if (username !== "" || password !== "") return false;
  if (protocol === "https:") return !LOOPBACK.has(hostname);
  if (protocol === "http:") return LOOPBACK.has(hostname);
  return PRIVATE_SCHEME.test(protocol) && !FOREIGN_SCHEMES.test(protocol);
}

/**
 * Returns what to show of a redirect URI: its host, or the scheme of the program that receives it. The colon shows that
 * `example.org:` is no host.
 */
export function redirectHost(uri: string): string {
  const { protocol, host, hostname } = new URL(uri);
  if (protocol === "https:") return host;
  return protocol === "http:" && LOOPBACK.has(hostname) ? "localhost" : protocol;
}

function redirectUris(given: unknown): string[] {
  const uris = Array.isArray(given) ? given : [];
  if (uris.length === 0 || uris.length > MAX_REDIRECT_URIS) {
    throw new RegistrationFault("invalid_redirect_uri", `redirect_uris must name 1 to ${MAX_REDIRECT_URIS} URIs.`);
  }
  const wrong = uris.findIndex((uri) => typeof uri !== "string" || !isRedirectUri(uri));
  if (wrong === -1) return [...new Set(uris as string[])];
  throw new RegistrationFault(
    "invalid_redirect_uri",
    `redirect_uris[${wrong}] must use https, a loopback address with http, or a scheme of the client's own, without a fragment.`,
  );
}

function cleanName(given: unknown): string {
  const name = typeof given === "string" ? given.replace(MISLEADING, "").trim().slice(0, MAX_NAME_CHARS) : "";
  return name.toWellFormed() || "Unnamed client";
}

function isWebUri(given: unknown): given is string {
  return (
    typeof given === "string" && given.length <= MAX_URI_CHARS && /^https?:\/\//.test(given) && URL.canParse(given)
  );
}
