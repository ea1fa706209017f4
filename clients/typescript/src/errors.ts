import type { components } from "./api.ts";

export const UNKNOWN_PARAMS = "x-unknown-params";

/** The API's error codes: match on these, never on the message. `network` is added by the client: no answer arrived. */
export type ErrorCode = components["schemas"]["Error"]["error"]["code"] | "network";

/** An error answer, or a missing answer. */
export class PostroomError extends Error {
  override readonly name = "PostroomError";
  readonly code: ErrorCode;
  /** HTTP status; 0 when no answer arrived. */
  readonly status: number;
  /** The field or parameter that is wrong, as "conditions[1].op". */
  readonly param: string | null;
  /** Seconds after which a retry makes sense; null when the server did not say. */
  readonly retry_after: number | null;
  /** Quote it to the operator of the server: its log has the same id. */
  readonly request_id: string | null;
  /** The unknown fields and parameters, from the header `X-Unknown-Params`; null without it. */
  readonly unknownParams: string | null;

  constructor(fields: {
    code: ErrorCode;
    message: string;
    status: number;
    param?: string | null;
    retry_after?: number | null;
    request_id?: string | null;
    unknownParams?: string | null;
    cause?: unknown;
  }) {
    super(fields.message, fields.cause === undefined ? undefined : { cause: fields.cause });
    this.code = fields.code;
    this.status = fields.status;
    this.param = fields.param ?? null;
    this.retry_after = fields.retry_after ?? null;
    this.request_id = fields.request_id ?? null;
    this.unknownParams = fields.unknownParams ?? null;
  }
}

interface Envelope {
  error?: { code?: ErrorCode; message?: string; param?: string; request_id?: string };
}

/** Returns the error of an answer, including answers of a proxy in between, which have no envelope. */
export function errorOf(response: Response, body: unknown): PostroomError {
  const error = (typeof body === "object" && body !== null ? (body as Envelope) : {}).error ?? {};
  return new PostroomError({
    code: error.code ?? "internal_error",
    message: error.message ?? `The server answered ${response.status}.`,
    status: response.status,
    param: error.param ?? null,
    retry_after: retryAfter(response.headers),
    request_id: error.request_id ?? response.headers.get("x-request-id"),
    unknownParams: response.headers.get(UNKNOWN_PARAMS),
  });
}

/** Returns the seconds of a Retry-After header; null when it is missing or not a number. */
export function retryAfter(headers: Headers): number | null {
  const text = headers.get("retry-after") ?? "";
  return /^\d+$/.test(text) ? Number(text) : null;
}
