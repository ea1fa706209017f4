import type { Platform } from "../../platform/platform.ts";
import type { Send } from "../sends/store.ts";
import type { BounceDetail, BounceRow } from "./tables.ts";

/** A delivery status notification's report for one recipient of a send. */
export interface BouncedRecipient extends BounceDetail {
  at: number;
}

/** Stores bounces. The only owner of the `bounces` table. */
export class BounceStore {
  constructor(private readonly platform: Platform) {}

  /** Records a bounce. @returns false when this recipient's bounce was recorded before */
  add(send: Send, bounce: BouncedRecipient): boolean {
    const { db, keyring } = this.platform;
    const sealer = keyring.forUser(send.user_id);
    const { at, ...detail } = bounce;
    const recipient = bounce.recipient.toLowerCase();
    // Rows of earlier versions have a random value instead of the HMAC.
    if (this.of(send).some((known) => known.recipient.toLowerCase() === recipient)) return false;
    db.sql.query("INSERT INTO bounces (send_id, recipient_hmac, action, detail, at) VALUES (?, ?, 'failed', ?, ?)").run(
      send.id,
      // Includes the send, so that the table does not reveal that two sends failed for the same person.
      sealer.hmac("address", `${send.id}\0${recipient}`),
      sealer.sealJson(`bounces.detail:${send.id}`, detail),
      at,
    );
    return true;
  }

  /** Returns the bounces of a send, latest first. */
  of(send: Send): BouncedRecipient[] {
    const sealer = this.platform.keyring.forUser(send.user_id);
    return this.platform.db.sql
      .query<Pick<BounceRow, "detail" | "at">, [string]>(
        "SELECT detail, at FROM bounces WHERE send_id = ? ORDER BY at DESC",
      )
      .all(send.id)
      .map(({ detail, at }) => ({
        ...sealer.openJson(`bounces.detail:${send.id}`, detail),
        at,
      }));
  }
}
