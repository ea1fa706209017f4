import type { Folder } from "../../mailbox/store/folders.ts";

/** What a server says of a folder, in a response to STATUS or SELECT (RFC 9051, sections 6.3.11 and 6.3.2). */
export interface FolderState {
  messages?: number;
  uidNext?: number;
  uidValidity?: bigint;
  /** RFC 7162, section 3.1.2. */
  highestModseq?: bigint;
}

/** Returns whether nothing in a folder has changed since its last sync. If unsure, returns false. */
export function isAsSynced(folder: Folder, { messages, uidNext, uidValidity, highestModseq }: FolderState): boolean {
  return (
    folder.highestmodseq !== null &&
    messages === folder.server_count &&
    uidNext === folder.uidnext &&
    Number(uidValidity) === folder.uidvalidity &&
    highestModseq === folder.highestmodseq
  );
}
