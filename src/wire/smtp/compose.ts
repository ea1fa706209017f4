/** Builds a message as bytes for SMTP (RFC 5322, MIME), and its envelope. */
import { createHash } from "node:crypto";
import { AddressFault, type MailAddress, needsSmtpUtf8, normalizeEmail, parseRecipients } from "./addresses.ts";
import { type ComposeAttachment, type MailPart, mailParts } from "./attachments.ts";
import { bodyForms } from "./body.ts";
import { flow } from "./flow.ts";
import { subjectHeader } from "./header-text.ts";
import { buildMime, type MailFields } from "./mime-build.ts";
import { cappedIds } from "./reply.ts";

export interface ComposeInput {
  /** The account's own address or one of its aliases; the caller checks that it is. */
  from: MailAddress;
  /** Recipients in the form that {@link parseRecipients} accepts. */
  to: readonly string[];
  cc?: readonly string[];
  bcc?: readonly string[];
  /** One line; line breaks and other controls become blanks. */
  subject: string;
  /** Plain text or simple HTML, as `bodyKind` decides. */
  body: string;
  /** With angle brackets; `messageIdFor` creates one. */
  message_id: string;
  /** The Date header, ms since the epoch. */
  now: number;
  in_reply_to?: string | null;
  /** With angle brackets, oldest first. */
  references?: readonly string[];
  attachments?: readonly ComposeAttachment[];
}

export interface ComposedMessage {
  /** CRLF line ends, no line longer than 998 octets, no Bcc. */
  raw: Uint8Array;
  message_id: string;
  /** Every recipient once. Domains are A-labels. */
  envelope: { from: string; to: string[] };
  /** True when an address cannot be written in ASCII: only a server with SMTPUTF8 (RFC 6531) can take the message. */
  needsSmtputf8: boolean;
}

const MESSAGE_ID = /^<[\x21-\x3b\x3d\x3f-\x7e]{1,120}@[a-z0-9.:[\]-]{1,253}>$/i;
const LONGEST_NAME = 200;

/**
 * Builds a message ready to submit: multipart/alternative of format=flowed text and cleaned HTML, with inline pictures
 * and attachments around it. The same input gives the same bytes, so a retry after a crash and the copy in Sent equal
 * the first attempt. No field can add a header or end one early.
 * @throws AddressFault for an unusable recipient (`param` "to[1]"), an unusable sender ("from"), or when there are no
 * recipients ("to")
 */
export async function composeMessage(input: ComposeInput): Promise<ComposedMessage> {
  const { from, to, cc, bcc } = addressesOf(input);
  const recipients = [...new Set([...to, ...cc, ...bcc].map(({ email }) => email))];
  if (recipients.length === 0) throw new AddressFault("to", -1, "At least one recipient is needed.");
  const raw = await build(input, { from, to, cc, bcc: [] });
  const needsSmtputf8 = needsSmtpUtf8([from.email, ...recipients]);
  return { raw, message_id: input.message_id, envelope: { from: from.email, to: recipients }, needsSmtputf8 };
}

/**
 * Builds the message for the Drafts folder: recipients may be missing, and Bcc is kept, since it would otherwise be
 * lost.
 * @throws AddressFault like {@link composeMessage}, except that recipients are optional
 */
export async function composeDraft(input: ComposeInput): Promise<Uint8Array> {
  return build(input, addressesOf(input));
}

/** True when a Message-ID, with angle brackets, can be used for an outgoing message. */
export function isMessageId(text: string): boolean {
  return MESSAGE_ID.test(text);
}

interface Addresses {
  from: MailAddress;
  to: MailAddress[];
  cc: MailAddress[];
  bcc: MailAddress[];
}

function addressesOf(input: ComposeInput): Addresses {
  const email = normalizeEmail(input.from.email);
  if (email === null) throw new AddressFault("from", -1, "This is not an email address.");
  return {
    from: { name: input.from.name, email },
    to: parseRecipients("to", input.to),
    cc: parseRecipients("cc", input.cc ?? []),
    bcc: parseRecipients("bcc", input.bcc ?? []),
  };
}

async function build(input: ComposeInput, addresses: Addresses): Promise<Uint8Array> {
  const { message_id, now, subject, body } = input;
  if (!isMessageId(message_id)) throw new Error("The Message-ID is not of the form <unique@domain>.");
  const { text, html } = bodyForms(body);
  const { related, attached } = await mailParts(input.attachments ?? [], html);
  const fields: MailFields = {
    from: oneLine(addresses.from),
    to: addresses.to.map(oneLine),
    cc: addresses.cc.map(oneLine),
    bcc: addresses.bcc.map(oneLine),
    subject: subjectHeader(subject),
    message_id,
    date: now,
    in_reply_to: cappedIds(input.in_reply_to ? [input.in_reply_to] : [])[0] ?? null,
    references: cappedIds(input.references ?? []),
  };
  const seed = boundarySeed(input, [...related, ...attached]);
  return buildMime({ fields, text: flow(text), html: html && htmlDocument(html), related, attached, seed });
}

/** Returns the address with its name on one line and without sequences that read as encoded words. */
function oneLine({ name, email }: MailAddress): MailAddress {
  const line = name
    .replace(/[\s\p{Cc}\u2028\u2029]+/gu, " ")
    .replaceAll("=?", "= ?")
    .trim();
  return { name: [...line.toWellFormed()].slice(0, LONGEST_NAME).join(""), email };
}

function htmlDocument(fragment: string): string {
  const head = '<meta charset="utf-8">';
  return `<!DOCTYPE html>\r\n<html><head>${head}</head><body>\r\n${fragment.replace(/\r\n|\r|\n/g, "\r\n")}\r\n</body></html>`;
}

/**
 * Derives the boundary seed from the Message-ID, the text and the attachments, so that no text can contain its own
 * boundary.
 */
function boundarySeed(input: ComposeInput, parts: readonly MailPart[]): string {
  const hash = createHash("sha256").update(JSON.stringify([input.message_id, input.subject, input.body]));
  for (const { content } of parts) if (content instanceof Uint8Array) hash.update(content);
  return hash.digest("hex").slice(0, 32);
}
