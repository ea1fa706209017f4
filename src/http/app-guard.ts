import { ApiError } from "../kernel/errors.ts";
import type { Config } from "../platform/config/load.ts";
import type { Session, Sessions } from "../platform/identity/sessions.ts";
import { Hosts, hostOf } from "./hosts.ts";
import { readCookie, SESSION_COOKIE } from "./session-cookie.ts";

/** A page of another origin cannot send this header without our leave, and CORS never gives it. */
export const APP_HEADER = "X-Postroom-App";

/** Makes a session look at its person's sandbox under /v1, as a test key does. */
export function looksAtSandbox(request: Request): boolean {
  return request.headers.get("x-postroom-sandbox") === "1";
}

/**
 * Tells requests of the settings page from those that another site made the browser send. A session counts only with all
 * of: a host name that is ours, the header above, and, where the browser says where the request comes from, our own origin.
 * The cookie itself is SameSite=Strict besides.
 */
export class AppGuard {
  readonly #hosts: Hosts;
  readonly #public_origin: string | null;

  constructor(
    config: Config,
    private readonly sessions: Sessions,
  ) {
    this.#hosts = new Hosts(config);
    const public_url = config.get("http.public_url");
    this.#public_origin = URL.canParse(public_url) ? new URL(public_url).origin : null;
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

  /** The session of a request that has passed `checkOurs`; null without one that still lasts. */
  session(request: Request): Session | null {
    const token = readCookie(request, SESSION_COOKIE);
    return token === null ? null : this.sessions.find(token);
  }

  /** Host and port must be those that the request went to; a proxy may have taken off the TLS, so the scheme may differ. */
  #isOurs(origin: string, request: Request): boolean {
    if (origin === this.#public_origin) return true;
    if (!URL.canParse(origin)) return false;
    const { protocol, host } = new URL(origin);
    const asked = `${protocol}//${hostOf(request)}`;
    return URL.canParse(asked) && host === new URL(asked).host;
  }
}
