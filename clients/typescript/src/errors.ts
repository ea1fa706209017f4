import type { components } from "./api.ts";

export const UNKNOWN_PARAMS = "x-unknown-params";

/** What the API calls its errors: match on these, never on the message. `network` is ours: no answer came. */
export type ErrorCode = components["schemas"]["Error"]["error"]["code"] | "network";

/** An answer that is an error, or none at all. */
export class PostroomError extends Error {
  override readonly name = "PostroomError";
  readonly code: ErrorCode;
  /** HTTP status; 0 when no answer came. */
  readonly status: number;
  /** The field or parameter that is wrong, as "conditions[1].op". */
  readonly param: string | null;
  /** Seconds after which trying again makes sense; null when the server did not say. */
  readonly retry_after: number | null;
  /** For a question to whoever runs the server: its log has the same. */
  readonly request_id: string | null;
  /** The fields and parameters that the server did not know, as its header `X-Unknown-Params` names them; null without it. */
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

/** The error that an answer is; also of a proxy in between, whose answers have no envelope. */
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

/** Seconds of a Retry-After header; null when there is none that is a number. */
export function retryAfter(headers: Headers): number | null {
  const text = headers.get("retry-after") ?? "";
  return /^\d+$/.test(text) ? Number(text) : null;
}
