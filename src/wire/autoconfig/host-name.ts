import { isIP } from "node:net";

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** True for a host name (RFC 1123 §2.1) in lower case and A-labels, or an IP address. */
export function isHostName(host: string): boolean {
  if (isIP(host) !== 0) return true;
  if (host.length > 253 || /^[\d.]+$/.test(host)) return false;
  return host.split(".").every((label) => LABEL.test(label));
}
