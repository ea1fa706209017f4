import type { Platform } from "../../platform/platform.ts";
import type { AttachmentRef, RawRef } from "./content-source.ts";
import type { AttachmentRow } from "./tables.ts";

/** An attachment as found in the whole source of its message. */
export interface ReadAttachment {
  /** Position among the attachments of the message, from 0. */
  index: number;
  mime: string;
  /** Decoded size in bytes. */
  size: number;
}

/** Replaces estimated attachment sizes with exact ones once the bytes have been read. Exact sizes never change. */
export class AttachmentSizes {
  constructor(private readonly platform: Platform) {}

  /** Stores the exact size of an attachment after all of its bytes were read. */
  note(
    { user_id, message_id, attachment_id }: Pick<AttachmentRef, "user_id" | "message_id" | "attachment_id">,
    size: number,
  ): void {
    const { db } = this.platform;
    db.writeLazily(() => {
      db.sql
        .query(
          `UPDATE attachments SET size = ?, size_estimated = 0 WHERE id = ? AND size_estimated = 1
             AND message_id IN (SELECT id FROM messages WHERE id = ? AND user_id = ?)`,
        )
        .run(size, attachment_id, message_id, user_id);
    });
  }

  /** Returns whether any attachment of the message has an estimated size. */
  isEstimated({ user_id, message_id }: RawRef): boolean {
    return this.#estimated(user_id, message_id).length > 0;
  }

  /**
   * Stores the exact sizes after the whole source of a message was read. Attachments that the source does not have at
   * the same position keep their estimates.
   */
  noteAll(ref: RawRef, read: readonly ReadAttachment[]): void {
    const { user_id, message_id } = ref;
    const sealer = this.platform.keyring.forUser(user_id);
    for (const { id, idx, info } of this.#estimated(user_id, message_id)) {
      const found = read.find(({ index }) => index === idx);
      const { mime } = sealer.openJson(`attachments.info:${id}`, info);
      if (found?.mime !== mime) continue;
      this.note({ user_id, message_id, attachment_id: id }, found.size);
    }
  }

  #estimated(user_id: string, message_id: string): Pick<AttachmentRow, "id" | "idx" | "info">[] {
    return this.platform.db.sql
      .query<Pick<AttachmentRow, "id" | "idx" | "info">, [string, string]>(
        `SELECT a.id, a.idx, a.info FROM attachments a JOIN messages m ON m.id = a.message_id
         WHERE m.id = ? AND m.user_id = ? AND a.size_estimated = 1`,
      )
      .all(message_id, user_id);
  }
}
