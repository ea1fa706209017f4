/** The kind of a file whose text can be read. */
export type DocumentKind = "text" | "html" | "calendar" | "pdf" | "docx";

const BY_TYPE = new Map<string, DocumentKind>([
  ["text/html", "html"],
  ["application/xhtml+xml", "html"],
  ["text/calendar", "calendar"],
  ["application/ics", "calendar"],
  ["application/pdf", "pdf"],
  ["application/x-pdf", "pdf"],
  ["application/vnd.openxmlformats-officedocument.wordprocessingml.document", "docx"],
  ["application/json", "text"],
  ["application/xml", "text"],
  ["application/yaml", "text"],
]);

const BY_EXTENSION = new Map<string, DocumentKind>([
  ...["txt", "text", "md", "markdown", "csv", "tsv", "log", "json", "xml", "yaml", "yml", "rst", "tex"].map(
    (extension): [string, DocumentKind] => [extension, "text"],
  ),
  ["htm", "html"],
  ["html", "html"],
  ["xhtml", "html"],
  ["ics", "calendar"],
  ["pdf", "pdf"],
  ["docx", "docx"],
]);

/** Types that state nothing, because mailers use them for all kinds of files (RFC 2046 §4.5.1). */
const SAYS_NOTHING = new Set(["", "application/octet-stream", "application/x-download", "application/zip", "binary"]);

/** Returns the media type without its parameters, in lower case. */
function mediaType(type: string): string {
  return (type.split(";", 1)[0] ?? "").trim().toLowerCase();
}

/**
 * Returns the kind by the declared type, or by the file name when the type states nothing. A PDF is recognized by its
 * first bytes, regardless of type and name. Null when the text cannot be read.
 */
export function documentKind(type: string, fileName: string | null, bytes: Uint8Array): DocumentKind | null {
  if (startsWith(bytes, "%PDF-")) return "pdf";
  const declared = mediaType(type);
  const extension = /\.([a-z0-9]+)$/i.exec(fileName ?? "")?.[1]?.toLowerCase() ?? "";
  const byName = BY_EXTENSION.get(extension) ?? null;
  if (SAYS_NOTHING.has(declared)) return byName;
  const byType = BY_TYPE.get(declared);
  if (byType) return byType;
  // "notes.html" as text/plain is text, but a calendar as text/plain is still a calendar.
  if (declared.startsWith("text/")) return byName === "calendar" ? "calendar" : "text";
  return null;
}

function startsWith(bytes: Uint8Array, text: string): boolean {
  return bytes.length >= text.length && [...text].every((letter, i) => bytes[i] === letter.charCodeAt(0));
}
