import { contentDisposition } from "../../http/disposition.ts";
import { ApiError } from "../../kernel/errors.ts";
import type { Content } from "../../mailbox/store/content-source.ts";
import { parseRange } from "./ranges.ts";

/**
 * Files up to this size are read completely before they are sent, because Bun sends a stream chunked and without a
 * Content-Length.
 */
const BUFFERED_BYTES = 4 * 1024 * 1024;

export interface Download {
  /** Strong or weak entity tag, quotes included. */
  etag: string;
  mime: string;
  name: string;
  /** Approximate length, bytes. */
  size: number;
  /** Opens the bytes. Not called if the client already has them. */
  open(): Promise<Content>;
}

const MEDIA_TYPE = /^[a-z0-9!#$&^_.+-]{1,127}\/[a-z0-9!#$&^_.+-]{1,127}$/;

/**
 * Answers a download with validation (RFC 9110 §13) and a single range (§14). The headers make a browser save the file and
 * run nothing in it, regardless of the type that the sender claimed. `openStream` is called if the answer may take long.
 * @throws ApiError range_not_satisfiable, and the errors of `open`
 */
export async function download(request: Request, file: Download, openStream: () => void): Promise<Response> {
  const headers = new Headers({
    ETag: file.etag,
    "Accept-Ranges": "bytes",
    // The bytes of an id never change, but a cache must not serve them to a revoked key without asking.
    "Cache-Control": "private, no-cache",
    "Content-Security-Policy": "sandbox; default-src 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
  });
  if (isKnown(request.headers.get("if-none-match"), file.etag)) return new Response(null, { status: 304, headers });
  const large = file.size > BUFFERED_BYTES;
  if (large) openStream();
  const content = await file.open();
  headers.set("Content-Type", MEDIA_TYPE.test(file.mime) ? file.mime : "application/octet-stream");
  headers.set("Content-Disposition", contentDisposition(file.name));
  const range = sameVersion(request.headers.get("if-range"), file.etag)
    ? parseRange(request.headers.get("range"), content.size)
    : null;
  if (range === "unsatisfiable") {
    const size_bytes = content.size;
    throw new ApiError("range_not_satisfiable", `The range is outside the file, which has ${size_bytes} bytes.`, {
      param: "Range",
      size_bytes,
    });
  }
  const { start, end } = range ?? { start: 0, end: content.size };
  const length = end - start;
  if (range) headers.set("Content-Range", `bytes ${start}-${end - 1}/${content.size}`);
  const status = range ? 206 : 200;
  headers.set("Content-Length", String(length));
  const body = exactly(content.read(start, end), length);
  if (!large && length <= BUFFERED_BYTES) {
    return new Response(await new Response(body).arrayBuffer(), { status, headers });
  }
  openStream();
  return new Response(body, { status, headers });
}

/** Passes a stream on and fails if it ends early, so that a partial file never appears complete. */
function exactly(body: ReadableStream<Uint8Array>, length: number): ReadableStream<Uint8Array> {
  let left = length;
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        left -= chunk.length;
        controller.enqueue(chunk);
      },
      flush(controller) {
        if (left !== 0)
          controller.error(
            new ApiError(
              "provider_unavailable",
              "The mail server closed the connection before the end of the file. Try again.",
            ),
          );
      },
    }),
  );
}

/** Whether the client already has the file: weak comparison (RFC 9110 §13.1.2). */
function isKnown(header: string | null, etag: string): boolean {
  if (header === null) return false;
  if (header.trim() === "*") return true;
  const opaque = (tag: string) => tag.trim().replace(/^W\//, "");
  return header.split(",").some((tag) => opaque(tag) === opaque(etag));
}

/** Strong comparison (RFC 9110 §13.1.5). A range of another version is answered with the whole file. */
function sameVersion(ifRange: string | null, etag: string): boolean {
  return ifRange === null || (ifRange.trim() === etag && !etag.startsWith("W/"));
}
