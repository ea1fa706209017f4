import { getDocumentProxy } from "unpdf";
import { DOCUMENT_BOUNDS } from "./bounds.ts";

/**
 * Returns the text of a PDF page by page, with an empty line between pages; "" for scans without a text layer. Runs in
 * the document thread. @throws when the bytes are not a PDF, or the PDF needs a password
 */
export async function pdfText(bytes: Uint8Array): Promise<string> {
  // 0: no diagnostics on standard output. A broken operator loses the content after it, not the document.
  const pdf = await getDocumentProxy(bytes, { verbosity: 0, disableFontFace: true, stopAtErrors: false });
  const pages: string[] = [];
  let chars = 0;
  const last = Math.min(pdf.numPages, DOCUMENT_BOUNDS.pdfPages);
  for (let number = 1; number <= last && chars < DOCUMENT_BOUNDS.textChars; number++) {
    const text = await pageText(pdf, number);
    chars += text.length;
    pages.push(text);
  }
  await pdf.cleanup();
  return pages.join("\n\n");
}

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;

/** Returns the text of a page; an unreadable page loses only its own text. */
async function pageText(pdf: Pdf, number: number): Promise<string> {
  try {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    const text = items.map((item) => ("str" in item ? `${item.str}${item.hasEOL ? "\n" : ""}` : "")).join("");
    page.cleanup();
    return text;
  } catch {
    return "";
  }
}
