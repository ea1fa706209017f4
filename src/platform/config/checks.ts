import { Cron } from "croner";
import { parsePlace } from "../objects/place.ts";
import { parsePublicKey } from "../update/minisign.ts";

/** True for "", and for a cron expression of five fields. */
export function isSchedule(text: string): boolean {
  if (text === "") return true;
  try {
    return text.trim().split(/\s+/).length === 5 && new Cron(text, { paused: true }).nextRun() !== null;
  } catch {
    return false;
  }
}

/** True for "", and for a place that backups can be sent to. */
export function isCopyPlace(text: string): boolean {
  return text === "" || parsePlace(text) !== null;
}

/** True for "07:00" and "23:59". */
export function isTimeOfDay(text: string): boolean {
  return /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(text);
}

/** True for "", and for a path prefix that needs no escaping, such as "/mail" or "/a/b". */
export function isBasePath(text: string): boolean {
  return /^(?:\/[A-Za-z0-9._~-]+)*$/.test(text) && !/\/\.{1,2}(?:\/|$)/.test(text);
}

/** True for "", and for a field name as in RFC 9110 §5.1. */
export function isHeaderName(text: string): boolean {
  return /^[A-Za-z0-9!#$%&'*+.^_`|~-]*$/.test(text);
}

/** True for "", and for an http or https address without query or fragment. */
export function isWebAddress(text: string): boolean {
  return text === "" || (/^https?:\/\/[^?#]+$/i.test(text) && URL.canParse(text));
}

/** Requires HTTPS, because anyone between Postroom and the provider could otherwise sign in as any person. */
export function isIssuer(text: string): boolean {
  if (text === "") return true;
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === "https:" || (protocol === "http:" && /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(hostname));
}

/** Requires HTTPS, because tokens and mailbox domains must not be sent unencrypted. */
export function isHttps(text: string): boolean {
  return URL.canParse(text) && new URL(text).protocol === "https:";
}

/** True for "", and for a fingerprint as ssh-keygen shows it. */
export function isHostKey(text: string): boolean {
  return /^(SHA256:[A-Za-z0-9+/]{43}=?)?$/.test(text);
}

/** True for "", and for a public key as minisign prints it. */
export function isReleaseKey(text: string): boolean {
  return text === "" || parsePublicKey(text) !== null;
}
