import type { Sealed, Sealer } from "../../platform/sealing/sealer.ts";

/** The text of an attachment or an invitation. */
export interface FileText {
  attachment_id: string;
  name: string;
  text: string;
}

/** Seals the texts of the files of a message for `file_texts.texts`. */
export function sealFileTexts(sealer: Sealer, message_id: string, files: readonly FileText[]): Uint8Array {
  return sealer.sealJson(`file_texts.texts:${message_id}`, files);
}

/** Opens the texts that `sealFileTexts` sealed. */
export function openFileTexts(sealer: Sealer, message_id: string, sealed: Sealed<FileText[]>): FileText[] {
  return sealer.openJson(`file_texts.texts:${message_id}`, sealed);
}
