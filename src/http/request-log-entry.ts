import type { RateLimitState } from "./guard/rate-limit.ts";
import { APPLIED_HEADER, STRICT } from "./prefer.ts";
import { UNKNOWN_HEADER } from "./unknown.ts";

/** The facts that the transport adds to a request. */
export interface Connection {
  /** Address of the TCP peer. */
  peer: string;
  /** Disables the idle timeout for this request. */
  keepOpen(): void;
}

/** One request in the HTTP pipeline: the data for the reply's headers and the access log. */
export interface RequestLogEntry {
  request: Request;
  connection: Connection;
  request_id: string;
  address: string;
  /** The route's pattern, for log and metrics; a path is never logged. */
  pattern: string;
  /** The bucket with the least left; null outside /v1. */
  rateLimit: RateLimitState | null;
  /** Hint of the key that was found, for the log; null without one. */
  keyHint: string | null;
  read: ReadNotes;
}

/** Facts about the input that become headers of every reply, errors included. */
export interface ReadNotes {
  /** Value of X-Unknown-Params; null if every field is known. */
  unknown: string | null;
  /** Whether `Prefer: handling=strict` applied to the request. */
  strict: boolean;
}

/** Sets the headers of every reply. Headers that the handler has set are kept. */
export function finishHeaders(entry: RequestLogEntry, headers: Headers): void {
  headers.set("X-Request-Id", entry.request_id);
  headers.set("X-Content-Type-Options", "nosniff");
  setDefault(headers, "Cache-Control", "no-store");
  setDefault(headers, "Referrer-Policy", "no-referrer");
  setDefault(headers, "X-Frame-Options", "DENY");
  if (entry.read.unknown !== null) headers.set(UNKNOWN_HEADER, entry.read.unknown);
  if (entry.read.strict) headers.set(APPLIED_HEADER, STRICT);
  if (!entry.rateLimit) return;
  const { limit, remaining, resetAt } = entry.rateLimit;
  headers.set("X-RateLimit-Limit", String(limit));
  headers.set("X-RateLimit-Remaining", String(Math.max(0, remaining)));
  headers.set("X-RateLimit-Reset", String(Math.ceil(resetAt / 1000)));
}

/** Sets a header unless the handler has set it. */
export function setDefault(headers: Headers, name: string, value: string): void {
  if (!headers.has(name)) headers.set(name, value);
}
