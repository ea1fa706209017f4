import type { Config } from "../../platform/config/load.ts";
import { advice, type Finding, ok } from "./finding.ts";

/** Whether proxies hand on requests that nobody has told us of. @param forwarders their addresses */
export function proxyFindings(untrustedProxies: readonly string[]): Finding[] {
  if (untrustedProxies.length === 0) return [];
  const [one, list] = [untrustedProxies.length === 1, untrustedProxies.join(", ")];
  return [
    advice(
      "proxy",
      `requests of others come from ${list}, and http.trusted_proxies does not list ${one ? "it" : "them"}: all who come that way count as one client, and addresses that keys are bound to never match. If ${one ? "it is a proxy" : "they are proxies"} of yours, list ${one ? "it" : "them"} there`,
    ),
  ];
}

/** Who can reach the API, and is it encrypted on the way? */
export function exposureFinding(config: Config): Finding {
  const check = "address";
  const host = config.get("http.host");
  const url = config.get("http.public_url");
  if (/^(127\.|localhost$|::1$)/.test(host)) return ok(check, `${host}: only this machine reaches it`);
  if (url.startsWith("https://") && config.get("http.trusted_proxies").length > 0)
    return ok(check, `${url}, behind a proxy`);
  return advice(
    check,
    `${host}: other machines reach it, and it speaks plain HTTP. Put a proxy with TLS in front of it and set http.public_url and http.trusted_proxies (docs/operations.md, Reverse proxy)`,
  );
}
