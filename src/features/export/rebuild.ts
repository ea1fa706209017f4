import type { StoredMessage } from "../../mailbox/store/stored-message.ts";
import { subjectHeader } from "../../wire/smtp/header-text.ts";
import { buildMime } from "../../wire/smtp/mime-build.ts";

/** Header that marks a message rebuilt from stored data, because its source was not available. */
const REBUILT = "X-Postroom-Rebuilt";

/**
 * Rebuilds a message from the stored data: sender, recipients, date, subject, thread headers, text and original HTML.
 * Its other headers and its attachments are not stored here, so only the names of the attachments are listed.
 */
export async function rebuildMessage(message: StoredMessage, html: string | null): Promise<Uint8Array> {
  const { head, text, attachments, internal_date, id } = message;
  const seed = new Bun.CryptoHasher("sha256").update(id).digest("hex").slice(0, 32);
  const bytes = await buildMime({
    fields: {
      from: head.from,
      to: head.to,
      cc: head.cc,
      bcc: head.bcc,
      subject: subjectHeader(head.subject),
      message_id: head.message_id ?? `<${id}@postroom.invalid>`,
      date: head.date ?? internal_date,
      in_reply_to: head.in_reply_to[0] ?? null,
      references: head.references,
    },
    text,
    html,
    related: [],
    attached: [],
    seed,
  });
  const missing = attachments.map(({ name, size }) => `X-Postroom-Missing-Attachment: ${oneLine(name)}; size=${size}`);
  const note = `${REBUILT}: the source was unavailable; rebuilt from the stored text`;
  return Buffer.concat([Buffer.from([note, ...missing, ""].join("\r\n")), bytes]);
}

/** Names are untrusted text: none may start a new header line. */
function oneLine(name: string): string {
  const { text, encoded } = subjectHeader(name);
  return (encoded ?? text).replace(/[\r\n]+[ \t]*/g, " ");
}
