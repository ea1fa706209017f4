import { LONGEST_AGENT_CHARS, type Session } from "../platform/identity/sessions.ts";
import { hostOf } from "./guard/hosts.ts";
import { readCookie, type SameSite, setCookie } from "./guard/session-cookie.ts";

/** How a request came, for what must know more than who asks: signing in, sessions, links. */
export interface RequestContext {
  request: Request;
  /** The client's address behind trusted proxies. */
  address: string;
  /** True when the TCP peer is one of `http.trusted_proxies`: only then its own headers are believed. */
  through_trusted_proxy: boolean;
  /** True when the browser came by https, as far as we are told. */
  secure: boolean;
  /** "https://mail.example.org/mail": what the browser's address begins with, base path included. */
  base_url: string;
  /** "https://mail.example.org": where the page was loaded from, as the browser says it. */
  origin: string;
  /** What the browser calls itself, cut: anybody can write it, and it is kept in audit rows. */
  user_agent: string;
  session: Session | null;
  /** Headers for the reply; dropped when the handler throws. */
  readonly headers: Headers;
  cookie(name: string): string | null;
  /** Adds a Set-Cookie to `headers`; `max_age_s` 0 takes the cookie away. */
  setCookie(name: string, value: string, maxAgeS: number, sameSite?: SameSite): void;
}

export interface RequestContextOptions
  extends Pick<RequestContext, "request" | "address" | "through_trusted_proxy" | "session"> {
  /** "" or "/mail". */
  base_path: string;
  /** "" or the address that the owner has given this server, without a slash at its end. */
  public_url: string;
}

/** Costs next to nothing until something is asked for: every request has one, few look at it. */
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
 * Whether the browser spoke TLS: to a proxy that says so, or by the https name that the owner has given this server.
 * X-Forwarded-Proto is believed from anybody: who forges it gets a cookie that their own browser will not send.
 */
function isSecure(request: Request, public_url: string): boolean {
  if (public_url.startsWith("https:") && new URL(public_url).host === hostOf(request)) return true;
  const forwarded = request.headers.get("x-forwarded-proto")?.split(",")[0]?.trim().toLowerCase();
  return (forwarded ?? new URL(request.url).protocol.slice(0, -1)) === "https";
}
