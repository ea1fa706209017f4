import { readBytes } from "../../http/body.ts";
import { addressBucket } from "../../http/guard/client-address.ts";
import { RateLimiter } from "../../http/guard/rate-limit.ts";
import type { PageRequest } from "../../http/page.ts";
import { ApiError } from "../../kernel/errors.ts";
import { lazyAsync } from "../../kernel/lazy.ts";
import { TOOL_SCOPES } from "../../kernel/scopes.ts";
import type { EgressClient } from "../../platform/egress/client.ts";
import type { Platform } from "../../platform/platform.ts";
import { clientMetadata, RegistrationFault } from "./client-metadata.ts";
import { loadLibrary } from "./library.ts";
import { documentFetch } from "./metadata-documents.ts";
import { callNodeHandler, type NodeHandler } from "./node-http.ts";
import { CONSENT_COOKIE, LIBRARY_SESSION_COOKIE } from "./paths.ts";
import { createProvider, ERROR_PAGE_HEADERS, errorPage } from "./provider.ts";
import { type PendingRequest, REQUEST } from "./request.ts";

/** A host name or address under which clients reach this server is an issuer. Few are used at the same time. */
const MAX_ISSUERS = 8;
const MAX_BODY_BYTES = 16_384;
const MAX_REGISTRATIONS_PER_MINUTE = 20;
const MAX_DOCUMENTS_PER_MINUTE = 60;
const MAX_DOCUMENTS_PER_MINUTE_AND_ADDRESS = 10;
/** Parameters of an authorization request that we use or that the library must refuse (RFC 6749 §4.1.1, RFC 9101). */
const USED_PARAMETERS = new Set([
  ...["response_type", "response_mode", "client_id", "redirect_uri", "state", "resource"],
  ...["code_challenge", "code_challenge_method", "request", "request_uri", "registration"],
]);

export interface OAuthServerOptions {
  platform: Platform;
  /** Fetches what clients publish about themselves. Opened at its first use. */
  egress: () => Pick<EgressClient, "request">;
  /** Path of the tool server, which is the only audience of tokens. */
  resourcePath: string;
  /** Returns the person who is signed in in the browser of a request. */
  signedIn: (request: Request) => string | null;
}

/** The authorization server of the tool server (OAuth 2.1). Loads its library at the first request that needs it. */
export class OAuthServer {
  readonly #handlers = new Map<string, Promise<NodeHandler>>();
  readonly #registrations: RateLimiter;
  readonly #documents: RateLimiter;
  readonly #documentsOfAddress: RateLimiter;
  readonly #load = lazyAsync(loadLibrary);

  constructor(private readonly options: OAuthServerOptions) {
    const { clock } = options.platform;
    this.#registrations = new RateLimiter(clock, MAX_REGISTRATIONS_PER_MINUTE);
    this.#documentsOfAddress = new RateLimiter(clock, MAX_DOCUMENTS_PER_MINUTE_AND_ADDRESS);
    this.#documents = new RateLimiter(clock, MAX_DOCUMENTS_PER_MINUTE);
  }

  /** Begins or resumes an authorization. Scopes that no tool needs and requests for OpenID Connect are left out. */
  async authorize(page: PageRequest): Promise<Response> {
    const asked = new URL(page.request.url);
    const query = new URLSearchParams([...asked.searchParams].filter(([name]) => USED_PARAMETERS.has(name)));
    const scopes = (asked.searchParams.get("scope") ?? "").split(" ");
    const known = TOOL_SCOPES.filter((scope) => scopes.includes(scope));
    query.set("scope", (known.length > 0 ? known : TOOL_SCOPES).join(" "));
    // The page that would send a form needs a script of the library, which our policy for content forbids.
    if (query.get("response_mode") === "form_post") query.set("response_mode", "unsupported");
    if (asked.searchParams.get("prompt")?.split(" ").includes("none")) query.set("prompt", "none");
    return this.#call(page, asked.pathname, `?${query}`, null);
  }

  /**
   * Continues after the person has decided on the settings page, in their browser only. The consent cookie is not enough:
   * another service on the same host name can set it, so that a person decides about a request of someone else.
   */
  async resume(page: PageRequest): Promise<Response> {
    const { platform, signedIn } = this.options;
    const row = platform.assistantTokens.find<PendingRequest>(REQUEST, page.params.uid!);
    if (row?.payload.result && row.user_id !== signedIn(page.request)) {
      const body = errorPage("its request was decided by someone who is not signed in here");
      return new Response(body, {
        status: 400,
        headers: { ...ERROR_PAGE_HEADERS, "content-type": "text/html; charset=utf-8" },
      });
    }
    return this.#call(page, new URL(page.request.url).pathname, "", null);
  }

  /** Exchanges or revokes a token. */
  async post(page: PageRequest): Promise<Response> {
    return this.#call(page, new URL(page.request.url).pathname, "", await readBytes(page.request, MAX_BODY_BYTES));
  }

  /** Registers a client (RFC 7591). @throws ApiError rate_limited, payload_too_large */
  async register(page: PageRequest): Promise<Response> {
    const bucket = addressBucket(page.address);
    if (this.#registrations.state(bucket).remaining <= 0) {
      throw new ApiError("rate_limited", "Too many registrations from this address. Try again in a minute.", {
        retryAfterS: 60,
      });
    }
    this.#registrations.take(bucket);
    const bytes = await readBytes(page.request, MAX_BODY_BYTES);
    try {
      const metadata = clientMetadata(parsed(bytes));
      return await this.#call(page, new URL(page.request.url).pathname, "", Buffer.from(JSON.stringify(metadata)));
    } catch (error) {
      if (!(error instanceof RegistrationFault)) throw error;
      return Response.json({ error: error.code, error_description: error.message }, { status: 400 });
    }
  }

  async #call(page: PageRequest, path: string, search: string, body: Uint8Array | null): Promise<Response> {
    const { request, context, address } = page;
    const handler = await this.#handlerOf(context.base_url);
    const url = new URL(context.base_url + path + search);
    const base_path = new URL(context.base_url).pathname.replace(/\/$/, "");
    const { method } = request;
    const headers = libraryHeaders(request.headers);
    const response = await callNodeHandler(handler, { method, url, base_path, headers, body, address });
    return ownHeaders(response);
  }

  #handlerOf(issuer: string): Promise<NodeHandler> {
    const known = this.#handlers.get(issuer);
    const handler = known ?? this.#createHandler(issuer);
    // The most recently used is last.
    this.#handlers.delete(issuer);
    this.#handlers.set(issuer, handler);
    if (!known) handler.catch(() => this.#handlers.delete(issuer));
    for (const oldest of this.#handlers.keys()) {
      if (this.#handlers.size <= MAX_ISSUERS) break;
      this.#handlers.delete(oldest);
    }
    return handler;
  }

  async #createHandler(issuer: string): Promise<NodeHandler> {
    const { platform, egress, resourcePath } = this.options;
    const library = await this.#load();
    const fetch = (url: string | URL) => documentFetch(egress())(url);
    const mayFetch = (from: string) => this.#mayFetch(from);
    return createProvider({ platform, library, issuer, resource: issuer + resourcePath, fetch, mayFetch }).callback();
  }

  /** Counts the fetch of a metadata document. One address cannot use up the fetches of all. */
  #mayFetch(address: string): boolean {
    const buckets: [RateLimiter, string][] = [
      [this.#documentsOfAddress, addressBucket(address)],
      [this.#documents, "all"],
    ];
    const may = buckets.every(([limiter, name]) => limiter.state(name).remaining > 0);
    if (may) for (const [limiter, name] of buckets) limiter.take(name);
    return may;
  }
}

/** The library sees its own cookies only, and no origin: the pages of other sites are refused before. */
function libraryHeaders(from: Headers): Headers {
  const headers = new Headers();
  for (const name of ["accept", "authorization", "content-type"]) {
    const value = from.get(name);
    if (value !== null) headers.set(name, value);
  }
  const cookies = (from.get("cookie") ?? "").split(";").map((pair) => pair.trim());
  const own = cookies.filter((pair) => pair.startsWith(CONSENT_COOKIE));
  if (own.length > 0) headers.set("cookie", own.join("; "));
  return headers;
}

/** Removes the library's session cookie, and adds our headers to its pages. */
function ownHeaders(response: Response): Response {
  const headers = new Headers(response.headers);
  headers.delete("set-cookie");
  for (const cookie of response.headers.getSetCookie()) {
    if (!cookie.startsWith(LIBRARY_SESSION_COOKIE)) headers.append("set-cookie", cookie);
  }
  if (headers.get("content-type")?.startsWith("text/html")) {
    for (const [name, value] of Object.entries(ERROR_PAGE_HEADERS)) headers.set(name, value);
  }
  const { status, body } = response;
  return new Response(body, { status, headers });
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new RegistrationFault("invalid_client_metadata", "The body is not valid JSON.");
  }
}
