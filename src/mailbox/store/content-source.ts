/** Which bytes are wanted, and all that is needed to find them on the server or in the cache. */
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
  /** IMAP part number; null: to be taken from the whole source. */
  part: string | null;
  /** Content-Transfer-Encoding of the part as the server told it; null when unknown. */
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
  /** The bytes from `start` (0) up to but not including `end` (`size`). Cancelling the stream frees what it holds. */
  read(start?: number, end?: number): ReadableStream<Uint8Array>;
}

/**
 * Where the bytes of messages and attachments come from: a local cache, else the mail server.
 * Both methods throw ApiError `provider_unavailable` when the server cannot be reached, and `not_found` when it does not
 * have the message any more.
 */
export interface ContentSource {
  /** Decoded bytes of one attachment. */
  attachment(ref: AttachmentRef): Promise<Content>;
  /** The whole message as the server holds it (message/rfc822). */
  raw(ref: RawRef): Promise<Content>;
}
