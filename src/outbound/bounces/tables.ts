import { primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { hmac, sealed, time } from "../../platform/db/columns.ts";

/** A delivery status notification's report for one recipient of a send. */
export interface BounceDetail {
  recipient: string;
  /** RFC 3463, e.g. "5.1.1"; null if the notification has none. */
  status: string | null;
  /** The remote server's reply. */
  detail: string;
  /** Our id of the notification. */
  message_id: string;
}

/** Delivery status notifications about a send. */
export const bounces = sqliteTable(
  "bounces",
  {
    send_id: text().notNull(),
    recipient_hmac: hmac().notNull(),
    action: text().$type<"failed" | "delayed">().notNull(),
    detail: sealed<BounceDetail>().notNull(),
    at: time().notNull(),
  },
  (t) => [primaryKey({ columns: [t.send_id, t.recipient_hmac] })],
);
export type BounceRow = typeof bounces.$inferSelect;
