/** The result that a receiving mail server reported about the sender of a message. */

/** `dmarc`, `spf` and `dkim` are results of RFC 8601; null if the server reported none. */
export interface Authentication {
  result: "pass" | "fail" | "none" | "unknown";
  from_domain: string | null;
  dmarc: Result | null;
  spf: Result | null;
  dkim: Result | null;
}

export const RESULTS = ["pass", "fail", "softfail", "neutral", "none", "policy", "temperror", "permerror"] as const;
export type Result = (typeof RESULTS)[number];

export const UNKNOWN: Authentication = { result: "unknown", from_domain: null, dmarc: null, spf: null, dkim: null };
