/** Builds the MIME tree of an outgoing message with nodemailer. */
import type MailComposer from "nodemailer/lib/mail-composer";
import type { MailAddress } from "./addresses.ts";
import type { MailPart } from "./attachments.ts";
import type { HeaderText } from "./header-text.ts";

export interface MailFields {
  from: MailAddress;
  to: readonly MailAddress[];
  cc: readonly MailAddress[];
  /** Written into the message, so set only for drafts. */
  bcc: readonly MailAddress[];
  subject: HeaderText;
  message_id: string;
  date: number;
  in_reply_to: string | null;
  references: readonly string[];
}

export interface MimeInput {
  fields: MailFields;
  /** format=flowed, CRLF. */
  text: string;
  html: string | null;
  related: readonly MailPart[];
  attached: readonly MailPart[];
  /** Hexadecimal; boundaries are derived from it. */
  seed: string;
}

/**
 * Returns the bytes of the message: multipart/mixed( multipart/alternative( text, multipart/related( html, pictures )
 * ), attachments ), without the levels that have only one child.
 */
export async function buildMime({ fields, text, html, related, attached, seed }: MimeInput): Promise<Uint8Array> {
  // Loaded for the first message.
  const { default: Composer } = await import("nodemailer/lib/mail-composer");
  const composer = new Composer({
    from: mailbox(fields.from),
    to: fields.to.map(mailbox),
    cc: fields.cc.map(mailbox),
    bcc: fields.bcc.map(mailbox),
    messageId: fields.message_id,
    date: new Date(fields.date),
    ...(fields.in_reply_to ? { inReplyTo: fields.in_reply_to } : {}),
    ...(fields.references.length > 0 ? { references: [...fields.references] } : {}),
    headers: subjectOf(fields.subject),
    alternatives: [
      { contentType: "text/plain; charset=utf-8; format=flowed", content: text },
      ...(html === null ? [] : [{ contentType: "text/html; charset=utf-8", content: html }]),
    ],
    attachments: [...related, ...attached].map(attachment),
    newline: "windows",
    baseBoundary: seed,
    boundaryPrefix: "=_",
    // Content is always passed as bytes or a stream: no name or address in a message may open a file or a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  } as ConstructorParameters<typeof MailComposer>[0]);
  const node = composer.compile();
  if (fields.bcc.length > 0) node.keepBcc = true;
  return node.build();
}

function mailbox({ name, email }: MailAddress): { name: string; address: string } {
  return { name, address: email };
}

/** `prepared` text is written unchanged; otherwise nodemailer would encode it again. */
function subjectOf({ text, encoded }: HeaderText): Record<string, unknown> {
  if (text === "") return {};
  return { Subject: encoded === null ? text : { prepared: true, value: encoded } };
}

function attachment({ name, mime, content, content_id }: MailPart): Record<string, unknown> {
  return {
    filename: name,
    contentType: mime,
    content: content instanceof Uint8Array ? Buffer.from(content.buffer, content.byteOffset, content.length) : content,
    contentDisposition: content_id === null ? "attachment" : "inline",
    ...(content_id === null ? {} : { cid: content_id }),
    ...(mime === "message/rfc822" ? { contentTransferEncoding: "7bit" } : {}),
  };
}
