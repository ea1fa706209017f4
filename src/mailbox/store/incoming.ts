import type { DocumentTerms } from "../search/documents.ts";
import type { Address } from "./envelope.ts";
import type { FolderRole } from "./state.ts";

/** What the server says of a message besides its content. */
export interface ServerFlags {
  seen: boolean;
  flagged: boolean;
  answered: boolean;
  draft: boolean;
  important: boolean;
}

/** An attachment as it is noted at import; its bytes stay where they are. */
export interface IncomingAttachment {
  index: number;
  part: string | null;
  encoding: string | null;
  name: string;
  mime: string;
  size: number;
  /** `size` is an estimate: the part has not been read. */
  sizeEstimated?: boolean;
  contentId: string | null;
  disposition: "attachment" | "inline";
  /** Decoded bytes, only of what a delivery status notification encloses (RFC 3464), and only where it is short. */
  content?: Uint8Array;
}

/** A view of a folder that shows a message, too. */
export interface ViewPlace {
  folder_id: string;
  role: FolderRole;
}

/** One message on its way into the mailbox, parsed. Dates are ms since the epoch. */
export interface IncomingMessage {
  folder_id: string;
  uid: number;
  internal_date: number;
  /** RFC822.SIZE, bytes. */
  size: number;
  flags: ServerFlags;
  /** The server left the flags out: those of a message that is here already stay as they are. */
  flags_untold?: boolean;
  labels: string[];
  /** Views of the folder that show it, too (Gmail). */
  views?: readonly ViewPlace[];
  /** What `flags_hash` of the location is computed from; equal values mean "nothing changed". */
  flags_hash: number;
  /** X-GM-THRID or OBJECTID THREADID, where the server gives one. */
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
  /** Something of it is left out, because it is longer or deeper than is kept. */
  truncated?: boolean;
  attachments: IncomingAttachment[];
  /** Its terms for the full-text index, where another thread has found them. */
  terms?: DocumentTerms;
}
