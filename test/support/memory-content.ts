import { ApiError } from "../../src/kernel/errors.ts";
import type { AttachmentRef, Content, ContentSource, RawRef } from "../../src/mailbox/store/content-source.ts";

/** A content source over bytes from a test. */
export class MemoryContent implements ContentSource {
  /** By attachment id, or by message id for sources. */
  readonly files = new Map<string, Uint8Array>();
  /** Requested contents, in order. */
  readonly asked: string[] = [];
  down = false;
  /** Streams end before this position, regardless of their announced length. */
  cut = Number.POSITIVE_INFINITY;

  attachment(ref: AttachmentRef): Promise<Content> {
    return this.#open(ref.attachment_id);
  }

  raw(ref: RawRef): Promise<Content> {
    return this.#open(ref.message_id);
  }

  async #open(id: string): Promise<Content> {
    this.asked.push(id);
    if (this.down) throw new ApiError("provider_unavailable", "The mail server cannot be reached.");
    const bytes = this.files.get(id);
    if (!bytes) throw new ApiError("not_found", "The mail server no longer has this message.");
    return {
      size: bytes.length,
      read: (start = 0, end = bytes.length) => new Blob([bytes.slice(start, Math.min(end, this.cut))]).stream(),
    };
  }
}
