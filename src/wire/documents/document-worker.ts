/**
 * Entry point of the document thread. It reads untrusted files, has access to neither keys nor the database, and may be
 * terminated at any time.
 */
import { workInBackground } from "../../platform/process/background.ts";
import { boundedText } from "./bounds.ts";
import { docxText } from "./docx.ts";
import { pdfText } from "./pdf.ts";

/** A request to the thread: one document. */
export interface DocumentRequest {
  id: number;
  kind: "pdf" | "docx";
  bytes: Uint8Array;
}

/** The thread's reply; `text` is null when the document could not be read. */
export interface DocumentReply {
  id: number;
  text: string | null;
}

declare const self: Worker;

workInBackground();

self.onmessage = async ({ data }: MessageEvent<DocumentRequest>) => {
  self.postMessage({ id: data.id, text: await read(data) } satisfies DocumentReply);
};

async function read({ kind, bytes }: DocumentRequest): Promise<string | null> {
  try {
    return boundedText(kind === "pdf" ? await pdfText(bytes) : docxText(bytes));
  } catch {
    return null;
  }
}
