/** The shapes of parsed mail. They do not depend on Postroom's tables. */

import type { Authentication } from "../../kernel/authentication.ts";

/** One mailbox of an address header (RFC 5322 §3.4). `email` is "" when the header has only a display name. */
export interface Address {
  name: string;
  email: string;
}

/** A leaf part that is not part of the message's own text. */
export interface MimeAttachment {
  /**
   * Position among the attachments of the message, from 0, in the order of the MIME tree. Stable for the same bytes.
   */
  index: number;
  /** IMAP part number (RFC 9051 §6.4.5), e.g. "2" or "1.2"; null when the message was parsed from its whole source. */
  part: string | null;
  /** Decoded file name (RFC 2231, RFC 2047); a generated one such as "attachment-1.png" when the message gives none. */
  name: string;
  /** Lower case, e.g. "application/pdf". */
  mime: string;
  /** Decoded size in bytes. */
  size: number;
  /** `size` was estimated from the encoded size, because the part was not downloaded. Absent when it is exact. */
  sizeEstimated?: boolean;
  /** Content-ID without the angle brackets, for `cid:` images. */
  contentId: string | null;
  disposition: "attachment" | "inline";
  /** Decoded bytes; absent when the part was not downloaded. */
  content?: Uint8Array;
}

/** One message, decoded. */
export interface ParsedMessage {
  /**
   * The value of the Message-ID header, byte for byte as sent (angle brackets kept, folding removed); null when absent.
   */
  messageId: string | null;
  /** Message-IDs with angle brackets. */
  inReplyTo: string[];
  references: string[];
  subject: string;
  from: Address;
  sender: Address | null;
  replyTo: Address[];
  to: Address[];
  cc: Address[];
  bcc: Address[];
  /** The Date header in ms since the epoch; null when absent or unreadable. */
  date: number | null;
  /** All plain text of the message, or text made from the HTML when there is no text part. Line ends are LF. */
  text: string;
  html: string | null;
  attachments: MimeAttachment[];
  /** Some of the text, or some parts, are left out, because the message is longer or deeper than the limits. */
  truncated: boolean;
  /** The receiving server's result about the sender; absent when no header of it can be trusted. */
  authentication?: Authentication;
  /** All headers by name in lower case, with unfolded and decoded values in order of appearance. */
  headers: Map<string, string[]>;
}
