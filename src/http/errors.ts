import { ApiError, type ErrorCode } from "../kernel/errors.ts";
import { isDiskFull } from "../platform/disk-full.ts";

/** `type` of the error envelope (docs/api.md, "Error codes"). */
export const ERROR_TYPES = [
  "invalid_request_error",
  "authentication_error",
  "permission_error",
  "not_found_error",
  "conflict_error",
  "rate_limit_error",
  "billing_error",
  "api_error",
] as const;
export type ErrorType = (typeof ERROR_TYPES)[number];

/** The only place that maps error codes to HTTP statuses (docs/api.md, "Error codes"). */
export const ERROR_TABLE: Record<ErrorCode, { status: number; type: ErrorType }> = {
  unauthorized: { status: 401, type: "authentication_error" },
  forbidden_scope: { status: 403, type: "permission_error" },
  invalid_params: { status: 400, type: "invalid_request_error" },
  not_found: { status: 404, type: "not_found_error" },
  rate_limited: { status: 429, type: "rate_limit_error" },
  quota_exceeded: { status: 429, type: "rate_limit_error" },
  insufficient_credits: { status: 402, type: "billing_error" },
  plan_required: { status: 402, type: "billing_error" },
  internal_error: { status: 500, type: "api_error" },
  undo_window_elapsed: { status: 409, type: "conflict_error" },
  method_not_allowed: { status: 405, type: "invalid_request_error" },
  draft_locked: { status: 409, type: "conflict_error" },
  label_exists: { status: 409, type: "conflict_error" },
  label_busy: { status: 409, type: "conflict_error" },
  idempotency_conflict: { status: 409, type: "conflict_error" },
  idempotency_in_progress: { status: 409, type: "conflict_error" },
  payload_too_large: { status: 413, type: "invalid_request_error" },
  range_not_satisfiable: { status: 416, type: "invalid_request_error" },
  provider_unavailable: { status: 503, type: "api_error" },
  server_paused: { status: 503, type: "api_error" },
  storage_full: { status: 507, type: "api_error" },
  sign_in_refused: { status: 401, type: "authentication_error" },
  proof_required: { status: 401, type: "authentication_error" },
  totp_required: { status: 401, type: "authentication_error" },
  too_many_attempts: { status: 429, type: "rate_limit_error" },
  setup_done: { status: 409, type: "conflict_error" },
  setup_token_wrong: { status: 401, type: "authentication_error" },
  owner_required: { status: 403, type: "permission_error" },
  // 421 Misdirected Request (RFC 9110 §15.5.20): this server is not authoritative for that name.
  host_refused: { status: 421, type: "invalid_request_error" },
  origin_refused: { status: 403, type: "permission_error" },
  connection_failed: { status: 400, type: "invalid_request_error" },
  mailbox_exists: { status: 409, type: "conflict_error" },
  oauth_client_missing: { status: 409, type: "conflict_error" },
  oauth_refused: { status: 400, type: "invalid_request_error" },
  unsubscribe_unavailable: { status: 409, type: "conflict_error" },
  // 502 Bad Gateway: the sender's server failed.
  unsubscribe_failed: { status: 502, type: "api_error" },
  owner_stays: { status: 409, type: "conflict_error" },
  backup_running: { status: 409, type: "conflict_error" },
  import_running: { status: 409, type: "conflict_error" },
  upload_offset: { status: 409, type: "conflict_error" },
  approval_required: { status: 403, type: "permission_error" },
  limits_configured: { status: 409, type: "conflict_error" },
  approval_closed: { status: 409, type: "conflict_error" },
};

/** Converts anything thrown to the error for the client. `cause` keeps an unknown error for the log. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (isDiskFull(error)) {
    return new ApiError("storage_full", "The server's disk is full. Nothing was changed.", { cause: error });
  }
  // Also of a handler that checks nothing, such as the callback of a sign-in at a provider (`Db.setReadOnly`).
  if ((error as { code?: unknown } | null)?.code === "SQLITE_READONLY") {
    const message = "This server accepts no changes now. Nothing was changed.";
    return new ApiError("server_paused", message, { retryAfterS: 15, cause: error });
  }
  return new ApiError("internal_error", "An internal error occurred. It is safe to retry once.", { cause: error });
}

/** The error envelope. `param` is present if the error concerns a parameter. */
export interface ErrorReply {
  error: { type: ErrorType; code: ErrorCode; message: string; param?: string; details?: unknown; request_id: string };
}

/** Returns the error envelope of an error. */
export function errorReply(error: ApiError, request_id: string): ErrorReply {
  const { code, message, param, details } = error;
  const more = { ...(param && { param }), ...(details !== undefined && { details }) };
  return { error: { type: ERROR_TABLE[code].type, code, message, ...more, request_id } };
}
