import type { ApiError, ErrorCode } from "../kernel/errors.ts";
import { ERROR_TABLE, errorReply } from "./errors.ts";
import { setDefault } from "./request-log-entry.ts";
import type { Outcome } from "./run.ts";
import { endWith, type OpenStream } from "./streams.ts";

const JSON_TYPE = "application/json";
/** On replies that may stay open, and only on those. */
const STAYS_OPEN = "X-Accel-Buffering";

/** What a handler's work came to, as a Response. */
export function toResponse(outcome: Outcome, stream: OpenStream | null): Response {
  if (outcome instanceof Response) return streamed(outcome, stream);
  stream?.release();
  const headers: Record<string, string> = {};
  if (outcome.body !== null) headers["Content-Type"] = JSON_TYPE;
  if (outcome.replayed) headers["Idempotency-Replayed"] = "true";
  return new Response(outcome.body, { status: outcome.status, headers });
}

/** The error envelope with the headers that belong to its code. */
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
  // The unread body would have to be read to its end before the connection could be used again.
  payload_too_large: { Connection: "close" },
};

/** The answer to HEAD: the headers of GET, its length among them. A stream is told at once that nobody reads. */
export async function withoutBody(response: Response): Promise<Response> {
  const { status, headers, body } = response;
  if (body && !headers.has("content-length") && !headers.has(STAYS_OPEN)) {
    headers.set("Content-Length", String((await response.arrayBuffer()).byteLength));
  } else {
    void body?.cancel();
  }
  return new Response(null, { status, headers });
}

/** A handler's own Response. Made anew, because headers of a Response that came from elsewhere may be read-only. */
function streamed({ body, status, headers: given }: Response, stream: OpenStream | null): Response {
  const headers = new Headers(given);
  if (!stream || !body) {
    stream?.release();
    return new Response(body, { status, headers });
  }
  setDefault(headers, STAYS_OPEN, "no"); // proxies must pass events on at once
  const isEvents = headers.get("content-type")?.startsWith("text/event-stream") ?? false;
  return new Response(endWith(body, stream.signal, isEvents, stream.release), { status, headers });
}
