/** Bounds of reading a document's text. A longer one is cut; a bigger or slower one counts as unreadable. */
export const DOCUMENT_BOUNDS = {
  /** Files above this are not opened. */
  inputBytes: 32 * 1024 * 1024,
  /** Characters that are returned at most. */
  textChars: 1_000_000,
  /** Unpacked size of one part of a DOCX. */
  unpackedBytes: 48 * 1024 * 1024,
  pdfPages: 2_000,
  /** A PDF or DOCX that is not read by then is given up. */
  timeMs: 20_000,
  /** Growth of the process while one document is read; above it the document is given up. */
  memoryBytes: 400 * 1024 * 1024,
  /** Growth above which the thread ends after its document instead of waiting for another. */
  keptBytes: 128 * 1024 * 1024,
} as const;

/** Tidy text of at most the bound: no control characters, no trailing blanks, at most one empty line in a row. */
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
