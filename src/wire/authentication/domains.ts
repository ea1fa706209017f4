/** Compares domains without a list of public suffixes: only parent and subdomain count as one organization. */

/** Names such as co.uk, under which others register domains. */
const SHARED = /^(?:ac|co|com|edu|gov|net|ne|or|org)\.[a-z]{2}$/;

/** Domains under which one provider's servers write both headers. */
const FAMILIES = [
  ["outlook.com", "office365.com", "hotmail.com"],
  ["icloud.com", "me.com", "apple.com"],
];

const isUnder = (domain: string, parent: string): boolean => domain === parent || domain.endsWith(`.${parent}`);

/** True if one domain is the other or a subdomain of it. */
export function areAligned(one: string, other: string): boolean {
  const parent = one.length < other.length ? one : other;
  return parent.includes(".") && !SHARED.test(parent) && isUnder(one, parent) && isUnder(other, parent);
}

/** True if two host names belong to one operator: aligned, siblings such as mx1 and mx2, or of one provider. */
export function isSameOperator(one: string, other: string): boolean {
  if (areAligned(one, other)) return true;
  const family = FAMILIES.find((domains) => domains.some((domain) => isUnder(one, domain)));
  if (family) return family.some((domain) => isUnder(other, domain));
  const parent = one.slice(one.indexOf(".") + 1);
  return parent === other.slice(other.indexOf(".") + 1) && areAligned(one, parent);
}

export const isMicrosoft = (host: string): boolean => FAMILIES[0]!.some((domain) => isUnder(host, domain));
