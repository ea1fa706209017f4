import type { Clock } from "../../kernel/clock.ts";
import type { AttachmentFile, MessageHtml } from "../../mailbox/queries/messages.ts";
import type { AttachmentRef, ContentSource } from "../../mailbox/store/content-source.ts";
import { errorFields, type Log } from "../../platform/log.ts";
import type { ImageMode, RenderedBody } from "../../wire/html/sanitize.ts";

/** A page waits no longer than this for its inline images. */
const INLINE_WAIT_MS = 8_000;
/** Larger images, and those that would exceed the total, are left out. */
const MAX_INLINE_BYTES = 10 * 1024 * 1024;
const MAX_INLINE_TOTAL_BYTES = 25 * 1024 * 1024;
const MAX_INLINE_PARTS = 50;

interface InlinePart {
  mime: string;
  content: Uint8Array;
}

export interface BodyParts {
  content: ContentSource;
  clock: Clock;
  log: Log;
}

/** Returns the sanitized HTML page of one message. Leaves out inline images that do not arrive in time. */
export async function bodyPage(parts: BodyParts, message: MessageHtml, images: ImageMode): Promise<RenderedBody> {
  const { html, text, fromEmail, truncated } = message;
  const inline = html === null ? new Map<string, InlinePart>() : await inlineParts(parts, html, message.attachments);
  const { renderPage } = await import("../../wire/html/sanitize.ts");
  const senderDomain = fromEmail.split("@").at(1)?.toLowerCase() ?? null;
  return renderPage({ html, text, images, senderDomain, inline: (id) => inline.get(id) ?? null, truncated });
}

/** Returns the parts that the HTML shows by `cid:` (RFC 2392), by Content-ID. */
async function inlineParts(
  parts: BodyParts,
  html: string,
  attachments: AttachmentFile[],
): Promise<Map<string, InlinePart>> {
  const found = new Map<string, InlinePart>();
  const wanted = chooseParts(html, attachments);
  if (wanted.length === 0) return found;
  let late = false;
  const fetches = wanted.map(async ({ content_id, mime, ref }) => {
    const content = await readWhole(parts.content, ref).catch((error: unknown) => {
      parts.log.warn("an inline image is missing from a body page", {
        message: ref.message_id,
        attachment: ref.attachment_id,
        ...errorFields(error),
      });
      return null;
    });
    if (content !== null && !late) found.set(content_id, { mime, content });
  });
  const { promise: tooLate, resolve } = Promise.withResolvers<void>();
  const cancelTimer = parts.clock.after(INLINE_WAIT_MS, resolve);
  await Promise.race([Promise.all(fetches), tooLate]);
  cancelTimer();
  late = true;
  return found;
}

function chooseParts(html: string, attachments: AttachmentFile[]): (AttachmentFile & { content_id: string })[] {
  if (!/cid:/i.test(html)) return [];
  const chosen: (AttachmentFile & { content_id: string })[] = [];
  let total = 0;
  for (const part of attachments) {
    const { content_id, mime, ref } = part;
    if (!content_id || !mime.startsWith("image/") || chosen.length === MAX_INLINE_PARTS) continue;
    if (!html.includes(content_id) && !html.includes(encodeURIComponent(content_id))) continue;
    if (ref.size > MAX_INLINE_BYTES || total + ref.size > MAX_INLINE_TOTAL_BYTES) continue;
    total += ref.size;
    chosen.push({ ...part, content_id });
  }
  return chosen;
}

async function readWhole(source: ContentSource, ref: AttachmentRef): Promise<Uint8Array | null> {
  const content = await source.attachment(ref);
  // The recorded size is an estimate; the exact one is known only after the download.
  if (content.size > MAX_INLINE_BYTES) return null;
  return new Uint8Array(await new Response(content.read()).arrayBuffer());
}
