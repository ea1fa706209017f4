/**
 * Every failure that a client can see, by its contract code ("Errors") or one of our additive codes (decisions, "Keys,
 * plans, limits, errors"). HTTP statuses and types live in http/errors.ts; services know only codes.
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
  "idempotency_conflict",
  "idempotency_in_progress",
  "payload_too_large",
  "range_not_satisfiable",
  "provider_unavailable",
  "storage_full",
  "unsubscribe_unavailable",
  "unsubscribe_failed",
] as const;

/** Codes that only the settings page's own paths (/app/api) give; the API description does not name them. */
export const APP_ERROR_CODES = [
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
] as const;

export type ApiErrorCode = (typeof ERROR_CODES)[number];
export type ErrorCode = ApiErrorCode | (typeof APP_ERROR_CODES)[number];

export interface ErrorDetails {
  /** Name of the failing parameter: a body field ("conditions[1].op"), a query parameter or a header. */
  param?: string;
  /** Seconds after which a retry makes sense; becomes `Retry-After`. */
  retryAfterS?: number;
  /** For `range_not_satisfiable`: how long the file is, bytes; becomes `Content-Range`. */
  size_bytes?: number;
  /** More for the client than one sentence holds, such as what each of two tests found; no secret. */
  details?: unknown;
  /** The private reason. It goes to the log, never to the client. */
  cause?: unknown;
}

/** The one error type that services throw. `message` is public: no secret, no mail content. */
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
 * 404 for an id that does not exist, is malformed or belongs to someone else: the three look the same.
 * @param param the field that names it; absent for an id of the path
 */
export function notFound(what: string, param?: string): ApiError {
  return new ApiError("not_found", `No such ${what}.`, { param });
}

/** 400 with the failing parameter. */
export function invalidParam(param: string, message: string): ApiError {
  return new ApiError("invalid_params", message, { param });
}

/** A refusal that a person at the command line caused and can mend: shown as it is, without a stack. */
export class UserError extends Error {
  override readonly name = "UserError";
}
