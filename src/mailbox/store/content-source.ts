/** The bytes to read, and everything needed to find them on the server or in the cache. */
export interface RawRef {
  user_id: string;
  account_id: string;
  message_id: string;
  /** RFC822.SIZE, bytes. */
  size: number;
}

export interface AttachmentRef {
  user_id: string;
  account_id: string;
  message_id: string;
  attachment_id: string;
  /** Position among the attachments of the message, from 0. */
  index: number;
  /** IMAP part number; null: extract the attachment from the whole source. */
  part: string | null;
  /** Content-Transfer-Encoding of the part according to the server; null when unknown. */
  encoding: string | null;
  /** Decoded size. */
  size: number;
  /** `size` is an estimate: the part has not been read. */
  size_estimated?: boolean | undefined;
}

/** Bytes that can be read more than once, in whole or in part. */
export interface Content {
  /** Exact number of bytes. */
  size: number;
  /**
   * Returns the bytes from `start` (default 0) up to but not including `end` (default `size`). Canceling the stream
   * frees what it holds.
   */
  read(start?: number, end?: number): ReadableStream<Uint8Array>;
}

/**
 * Returns the bytes of messages and attachments, from a local cache or else from the mail server. Both methods throw
 * ApiError `provider_unavailable` when the server cannot be reached, and `not_found` when it no longer has the message.
 */
export interface ContentSource {
  /** Returns the decoded bytes of one attachment. */
  attachment(ref: AttachmentRef): Promise<Content>;
  /** Returns the whole message as the server stores it (message/rfc822). */
  raw(ref: RawRef): Promise<Content>;
}
