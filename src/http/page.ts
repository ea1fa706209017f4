import type { RequestContext } from "./request-context.ts";
import type { Method } from "./route.ts";

/** What a page outside the API's route table gets to know. */
export interface PageRequest {
  request: Request;
  params: Record<string, string>;
  /** The client's address behind trusted proxies. */
  address: string;
  /** False when a proxy that we were not told of stands between the client and us: then `address` proves nothing. */
  direct: boolean;
  request_id: string;
  /** Without a session: a page that is merely opened acts for nobody. The page adds `visit.headers` to its answer itself. */
  context: RequestContext;
}

/** A path without an API key: health, metrics, the description, the settings page. It guards itself. */
export interface Page {
  method: Method;
  /** The whole path, with `:name` for parameters. */
  path: string;
  /** Counts against the client's address, as pages under /v1 do. */
  limited?: true;
  handle(page: PageRequest): Response | Promise<Response>;
}

/**
 * For every HTML page of the settings page: everything comes from this server, nothing is written into the page itself, no
 * frame shows it, and no other window keeps a handle on it.
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
