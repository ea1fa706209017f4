import { ApiError } from "../../kernel/errors.ts";
import type { Config } from "../../platform/config/load.ts";
import type { Session, Sessions } from "../../platform/identity/sessions.ts";
import { Cors } from "./cors.ts";
import { Hosts, hostOf } from "./hosts.ts";
import { readCookie, SESSION_COOKIE } from "./session-cookie.ts";

/** A page of another origin cannot send this header without CORS permission, which is never granted. */
export const APP_HEADER = "X-Postroom-App";

/** Returns whether the settings page shows the person's sandbox. */
export function asksForSandbox(request: Request): boolean {
  return request.headers.get("x-postroom-sandbox") === "1";
}

/**
 * Distinguishes requests of the settings page from those that another site made the browser send. A session counts only
 * with all of: a recognized host name, the header above and, if the browser reports an origin, our own. In addition,
 * the cookie is SameSite=Strict.
 */
export class AppGuard {
  readonly #hosts: Hosts;
  readonly #publicOrigin: string | null;
  readonly #cors: Cors;

  constructor(
    config: Config,
    private readonly sessions: Sessions,
  ) {
    this.#hosts = new Hosts(config);
    this.#cors = new Cors(config.get("http.cors_origins"));
    const public_url = config.get("http.public_url");
    this.#publicOrigin = URL.canParse(public_url) ? new URL(public_url).origin : null;
  }

  /** @throws ApiError host_refused */
  checkHost(request: Request): void {
    this.#hosts.check(request);
  }

  /** @throws ApiError host_refused, origin_refused */
  checkOurs(request: Request): void {
    this.checkHost(request);
    if (request.headers.get(APP_HEADER) !== "1") {
      throw new ApiError(
        "origin_refused",
        `This path is for the settings page. The header ${APP_HEADER}: 1 is missing.`,
      );
    }
    const site = request.headers.get("sec-fetch-site");
    const origin = request.headers.get("origin");
    if ((site === null || site === "same-origin") && (origin === null || this.#isOurs(origin, request))) return;
    throw new ApiError("origin_refused", "The request was sent by another site.");
  }

  /**
   * Checks a request of a program that holds a token. A browser may send one only from our own origin or from one of
   * `http.cors_origins`: MCP requires this against DNS rebinding ("Streamable HTTP", security warning).
   * @throws ApiError host_refused, origin_refused
   */
  checkProgram(request: Request): void {
    this.checkHost(request);
    const origin = request.headers.get("origin");
    if (origin !== null && !this.#isOurs(origin, request) && !this.#cors.allows(request)) {
      throw new ApiError(
        "origin_refused",
        "The request was sent by a page of another site. Add it to http.cors_origins.",
      );
    }
  }

  /** Returns the session of a request that has passed `checkOurs`; null without a valid session. */
  session(request: Request): Session | null {
    const token = readCookie(request, SESSION_COOKIE);
    return token === null ? null : this.sessions.find(token);
  }

  /**
   * Returns whether the origin has the host and port that the request was sent to. The scheme may differ, because a
   * proxy may have terminated TLS.
   */
  #isOurs(origin: string, request: Request): boolean {
    if (origin === this.#publicOrigin) return true;
    if (!URL.canParse(origin)) return false;
    const { protocol, host } = new URL(origin);
    const asked = `${protocol}//${hostOf(request)}`;
    return URL.canParse(asked) && host === new URL(asked).host;
  }
}
