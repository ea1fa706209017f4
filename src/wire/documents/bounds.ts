/** Limits for reading a document's text. A longer text is cut; a larger or slower document counts as unreadable. */
export const DOCUMENT_BOUNDS = {
  /** Larger files are not opened. */
  inputBytes: 32 * 1024 * 1024,
  /** Maximum number of characters returned. */
  textChars: 1_000_000,
  /** Unpacked size of one part of a DOCX. */
  unpackedBytes: 48 * 1024 * 1024,
  pdfPages: 2_000,
  /** Reading a PDF or DOCX is aborted after this time. */
  timeMs: 20_000,
  /** Growth of the process while one document is read; above it, reading is aborted. */
  memoryBytes: 400 * 1024 * 1024,
  /** Growth above which the thread ends after its document instead of waiting for another. */
  keptBytes: 128 * 1024 * 1024,
} as const;

/** Returns clean text within the limit: no control characters, no trailing blanks, at most one empty line in a row. */
export function boundedText(text: string): string {
  return text
    .slice(0, DOCUMENT_BOUNDS.textChars)
    .replace(/\r\n?/g, "\n")
    .replace(/[^\P{Cc}\n\t]/gu, "")
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .replace(/[\ud800-\udbff]$/, "")
    .trim();
}
