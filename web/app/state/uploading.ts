import { signal } from "@preact/signals";
import { Fault } from "../api/client.ts";
import { type MailImport, sendPart } from "../api/imports.ts";

export interface Upload {
  /** Id of the import. */
  id: string;
  sentBytes: number;
  /** Why no part arrives at the moment. The upload continues automatically. */
  waiting: string | null;
  /** Why the upload ended. */
  fault: unknown;
}

/** The upload of this tab. It continues while other pages are shown. */
export const uploading = signal<Upload | null>(null);

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/** Shortest time for a part, so that fast networks leave requests of the session's limit to the rest of the page. */
const PART_MS = 125;
/** No reply, too many requests, a full disk, a proxy whose server restarts. */
const TEMPORARY = new Set([0, 429, 502, 503, 504, 507]);

/** Uploads the rest of a file in parts, and tries again while the server cannot be reached. */
export async function upload(file: File, started: MailImport, partBytes: number): Promise<void> {
  const { id } = started;
  let offset = started.received_bytes;
  let pauseMs = FIRST_PAUSE_MS;
  const show = (more: Partial<Upload> = {}) => {
    uploading.value = { id, sentBytes: offset, waiting: null, fault: null, ...more };
  };
  const isOurs = () => uploading.value?.id === id;
  show();
  while (offset < file.size) {
    const earliest = new Promise((resolve) => setTimeout(resolve, PART_MS));
    try {
      const { state, received_bytes } = await sendPart(id, offset, file.slice(offset, offset + partBytes));
      if (!isOurs()) return;
      if (state !== "uploading") break;
      offset = received_bytes;
      pauseMs = FIRST_PAUSE_MS;
      show();
      if (offset < file.size) await earliest;
      if (!isOurs()) return;
    } catch (error) {
      if (!isOurs()) return;
      if (!(error instanceof Fault) || !TEMPORARY.has(error.status)) return show({ fault: changed(error) });
      show({ waiting: error.message });
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
      if (!isOurs()) return;
    }
  }
  uploading.value = null;
}

/** Stops uploading in this tab. */
export function stopUploading(): void {
  uploading.value = null;
}

/** Returns a sentence for a browser's error: it no longer reads a file that was changed or moved. */
function changed(error: unknown): unknown {
  if (error instanceof Fault) return error;
  return new Error("The file was changed, moved or disconnected. Cancel the import, then start it again.");
}
