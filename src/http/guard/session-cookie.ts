export const SESSION_COOKIE = "postroom_session";

/**
 * Attributes that every cookie of ours has. A browser sends it to this installation's pages only and never from another
 * site.
 */
export interface CookieSettings {
  /** "" or "/mail". */
  base_path: string;
  secure: boolean;
}

/** "Lax" is for a cookie that must be sent when another site redirects the browser back to us. */
export type SameSite = "Strict" | "Lax";

/** Returns a Set-Cookie value (RFC 6265 §4.1). A `maxAgeS` of 0 removes the cookie. */
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
 * Returns the value of a cookie. Two cookies of one name count as none: another service on the same host name can set
 * cookies for all its ports, and must not be able to replace our session with its own.
 */
export function readCookie(request: Request, name: string): string | null {
  const values = (request.headers.get("cookie") ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  return values.length === 1 && values[0] !== "" ? values[0]! : null;
}
