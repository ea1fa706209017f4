import type { ApiError, ErrorCode } from "../kernel/errors.ts";
import { ERROR_TABLE, errorReply } from "./errors.ts";
import { setDefault } from "./request-log-entry.ts";
import type { Outcome } from "./run.ts";
import { endWith, type OpenStream } from "./streams.ts";

const JSON_TYPE = "application/json";
/** Set on replies that may stay open, and only on those. */
const STAYS_OPEN = "X-Accel-Buffering";

/** Converts a handler's outcome to a Response. */
export function toResponse(outcome: Outcome, stream: OpenStream | null): Response {
  if (outcome instanceof Response) return streamed(outcome, stream);
  stream?.release();
  const headers: Record<string, string> = {};
  if (outcome.body !== null) headers["Content-Type"] = JSON_TYPE;
  if (outcome.replayed) headers["Idempotency-Replayed"] = "true";
  return new Response(outcome.body, { status: outcome.status, headers });
}

/** Returns the error envelope with the headers that its code requires. */
export function toErrorResponse(error: ApiError, request_id: string): Response {
  const { status } = ERROR_TABLE[error.code];
  const headers = new Headers({ "Content-Type": JSON_TYPE, ...HEADERS_BY_CODE[error.code] });
  if (error.retryAfterS !== undefined) headers.set("Retry-After", String(error.retryAfterS));
  // RFC 9110 §15.5.17
  if (error.size_bytes !== undefined) headers.set("Content-Range", `bytes */${error.size_bytes}`);
  return new Response(JSON.stringify(errorReply(error, request_id)), { status, headers });
}

const HEADERS_BY_CODE: Partial<Record<ErrorCode, Record<string, string>>> = {
  unauthorized: { "WWW-Authenticate": 'Bearer realm="postroom"' },
  // Otherwise the unread body would have to be read to its end before the connection can be reused.
  payload_too_large: { Connection: "close" },
};

/** Returns the reply to HEAD: the headers of GET, including its length. A stream is cancelled at once. */
export async function withoutBody(response: Response): Promise<Response> {
  const { status, headers, body } = response;
  if (body && !headers.has("content-length") && !headers.has(STAYS_OPEN)) {
    headers.set("Content-Length", String((await response.arrayBuffer()).byteLength));
  } else {
    void body?.cancel();
  }
  return new Response(null, { status, headers });
}

/** Copies a handler's own Response, because the headers of a Response from elsewhere may be read-only. */
function streamed({ body, status, headers: given }: Response, stream: OpenStream | null): Response {
  const headers = new Headers(given);
  if (!stream || !body) {
    stream?.release();
    return new Response(body, { status, headers });
  }
  setDefault(headers, STAYS_OPEN, "no"); // makes proxies forward events at once
  const isEvents = headers.get("content-type")?.startsWith("text/event-stream") ?? false;
  return new Response(endWith(body, stream.signal, isEvents, stream.release), { status, headers });
}
