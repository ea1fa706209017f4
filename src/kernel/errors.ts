/**
 * Error codes that a client can see (docs/api.md, "Error codes"). Services use only codes. HTTP statuses and types are
 * in http/errors.ts.
 */
export const ERROR_CODES = [
  "unauthorized",
  "forbidden_scope",
  "invalid_params",
  "not_found",
  "rate_limited",
  "quota_exceeded",
  "insufficient_credits",
  "plan_required",
  "internal_error",
  "undo_window_elapsed",
  "method_not_allowed",
  "draft_locked",
  "label_exists",
  "label_busy",
  "idempotency_conflict",
  "idempotency_in_progress",
  "payload_too_large",
  "range_not_satisfiable",
  "provider_unavailable",
  "storage_full",
  "server_paused",
  "unsubscribe_unavailable",
  "unsubscribe_failed",
] as const;

/** Codes that only the paths of the settings page (/app/api) return. The API description does not list them. */
const APP_ERROR_CODES = [
  "sign_in_refused",
  "proof_required",
  "totp_required",
  "too_many_attempts",
  "setup_done",
  "setup_token_wrong",
  "owner_required",
  "host_refused",
  "origin_refused",
  "connection_failed",
  "owner_stays",
  "mailbox_exists",
  "oauth_client_missing",
  "oauth_refused",
  "backup_running",
  "import_running",
  "upload_offset",
  "approval_closed",
  "approval_required",
  "limits_configured",
] as const;

export type ApiErrorCode = (typeof ERROR_CODES)[number];
export type ErrorCode = ApiErrorCode | (typeof APP_ERROR_CODES)[number];

export interface ErrorDetails {
  /** Name of the failing parameter: a body field ("conditions[1].op"), a query parameter or a header. */
  param?: string;
  /** Seconds after which the client can retry. Sent as `Retry-After`. */
  retryAfterS?: number;
  /** For `range_not_satisfiable`: the size of the file in bytes. Sent in `Content-Range`. */
  size_bytes?: number;
  /**
   * Structured details for the client, such as the result of each of two connection tests. Must not contain secrets.
   */
  details?: unknown;
  /** The private reason: logged, never sent to the client. */
  cause?: unknown;
}

/** The only error type that services throw. `message` is public: it must contain no secret and no mail content. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly param: string | undefined;
  readonly retryAfterS: number | undefined;
  readonly size_bytes: number | undefined;
  readonly details: unknown;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.name = "ApiError";
    this.code = code;
    this.param = details.param;
    this.retryAfterS = details.retryAfterS;
    this.size_bytes = details.size_bytes;
    this.details = details.details;
  }
}

/**
 * Returns a 404 error for an id that does not exist, is malformed or belongs to someone else. The three are
 * indistinguishable.
 * @param param the field that holds the id; absent for an id in the path
 */
export function notFound(what: string, param?: string): ApiError {
  return new ApiError("not_found", `No such ${what}.`, { param });
}

/** Returns a 400 error that names the failing parameter. */
export function invalidParam(param: string, message: string): ApiError {
  return new ApiError("invalid_params", message, { param });
}

/** An error that the person at the command line caused and can fix. It is shown without a stack trace. */
export class UserError extends Error {
  override readonly name = "UserError";
}
