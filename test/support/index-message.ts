import type { Mailbox } from "../../src/mailbox/mailbox.ts";
import { type IndexedMessage, readTerms } from "../../src/mailbox/search/indexable.ts";
import type { Db } from "../../src/platform/db/open.ts";

/** Indexes a stored message as the last step of arriving mail does; parts that are not given have no words. */
export function indexMessage(
  db: Pick<Db, "sql">,
  { fullText }: Pick<Mailbox, "fullText">,
  message_id: string,
  message: Partial<IndexedMessage>,
): void {
  const { n, user_id, internal_date } = db.sql
    .query<{ n: number; user_id: string; internal_date: number }, [string]>(
      "SELECT n, user_id, internal_date FROM messages WHERE id = ?",
    )
    .get(message_id)!;
  const whole = { subject: "", from: { name: "", email: "" }, to: [], cc: [], bcc: [], text: "", attachments: [] };
  fullText.add(user_id, n, internal_date, readTerms(fullText.reader, { ...whole, ...message }));
}
