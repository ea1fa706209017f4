import { systemClock } from "../../platform/clock.ts";
import { workerUrl } from "../../platform/process/worker-url.ts";
import { decodeText } from "../charset/charset.ts";
import { htmlToText } from "../html/text.ts";
import { boundedText, DOCUMENT_BOUNDS } from "./bounds.ts";
import { calendarText } from "./calendar.ts";
import { DocumentThread } from "./document-thread.ts";
import { documentKind } from "./kind.ts";

/** A file: its bytes, its media type with parameters ("text/plain; charset=koi8-r"), and its name if it has one. */
export interface DocumentFile {
  bytes: Uint8Array;
  type: string;
  fileName: string | null;
}

const thread = new DocumentThread({
  start: () => new Worker(workerUrl("wire/documents/document-worker.ts"), { smol: true }),
  clock: systemClock,
  memory: () => process.memoryUsage.rss(),
});

/**
 * Returns the plain text of a document: text in any charset, Markdown (unchanged), HTML, calendars, PDF and DOCX. Null
 * when the type is none of these, or the file is broken, locked, too large, or takes too long; "" when it contains no
 * text. Never rejects, and never exceeds the limits of ./bounds.ts: PDF and DOCX are read on a thread that can be
 * terminated.
 */
export async function extractText({ bytes, type, fileName }: DocumentFile): Promise<string | null> {
  if (bytes.length > DOCUMENT_BOUNDS.inputBytes) return null;
  const kind = documentKind(type, fileName, bytes);
  switch (kind) {
    case null:
      return null;
    case "pdf":
    case "docx":
      return await thread.read(kind, bytes);
    case "html":
      return boundedText(htmlToText(decoded(bytes, type)));
    case "calendar":
      return boundedText(calendarText(decoded(bytes, type)));
    case "text":
      return looksBinary(bytes) ? null : boundedText(decoded(bytes, type));
  }
}

/** No charset takes more than four bytes per character. */
function decoded(bytes: Uint8Array, type: string): string {
  const most = DOCUMENT_BOUNDS.textChars * 4;
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(type)?.[1] ?? null;
  return decodeText(bytes.subarray(0, most), charset, bytes.length > most);
}

/** True for a NUL in bytes that are neither UTF-16 nor UTF-32: such a file is not text, regardless of its type. */
function looksBinary(bytes: Uint8Array): boolean {
  const marked = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  return !marked && bytes.subarray(0, 4096).includes(0);
}
