import type { DocumentTerms } from "../search/documents.ts";
import type { Address } from "./envelope.ts";
import type { FolderRole } from "./state.ts";

/** The flags that the server reports for a message. */
export interface ServerFlags {
  seen: boolean;
  flagged: boolean;
  answered: boolean;
  draft: boolean;
  important: boolean;
}

/** An attachment as recorded at import; its bytes stay on the server or in the file. */
export interface IncomingAttachment {
  index: number;
  part: string | null;
  encoding: string | null;
  name: string;
  mime: string;
  size: number;
  /** `size` is an estimate, because the part has not been read. */
  sizeEstimated?: boolean;
  contentId: string | null;
  disposition: "attachment" | "inline";
  /** Decoded bytes, kept only for short parts of a delivery status notification (RFC 3464). */
  content?: Uint8Array;
}

/** A view of a folder that shows a message as well. */
export interface ViewPlace {
  folder_id: string;
  role: FolderRole;
}

/** One parsed message on its way into the mailbox. Dates are ms since the epoch. */
export interface IncomingMessage {
  folder_id: string;
  uid: number;
  internal_date: number;
  /** RFC822.SIZE, bytes. */
  size: number;
  flags: ServerFlags;
  /** The server did not report flags: the flags of a message that is stored already stay unchanged. */
  flags_untold?: boolean;
  labels: string[];
  /** Views of the folder that show the message as well (Gmail). */
  views?: readonly ViewPlace[];
  /** Input of the `flags_hash` of the location; equal values mean that nothing changed. */
  flags_hash: number;
  /** X-GM-THRID, or THREADID of the OBJECTID extension, where the server provides one. */
  server_thread_id: string | null;
  message_id: string | null;
  in_reply_to: string[];
  references: string[];
  subject: string;
  from: Address;
  reply_to: Address[];
  to: Address[];
  cc: Address[];
  bcc: Address[];
  /** The Date header. */
  date: number | null;
  headers: Map<string, string[]>;
  text: string;
  /** Without reply history. */
  body_text: string;
  /** Without history, signature and forwards. */
  new_text: string;
  html: string | null;
  /** Part of the message was left out, because it is longer or nested deeper than the limits allow. */
  truncated?: boolean;
  attachments: IncomingAttachment[];
  /** The message's terms for the full-text index, where another thread has already computed them. */
  terms?: DocumentTerms;
}
