import type { ApiErrorCode, ErrorCode } from "../../kernel/errors.ts";
import { ERROR_CODES } from "../../kernel/errors.ts";
import type { Route } from "../route.ts";

/**
 * Every error code that a route can give: those of the edge, by the route's shape, and those that it declares itself.
 */
export function possibleErrors(route: Route): ApiErrorCode[] {
  const codes = new Set<ErrorCode>([
    "unauthorized",
    "rate_limited",
    "plan_required",
    "forbidden_scope",
    "quota_exceeded",
    "internal_error",
    // Of any route: X-On-Behalf-Of can name a person for whom the key does not act, or an unknown one.
    "invalid_params",
    "not_found",
    // Reading writes, too: counters, credits, what is sorted on the disk.
    "storage_full",
    ...route.errors,
  ]);
  const mutates = route.kind !== "read";
  if (route.body || route.form) codes.add("payload_too_large");
  if (mutates) codes.add("idempotency_conflict");
  if (route.kind === "act") codes.add("idempotency_in_progress");
  return ERROR_CODES.filter((code) => codes.has(code));
}

/** What each code means, for the description (docs/api.md, "Error codes"). */
export const ERROR_MEANINGS: Record<ApiErrorCode, string> = {
  unauthorized: "The key is missing, malformed, unknown, expired or revoked, or may not be used from this address.",
  forbidden_scope: "The key lacks the scope.",
  invalid_params: "A parameter, header or body field is missing or wrong; `param` names it.",
  not_found: "There is no such thing, or it belongs to somebody else.",
  rate_limited: "More requests a minute than the key, the user or the address may make.",
  quota_exceeded: "A daily quota of the plan is used up; it resets at UTC midnight.",
  insufficient_credits: "The AI credits of the month are used up.",
  plan_required: "The plan has no API access, or the scope needs a higher plan.",
  internal_error: "A failure on the server's side; safe to retry once.",
  undo_window_elapsed: "The send has left already; the message stays sent.",
  method_not_allowed: "The path does not answer to this method; see `Allow`.",
  draft_locked: "The draft is being sent.",
  idempotency_conflict: "The Idempotency-Key was used with another body, or by another key or session.",
  idempotency_in_progress: "The first request with this Idempotency-Key is still running.",
  payload_too_large: "The body is too long: JSON 1 MiB, attachments 25 MiB.",
  range_not_satisfiable: "The range lies outside the content.",
  provider_unavailable: "The mail server cannot be reached right now.",
  storage_full: "The server's disk is full; nothing was changed.",
  unsubscribe_unavailable: "The message offers no one-click unsubscribe.",
  unsubscribe_failed: "The sender's server was not reached, or did not take it; nothing was noted.",
};
