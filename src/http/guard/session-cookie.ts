export const SESSION_COOKIE = "postroom_session";

/** What every cookie of ours has; a browser sends it to this installation's pages only and never from another site. */
export interface CookieSettings {
  /** "" or "/mail". */
  base_path: string;
  secure: boolean;
}

/** "Lax" is for a cookie that must come along when another site sends the browser back to us. */
export type SameSite = "Strict" | "Lax";

/** A Set-Cookie value (RFC 6265 §4.1). `max_age_s` 0 takes the cookie away. */
export function setCookie(
  name: string,
  value: string,
  maxAgeS: number,
  { base_path, secure }: CookieSettings,
  sameSite: SameSite = "Strict",
): string {
  const about = `Path=${base_path || "/"}; Max-Age=${maxAgeS}; HttpOnly; SameSite=${sameSite}`;
  return `${name}=${value}; ${about}${secure ? "; Secure" : ""}`;
}

/**
 * The value of a cookie. Two of one name count as none: another service on the same host name can set cookies for all its
 * ports, and must not be able to put its session in the place of ours.
 */
export function readCookie(request: Request, name: string): string | null {
  const values = (request.headers.get("cookie") ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  return values.length === 1 && values[0] !== "" ? values[0]! : null;
}
