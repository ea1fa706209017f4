import type { Caller } from "./guard/caller.ts";
import type { Identity } from "./guard/identity.ts";
import type { RequestContext } from "./request-context.ts";
import type { Method } from "./route.ts";

/** Input of a page outside the API's route table. */
export interface PageRequest {
  request: Request;
  params: Record<string, string>;
  /** The client's address behind trusted proxies. */
  address: string;
  /** False when an undeclared proxy is between the client and this server: then `address` proves nothing. */
  direct: boolean;
  request_id: string;
  /** Has no session: opening a page acts for no one. The page itself adds `context.headers` to its reply. */
  context: RequestContext;
}

/** A request of a client that was identified by its bearer token, and counted. */
export interface BearerRequest extends PageRequest {
  identity: Identity;
  caller: Caller;
}

/** A path outside the API's route table for programs with a bearer token: the tool server. */
export interface BearerPage {
  method: Method;
  path: string;
  /** Returns the value of WWW-Authenticate for a request without a valid token (RFC 6750 §3). */
  challenge(context: RequestContext): string;
  /** Ends a request before its token is looked at, for example while the feature is off. @throws ApiError */
  check?(): void;
  handle(request: BearerRequest): Response | Promise<Response>;
}

/** A path that needs no API key: health, metrics, the description, the settings page. It checks access itself. */
export interface Page {
  method: Method;
  /** The full path, with `:name` for parameters. */
  path: string;
  /** Counts against the client's address, as pages under /v1 do. */
  limited?: true;
  /** Refuses host names that are not this installation's, as pages under /app do. */
  knownHost?: true;
  /** Pages in a browser may call it from the origins of `http.cors_origins`. */
  crossOrigin?: true;
  handle(page: PageRequest): Response | Promise<Response>;
}

/**
 * Headers of every HTML page of the settings page: all resources are loaded from this server, the page contains no
 * inline script, no frame can show it, and no other window keeps a handle on it.
 */
export const APP_PAGE_HEADERS: Readonly<Record<string, string>> = {
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Permissions-Policy":
    "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=(), publickey-credentials-create=(self), publickey-credentials-get=(self)",
};
