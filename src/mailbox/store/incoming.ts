import type { Authentication } from "../../kernel/authentication.ts";
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
export interface ViewLocation {
  folderId: string;
  role: FolderRole;
}

/** The server's data about an arriving message, besides its contents. */
export interface IncomingMetadata {
  /** Our id for the message if it is not stored yet; absent: a new one. */
  id?: string;
  folderId: string;
  uid: number;
  /** INTERNALDATE, ms; 0 if the server reports none. */
  internalDate: number;
  /** RFC822.SIZE, bytes. */
  size: number;
  flags: ServerFlags;
  /** The server did not report flags: the flags of a message that is stored already stay unchanged. */
  flagsUnknown?: boolean;
  labels: string[];
  /** Views of the folder that show the message as well (Gmail). */
  views?: readonly ViewLocation[];
  /** Input of the `flags_hash` of the location; equal values mean that nothing changed. */
  flagsHash: number;
  /** X-GM-THRID, or THREADID of the OBJECTID extension, where the server provides one. */
  serverThreadId: string | null;
}

/**
 * The contents of an arriving message: the fields of ParsedMessage (wire/mime), limited in size, with its text split
 * from quotes. Attachments have no bytes, except calendars and what a delivery status notification encloses. Can be
 * passed through a structured clone.
 */
export interface IncomingContents {
  /** The Message-ID header. */
  messageId: string | null;
  inReplyTo: string[];
  references: string[];
  subject: string;
  from: Address;
  replyTo: Address[];
  to: Address[];
  cc: Address[];
  bcc: Address[];
  /** The Date header, ms. */
  date: number | null;
  /** The receiving server's result about the sender; absent if no header of it can be trusted. */
  authentication?: Authentication;
  headers: Map<string, string[]>;
  text: string;
  /** Without reply history. */
  bodyText: string;
  /** Without history, signature and forwards. */
  newText: string;
  html: string | null;
  /** Part of the message was left out, because it is longer or nested deeper than the limits allow. */
  truncated?: boolean;
  attachments: IncomingAttachment[];
}

/** One message on its way into the mailbox. */
export interface IncomingMessage extends IncomingMetadata, IncomingContents {
  /** The message's terms for the full-text index, where another thread has already computed them. */
  terms?: DocumentTerms;
}
