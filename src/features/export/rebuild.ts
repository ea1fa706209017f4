import type { MessageView } from "../../mailbox/queries-messages.ts";
import { subjectHeader } from "../../wire/smtp/header-text.ts";
import { buildMime } from "../../wire/smtp/mime-build.ts";

/** Header line of a message that was made of what is stored here, because its source could not be had. */
export const REBUILT = "X-Postroom-Rebuilt";

/**
 * The message as far as this machine knows it: who, when, the subject, what ties it to others, text and HTML as they came.
 * Its other header lines and its attachments are not here; their names are told.
 */
export async function rebuilt(message: MessageView, html: string | null): Promise<Uint8Array> {
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

/** Names are anybody's text: nothing in one may begin a new header line. */
function oneLine(name: string): string {
  const { text, encoded } = subjectHeader(name);
  return (encoded ?? text).replace(/[\r\n]+[ \t]*/g, " ");
}
