import { contentDisposition } from "../../http/disposition.ts";
import { ApiError } from "../../kernel/errors.ts";
import type { Content } from "../../mailbox/content.ts";
import { parseRange } from "./ranges.ts";

/**
 * Up to this many bytes are read before they are sent: Bun announces no Content-Length for a stream (it sends it chunked), so
 * the rest of the world gets one only for what is here in whole.
 */
const BUFFERED_BYTES = 4 * 1024 * 1024;

export interface Download {
  /** Strong or weak entity tag, quotes included. */
  etag: string;
  mime: string;
  name: string;
  /** About how long it is, bytes. */
  size: number;
  /** Opens the bytes; not called when the client has them already. */
  open(): Promise<Content>;
}

const MEDIA_TYPE = /^[a-z0-9!#$&^_.+-]{1,127}\/[a-z0-9!#$&^_.+-]{1,127}$/;

/**
 * Answers a download with validation (RFC 9110 §13) and a single range (§14). A browser saves it and runs nothing of it,
 * whatever type the sender claimed. `openStream` is called when it may take long.
 * @throws ApiError range_not_satisfiable, and what `open` throws
 */
export async function download(request: Request, file: Download, openStream: () => void): Promise<Response> {
  const headers = new Headers({
    ETag: file.etag,
    "Accept-Ranges": "bytes",
    // Bytes of an id never change, but a revoked key must not find them in a cache without asking.
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

/** Passes on a stream and fails where it ends early: half a file must not pass for a whole one. */
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

/** Weak comparison (RFC 9110 §13.1.2). */
function isKnown(header: string | null, etag: string): boolean {
  if (header === null) return false;
  if (header.trim() === "*") return true;
  const opaque = (tag: string) => tag.trim().replace(/^W\//, "");
  return header.split(",").some((tag) => opaque(tag) === opaque(etag));
}

/** Strong comparison (RFC 9110 §13.1.5): a range of another version is answered with the whole file. */
function sameVersion(if_range: string | null, etag: string): boolean {
  return if_range === null || (if_range.trim() === etag && !etag.startsWith("W/"));
}
