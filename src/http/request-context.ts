import { LONGEST_AGENT_CHARS, type Session } from "../platform/identity/sessions.ts";
import { hostOf } from "./guard/hosts.ts";
import { readCookie, type SameSite, setCookie } from "./guard/session-cookie.ts";

/** How a request arrived, for features that need more than the caller: signing in, sessions, links. */
export interface RequestContext {
  request: Request;
  /** The client's address behind trusted proxies. */
  address: string;
  /** True when the TCP peer is one of `http.trusted_proxies`. Only then are its headers trusted. */
  through_trusted_proxy: boolean;
  /** True when the browser used https, as far as the server can determine. */
  secure: boolean;
  /** "https://mail.example.org/mail": the prefix of every address in the browser, including the base path. */
  base_url: string;
  /** "https://mail.example.org": the origin of the page, as the browser reports it. */
  origin: string;
  /** The browser's User-Agent, shortened because it can contain anything and is kept in audit rows. */
  user_agent: string;
  session: Session | null;
  /** Headers for the reply; discarded when the handler throws. */
  readonly headers: Headers;
  cookie(name: string): string | null;
  /** Adds a Set-Cookie to `headers`. A `maxAgeS` of 0 removes the cookie. */
  setCookie(name: string, value: string, maxAgeS: number, sameSite?: SameSite): void;
}

export interface RequestContextOptions
  extends Pick<RequestContext, "request" | "address" | "through_trusted_proxy" | "session"> {
  /** "" or "/mail". */
  base_path: string;
  /** The configured public address of this server without a trailing slash, or "". */
  public_url: string;
}

/** Returns a context whose fields are computed on first use: every request has one, and few read it. */
export function createRequestContext({ base_path, public_url, ...known }: RequestContextOptions): RequestContext {
  const { request } = known;
  let headers: Headers | null = null;
  return {
    ...known,
    get secure() {
      return isSecure(request, public_url);
    },
    get base_url() {
      return public_url || `${this.secure ? "https" : "http"}://${hostOf(request)}${base_path}`;
    },
    get origin() {
      return request.headers.get("origin") ?? new URL(this.base_url).origin;
    },
    get user_agent() {
      return (request.headers.get("user-agent") ?? "").slice(0, LONGEST_AGENT_CHARS);
    },
    get headers() {
      headers ??= new Headers();
      return headers;
    },
    cookie: (name) => readCookie(request, name),
    setCookie(name, value, maxAgeS, sameSite) {
      const cookie = setCookie(name, value, maxAgeS, { base_path, secure: this.secure }, sameSite);
      this.headers.append("Set-Cookie", cookie);
    },
  };
}

/**
 * Returns whether the browser used TLS: to a proxy that reports it, or to the configured https name of this server.
 * X-Forwarded-Proto is believed from any peer, because anyone who forges it gets a cookie that their own browser does
 * not send.
 */
function isSecure(request: Request, public_url: string): boolean {
  if (public_url.startsWith("https:") && new URL(public_url).host === hostOf(request)) return true;
  const forwarded = request.headers.get("x-forwarded-proto")?.split(",")[0]?.trim().toLowerCase();
  return (forwarded ?? new URL(request.url).protocol.slice(0, -1)) === "https";
}
