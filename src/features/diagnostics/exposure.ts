import type { Config } from "../../platform/config/load.ts";
import { advice, type Finding, ok } from "./finding.ts";

/** Reports proxies that forward requests although they are not trusted. @param untrustedProxies their addresses */
export function proxyFindings(untrustedProxies: readonly string[]): Finding[] {
  if (untrustedProxies.length === 0) return [];
  const [one, list] = [untrustedProxies.length === 1, untrustedProxies.join(", ")];
  return [
    advice(
      "proxy",
      `Requests of other clients arrive through ${list}, which http.trusted_proxies does not list. These clients count as one, and API keys that are limited to certain addresses do not work for them. If ${one ? "this is your proxy" : "these are your proxies"}, list ${one ? "it" : "them"} in http.trusted_proxies.`,
    ),
  ];
}

/** Checks who can reach the API, and whether the connection is encrypted. */
export function exposureFinding(config: Config): Finding {
  const check = "address";
  const host = config.get("http.host");
  const url = config.get("http.public_url");
  if (/^(127\.|localhost$|::1$)/.test(host)) return ok(check, `${host}: reachable only from this machine.`);
  if (url.startsWith("https://") && config.get("http.trusted_proxies").length > 0)
    return ok(check, `${url}, behind a proxy.`);
  return advice(
    check,
    `${host}: other machines can reach the API over plain HTTP. Put a TLS proxy in front of it, and set http.public_url and http.trusted_proxies (docs/operations.md, Reverse proxy).`,
  );
}

/**
 * Reports a public address without the base path, or with another path. Links in notifications and invitations would then
 * lead elsewhere.
 */
export function publicUrlFindings(config: Config): Finding[] {
  const base_path = config.get("http.base_path");
  const url = config.get("http.public_url");
  if (url === "" || base_path === "") return [];
  const path = new URL(url).pathname.replace(/\/$/, "");
  if (path === base_path) return [];
  return [
    advice(
      "public address",
      `The address ${url} (http.public_url) does not end with ${base_path} (http.base_path), so links in invitations and notifications do not work. Set http.public_url to ${new URL(url).origin}${base_path}.`,
    ),
  ];
}
