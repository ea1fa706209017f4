import type { Account } from "../../src/mailbox/accounts/accounts.ts";
import type { Mailbox } from "../../src/mailbox/mailbox.ts";

/**
 * Returns a fingerprint of a stored message's content: text, HTML, people, dates, attachments; without the ids, which
 * each sync makes again.
 */
export function fingerprintOf(mailbox: Mailbox, { user_id }: Pick<Account, "user_id">, id: string): string {
  const scope = { user_id, account_id: null };
  const { head, text, body_text, new_text, date, internal_date, attachments } = mailbox.messageQueries.get(scope, id);
  const { html } = mailbox.messageQueries.html(scope, id);
  const all = { head, text, body_text, new_text, date, internal_date, attachments, html };
  const output = JSON.stringify(all, (key, value) => (key === "id" ? undefined : value));
  return new Bun.CryptoHasher("sha256").update(output).digest("hex").slice(0, 16);
}
