import type { Actor } from "../../platform/ledger/audit.ts";
import type { Platform } from "../../platform/platform.ts";
import type { UnsubscribeRow } from "./tables.ts";

/** The mailings that were unsubscribed from. The only owner of the `unsubscribes` table. */
export class Unsubscribes {
  constructor(private readonly platform: Platform) {}

  /** Returns when the sender's server accepted the request, ms; null when there was no request. */
  at(message_id: string): number | null {
    const row = this.platform.db.sql
      .query<Pick<UnsubscribeRow, "at">, [string]>("SELECT at FROM unsubscribes WHERE message_id = ?")
      .get(message_id);
    return row?.at ?? null;
  }

  /** Stores that the sender's server accepted the request. @param host the host of that server @returns when, ms */
  note(user_id: string, by: { actor: Actor; request_id: string | null }, message_id: string, host: string): number {
    const { db, clock, audit } = this.platform;
    const now = clock.now();
    db.write(() => {
      db.sql.query("INSERT OR IGNORE INTO unsubscribes (message_id, at) VALUES (?, ?)").run(message_id, now);
      audit.record({ user_id, ...by, action: "message.unsubscribe", target: message_id, after: { host } });
    });
    return this.at(message_id) ?? now;
  }
}
