import type { RequestLogEntry } from "../request-log-entry.ts";

/** The last line has the headers of the Model Context Protocol ("Streamable HTTP"). */
const ALLOWED_HEADERS =
  "Authorization, Content-Type, Idempotency-Key, X-On-Behalf-Of, Prefer, Range, " +
  "Mcp-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, Last-Event-ID";
const EXPOSED_HEADERS =
  "X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, Idempotency-Replayed, X-Unknown-Params, Preference-Applied, X-Truncated, Content-Disposition, WWW-Authenticate, Mcp-Session-Id, Mcp-Protocol-Version";
const PREFLIGHT_SECONDS = "600";

/** Cross-origin access for the browser origins in `http.cors_origins`; none by default. */
export class Cors {
  readonly #origins: ReadonlySet<string>;

  constructor(origins: readonly string[]) {
    this.#origins = new Set(origins.map((origin) => origin.replace(/\/$/, "").toLowerCase()));
  }

  get enabled(): boolean {
    return this.#origins.size > 0;
  }

  /** Returns the reply to a preflight of an allowed origin; null for every other request. */
  preflight({ request }: RequestLogEntry, methods: string): Response | null {
    const asks = request.method === "OPTIONS" && request.headers.has("access-control-request-method");
    if (!asks || !this.allows(request)) return null;
    return new Response(null, {
      status: 204,
      headers: {
        "Access-Control-Allow-Methods": methods,
        "Access-Control-Allow-Headers": ALLOWED_HEADERS,
        "Access-Control-Max-Age": PREFLIGHT_SECONDS,
      },
    });
  }

  /**
   * Adds the headers that let a page of an allowed origin read the reply. Credentials are never allowed: keys are
   * bearer tokens.
   */
  finish({ request }: RequestLogEntry, headers: Headers): void {
    if (!this.enabled) return;
    headers.append("Vary", "Origin");
    if (!this.allows(request)) return;
    headers.set("Access-Control-Allow-Origin", request.headers.get("origin")!);
    headers.set("Access-Control-Expose-Headers", EXPOSED_HEADERS);
  }

  /** Returns whether the request was sent by a page of a listed origin. */
  allows(request: Request): boolean {
    const origin = request.headers.get("origin");
    return origin !== null && (this.#origins.has("*") || this.#origins.has(origin.toLowerCase()));
  }
}
