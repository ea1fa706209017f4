import type { Platform } from "../platform/platform.ts";
import type { Send } from "./sends-store.ts";

/** What a delivery status notification said of one recipient of a send. */
export interface BouncedRecipient {
  recipient: string;
  /** RFC 3463, e.g. "5.1.1"; null where the notification has none. */
  status: string | null;
  /** The remote server's words. */
  detail: string;
  /** Our id of the notification. */
  message_id: string;
  at: number;
}

/** The only owner of the `bounces` table. */
export class BounceStore {
  constructor(private readonly platform: Platform) {}

  /** Notes a bounce. @returns false when this recipient's was noted before */
  add(send: Send, bounce: BouncedRecipient): boolean {
    const { db, keyring } = this.platform;
    const sealer = keyring.forUser(send.user_id);
    const { at, ...detail } = bounce;
    const { changes } = db.sql
      .query(
        "INSERT OR IGNORE INTO bounces (send_id, recipient_hmac, action, detail, at) VALUES (?, ?, 'failed', ?, ?)",
      )
      .run(
        send.id,
        sealer.hmac("address", bounce.recipient.toLowerCase()),
        sealer.sealJson(`bounces.detail:${send.id}`, detail),
        at,
      );
    return changes > 0;
  }

  /** Latest first. */
  of(send: Send): BouncedRecipient[] {
    const sealer = this.platform.keyring.forUser(send.user_id);
    return this.platform.db.sql
      .query<{ detail: Uint8Array; at: number }, [string]>(
        "SELECT detail, at FROM bounces WHERE send_id = ? ORDER BY at DESC",
      )
      .all(send.id)
      .map(({ detail, at }) => ({
        ...sealer.openJson<Omit<BouncedRecipient, "at">>(`bounces.detail:${send.id}`, detail),
        at,
      }));
  }
}
