/** Converts drafts to messages in the server's Drafts folder, and back. */
import { createHash } from "node:crypto";
import type { Account } from "../../mailbox/accounts/accounts.ts";
import type { Address, MimeAttachment, ParsedMessage } from "../../wire/mime/types.ts";
import { parseRecipient, sameAddress } from "../../wire/smtp/addresses.ts";
import type { ComposeAttachment } from "../../wire/smtp/attachments.ts";
import { bodyForms, bodyKind, textToHtml } from "../../wire/smtp/body.ts";
import { composeDraft } from "../../wire/smtp/compose.ts";
import { cleanOutgoingHtml } from "../../wire/smtp/outgoing-html.ts";
import { ownAddresses, senderOf } from "./checks.ts";
import type { Draft } from "./store.ts";
import type { DraftContent } from "./tables.ts";

const HEADER = "X-Postroom-Draft";
const MARK = /^X-Postroom-Draft: (drf_[a-z0-9]+) (\d+) ([0-9a-f]{64})\r\n/;

/**
 * Returns a draft as a message for the Drafts folder. Its first line identifies the draft and revision, with a hash of
 * the rest. With it, a copy whose location was not recorded (a crash) is recognized, and a version that another program
 * changed is not mistaken for it.
 * @throws AddressFault for an invalid address
 */
export async function draftMessage(
  draft: Draft,
  account: Account,
  message_id: string,
  attachments: readonly ComposeAttachment[],
): Promise<Uint8Array> {
  const { to, cc, bcc, subject, body, in_reply_to, references } = draft;
  const content = { to, cc, bcc, subject, body, in_reply_to, references, attachments };
  const from = senderOf(account, draft.from);
  const raw = await composeDraft({ ...content, from, message_id, now: draft.updated_at });
  return Buffer.concat([Buffer.from(`${HEADER}: ${draft.id} ${draft.revision} ${sha256(raw)}\r\n`), raw]);
}

/**
 * Returns which revision of which draft these bytes are, if they are exactly as we wrote them; null for everything
 * else.
 */
export function ownRevision(raw: Uint8Array): { draft_id: string; revision: number } | null {
  const head = Buffer.from(raw.buffer, raw.byteOffset, Math.min(raw.length, 200)).toString("latin1");
  const match = MARK.exec(head);
  if (!match || sha256(raw.subarray(match[0].length)) !== match[3]) return null;
  return { draft_id: match[1]!, revision: Number(match[2]) };
}

/** A file of a draft that another program wrote. */
export interface DraftPart {
  name: string;
  mime: string;
  content_id: string | null;
  content: Uint8Array;
}

/** Reads a message of the Drafts folder. Recipients that are not yet addresses are left out. */
export function readDraft(parsed: ParsedMessage, account: Account): { content: DraftContent; parts: DraftPart[] } {
  const content: DraftContent = {
    from: ownSender(parsed.from, account),
    to: recipientsOf(parsed.to),
    cc: recipientsOf(parsed.cc),
    bcc: recipientsOf(parsed.bcc),
    subject: parsed.subject,
    body: bodyOf(parsed),
    in_reply_to: parsed.inReplyTo[0] ?? null,
    references: parsed.references,
    message_id: parsed.messageId,
  };
  return { content, parts: parsed.attachments.flatMap(partOf) };
}

function partOf({ name, mime, contentId: content_id, content }: MimeAttachment): DraftPart[] {
  return content ? [{ name, mime, content_id, content }] : [];
}

function ownSender(from: Address, account: Account): string | null {
  const own = ownAddresses(account).find((email) => sameAddress(email, from.email));
  if (!own || (own === account.email && from.name === "")) return null;
  return written({ name: from.name, email: own });
}

function recipientsOf(addresses: readonly Address[]): string[] {
  return addresses.map(written).filter((text) => text !== null);
}

/** Returns `Name <a@b>`, or only the address if the name cannot be kept; null for an invalid address. */
function written({ name, email }: Address): string | null {
  const plain = name.replace(/[\s\p{Cc}]+/gu, " ").trim();
  const named = /^[\p{L}\p{N} ._'-]+$/u.test(plain) ? plain : `"${plain.replace(/["\\]/g, "\\$&")}"`;
  return [...(plain === "" ? [] : [`${named} <${email}>`]), email].find((text) => parseRecipient(text)) ?? null;
}

/** Returns the body in the form stored here: HTML if the text is formatted, and plain text otherwise. */
function bodyOf({ text, html }: ParsedMessage): string {
  const plain = text.replace(/\n+$/, "");
  if (html !== null) {
    const clean = cleanOutgoingHtml(html).trim();
    const differsFromText = squeezed(clean) !== squeezed(textToHtml(plain));
    if (differsFromText && bodyKind(clean) === "html") return clean;
  }
  // Plain text that would be detected as HTML is converted to HTML.
  return bodyKind(plain) === "html" ? textToHtml(plain) : plain;
}

function squeezed(html: string): string {
  return cleanOutgoingHtml(html)
    .replace(/&nbsp;|\u00a0/g, " ")
    .replace(/\s+/g, "");
}

/** Returns whether two drafts have the same content, regardless of notation. */
export function sameDraft(a: DraftContent, b: DraftContent): boolean {
  return JSON.stringify(essence(a)) === JSON.stringify(essence(b));
}

function essence({ from, to, cc, bcc, subject, body }: DraftContent) {
  const emails = (list: readonly string[]) => list.map((text) => parseRecipient(text)?.email.toLowerCase());
  const { text, html } = bodyForms(body);
  const said = text.replace(/\s+/g, " ").trim();
  return [
    emails(from === null ? [] : [from]),
    emails(to),
    emails(cc),
    emails(bcc),
    subject.trim(),
    said,
    squeezed(html ?? ""),
  ];
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
