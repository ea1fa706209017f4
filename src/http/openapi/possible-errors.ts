import type { ApiErrorCode, ErrorCode } from "../../kernel/errors.ts";
import { ERROR_CODES } from "../../kernel/errors.ts";
import type { Route } from "../route.ts";

/**
 * Returns every error code that a route can return: those of the HTTP pipeline for the route's shape, and those that
 * the route declares.
 */
export function possibleErrors(route: Route): ApiErrorCode[] {
  const codes = new Set<ErrorCode>([
    "unauthorized",
    "rate_limited",
    "plan_required",
    "forbidden_scope",
    "quota_exceeded",
    "internal_error",
    // For any route: X-On-Behalf-Of can name an unknown person, or one for whom the key does not act.
    "invalid_params",
    "not_found",
    // Reads write, too: counters, credits, temporary sort files.
    "storage_full",
    ...route.errors,
  ]);
  const mutates = route.kind !== "read";
  if (route.body || route.form) codes.add("payload_too_large");
  if (mutates) codes.add("idempotency_conflict").add("server_paused");
  if (route.kind === "act") codes.add("idempotency_in_progress");
  return ERROR_CODES.filter((code) => codes.has(code));
}

/** Meaning of each code, for the description (docs/api.md, "Error codes"). */
export const ERROR_MEANINGS: Record<ApiErrorCode, string> = {
  unauthorized: "The API key is missing, malformed, unknown, expired or revoked, or cannot be used from this address.",
  forbidden_scope: "The API key lacks the scope that the operation requires.",
  invalid_params: "A parameter, header or body field is missing or invalid. `param` names it.",
  not_found: "The object does not exist or belongs to another user.",
  rate_limited:
    "The request rate per minute of the API key, the user or the client address is exceeded. Wait as long as " +
    "`Retry-After` says.",
  quota_exceeded: "A daily quota of the plan is used up. Quotas reset at midnight UTC.",
  insufficient_credits: "The AI credits of the month are used up.",
  plan_required: "The plan has no API access, or the scope requires a higher plan.",
  internal_error: "The server failed. It is safe to retry once.",
  undo_window_elapsed: "The message has already been dispatched and stays sent.",
  method_not_allowed: "The path does not support this method. See the header `Allow`.",
  draft_locked: "The draft is being sent and cannot be changed.",
  label_exists: "There is already a label with this name.",
  label_busy: "The label is being renamed or deleted. Try again after the seconds in `Retry-After`.",
  idempotency_conflict: "The Idempotency-Key was already used with another body, or with another API key or session.",
  idempotency_in_progress: "The first request with this Idempotency-Key is still running.",
  payload_too_large: "The body is too large. The limits are 1 MiB for JSON and 25 MiB for attachments.",
  range_not_satisfiable: "The requested range is outside the content.",
  provider_unavailable: "The mail server cannot be reached right now.",
  storage_full: "The server's disk is full. Nothing was changed.",
  server_paused:
    "The server accepts no changes now, because another machine may act in its place. Nothing was changed. Try again " +
    "after the seconds in `Retry-After`.",
  unsubscribe_unavailable: "The message offers no one-click unsubscribe.",
  unsubscribe_failed:
    "The sender's server could not be reached or rejected the request. Nothing was recorded, so you can try again.",
};
