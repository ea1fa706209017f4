import { domainToASCII } from "node:url";
import { invalidParam } from "../../kernel/errors.ts";

/**
 * Normalizes the domain of a profile: lower case, A-labels, without "@" or a trailing dot.
 * @throws ApiError invalid_params
 */
export function checkDomain(given: string): string {
  const domain = domainToASCII(given.trim().replace(/^@/, "").replace(/\.$/, "").toLowerCase());
  if (domain.length > 253 || !/^(?:[a-z0-9_](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]{2,}$/.test(domain)) {
    throw invalidParam("domain", "domain must be a domain name such as client.example.");
  }
  return domain;
}

/**
 * Returns every domain whose profile can apply to these addresses, the closest first: "mail.x.example", "x.example".
 */
export function domainsOf(emails: readonly string[]): string[] {
  const found = new Set<string>();
  for (const email of emails) {
    const labels = domainToASCII(email.slice(email.lastIndexOf("@") + 1).toLowerCase())
      .split(".")
      .slice(-8);
    for (let i = 0; i + 1 < labels.length; i++) found.add(labels.slice(i).join("."));
  }
  return [...found].sort((a, b) => b.split(".").length - a.split(".").length);
}
