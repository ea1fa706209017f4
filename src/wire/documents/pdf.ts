import { getDocumentProxy } from "unpdf";
import { DOCUMENT_BOUNDS } from "./bounds.ts";

/**
 * The text of a PDF, page by page, an empty line between pages. "" for scans without a text layer.
 * Runs in the document thread. @throws when the bytes are no PDF, or the PDF asks for a password
 */
export async function pdfText(bytes: Uint8Array): Promise<string> {
  // 0: no diagnostics on standard output. A broken operator costs what follows it, not the document.
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

/** A page that cannot be read costs that page only. */
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
