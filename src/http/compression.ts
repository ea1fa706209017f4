import { gzipSync, zstdCompressSync } from "node:zlib";
import { preferredEncoding } from "./encoding.ts";

/** Codings of replies, the faster one first (RFC 8878 for zstd, RFC 1952 for gzip). */
const CODINGS = ["zstd", "gzip"] as const;
/** A smaller reply fits into one packet in any form. */
const SMALLEST_BYTES = 1_400;
const GZIP_LEVEL = 5;
const TEXT = /^(?:application\/json|text\/(?!event-stream))/;

/**
 * Compresses a complete reply of text that is larger than about one packet, if the client accepts that. Streams, files
 * that can be requested in parts, and replies that already have a coding are returned as they are.
 */
export async function compressed(request: Request, response: Response): Promise<Response> {
  const { headers, status, body } = response;
  const streamed = ["content-encoding", "accept-ranges", "x-accel-buffering"].some((name) => headers.has(name));
  if (!body || status !== 200 || streamed || !TEXT.test(headers.get("content-type") ?? "")) return response;
  const coding = preferredEncoding(request.headers.get("accept-encoding"), CODINGS);
  headers.append("Vary", "Accept-Encoding");
  if (coding === "identity") return response;
  const plain = await response.bytes();
  if (plain.byteLength < SMALLEST_BYTES) return new Response(plain, { status, headers });
  headers.set("Content-Encoding", coding);
  headers.delete("Content-Length");
  const bytes = coding === "zstd" ? zstdCompressSync(plain) : gzipSync(plain, { level: GZIP_LEVEL });
  return new Response(bytes, { status, headers });
}
