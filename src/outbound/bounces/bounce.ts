/** Recognizes delivery status notifications (RFC 3464) and the formats that servers used before it. */
import { parseIds } from "../../wire/mime/ids.ts";
import type { MimeAttachment, ParsedMessage } from "../../wire/mime/types.ts";
import type { BounceRecipient } from "./recipient.ts";
import { headersOf, readStatusReport } from "./report.ts";
import { originalInText, readBounceText } from "./text.ts";

export interface Bounce {
  /** With angle brackets; null when the notification does not say which message it is about. */
  originalMessageId: string | null;
  /** At least one, without duplicates. */
  recipients: BounceRecipient[];
}

export type BounceSource = Pick<ParsedMessage, "headers" | "from" | "subject" | "text" | "attachments">;

const MAX_RECIPIENTS = 1000;
const MAX_REPORTS = 20;
const DAEMON =
  /^(?:(?:auto-?)?mailer-?daemon|mail-?daemon|mdaemon|postmaster|post-?office|mmdf|bounces?|delivery|(?:mail-)?delivery-(?:sub)?system)(?:[+-][^@]*)?(?:@|$)/i;
const DAEMON_NAME =
  /mailer.?daemon|mail delivery (?:sub)?system|mail administrator|internet mail delivery|^postmaster$|system administrator/i;

/**
 * Returns what a notification reports, or null for everything else: ordinary mail, out-of-office replies, read
 * receipts, and forwarded bounces. Anyone can write such a mail, so it counts only if the user has a send with that
 * Message-ID to that recipient. Never throws; linear time.
 */
export function readBounce(parsed: BounceSource): Bounce | null {
  const type = header(parsed, "content-type");
  if (/report-type\s*=\s*"?(?:disposition-notification|feedback-report)/i.test(type)) return null;
  const daemon = isDaemon(parsed);
  const reports = parsed.attachments.filter(({ mime }) => /^message\/(?:global-)?delivery-status$/.test(mime));
  let original = originalId(parsed.attachments);
  if (daemon || /^multipart\/report\b/i.test(type)) {
    // Some servers put text for people into a second part of this type.
    const found = reports.slice(0, MAX_REPORTS).map(({ content }) => readStatusReport(content ?? new Uint8Array()));
    original ??= found.find(({ originalMessageId }) => originalMessageId)?.originalMessageId ?? null;
    const recipients = found.flatMap((one) => one.recipients);
    if (recipients.length > 0) return bounce(parsed, original, recipients);
  }
  if (!daemon || header(parsed, "list-id") !== "") return null;
  const failed = header(parsed, "x-failed-recipients")
    .split(/[\s,]+/)
    .filter((address) => address.includes("@"));
  const reported = readBounceText(parsed.text, parsed.subject, failed);
  if (reported.length === 0) return null;
  return bounce(parsed, original ?? originalInText(parsed.text), reported);
}

function bounce(parsed: BounceSource, original: string | null, recipients: BounceRecipient[]): Bounce {
  const unique = new Map<string, BounceRecipient>();
  for (const recipient of recipients.slice(0, MAX_RECIPIENTS)) {
    const key = recipient.address.toLowerCase();
    // A failure of the same recipient outweighs a delay.
    if (unique.get(key)?.action !== "failed") unique.set(key, recipient);
  }
  const answered = parseIds(header(parsed, "in-reply-to"))[0] ?? parseIds(header(parsed, "references")).at(-1) ?? null;
  return { originalMessageId: original ?? answered, recipients: [...unique.values()] };
}

function isDaemon(parsed: BounceSource): boolean {
  const { name, email } = parsed.from;
  return (
    DAEMON.test(email) || (DAEMON_NAME.test(name) && (email === "" || header(parsed, "return-path").trim() === "<>"))
  );
}

/** Returns the Message-ID of the returned message, of which the report may enclose only the header. */
function originalId(attachments: readonly MimeAttachment[]): string | null {
  for (const { mime, content } of attachments) {
    if (
      !content ||
      !/^(?:message\/rfc822|message\/global|text\/rfc822-headers|message\/rfc822-headers|message\/global-headers)$/.test(
        mime,
      )
    ) {
      continue;
    }
    const id = parseIds(headersOf(content).get("message-id") ?? "")[0];
    if (id) return id;
  }
  return null;
}

function header(parsed: BounceSource, name: string): string {
  return parsed.headers.get(name)?.join(" ") ?? "";
}
