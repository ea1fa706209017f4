/** Parses a message of which only the header and some parts were downloaded. */
import { describeHeaders, type WantedHeader } from "./message-headers.ts";
import { joinText } from "./message-text.ts";
import { readHeaders } from "./raw-headers.ts";
import type { PartPlan } from "./structure.ts";
import { decodePart } from "./transfer.ts";
import type { MimeAttachment, ParsedMessage } from "./types.ts";

/**
 * Parses the header and the fetched parts, which are still in their transfer encoding and keyed by part number. A text
 * part shorter than planned counts as cut off, unless it was decoded before; its text ends before the cut. Text parts
 * that were not fetched are missing from the text. Attachments are always listed, with content when they were fetched
 * whole. Never throws.
 */
export async function parseFromParts(
  header: Uint8Array,
  plan: PartPlan,
  fetched: Map<string, Uint8Array>,
  wanted?: WantedHeader,
): Promise<ParsedMessage> {
  const bytes = Buffer.from(header.buffer, header.byteOffset, header.byteLength);
  const { fields } = readHeaders(bytes, 0, bytes.length);
  const texts = plan.text.flatMap((text) => {
    const part = fetched.get(text.part);
    if (!part) return [];
    return {
      mime: text.mime,
      ...(text.decoded ? { charset: "utf-8", encoding: "" } : { charset: text.charset, encoding: text.encoding }),
      flowed: text.format?.toLowerCase() === "flowed",
      delSp: text.delsp?.toLowerCase() === "yes",
      group: text.group,
      bytes: part,
      cut: !text.decoded && part.length < text.size,
    };
  });
  const { text, html, cut } = joinText(texts);
  return {
    ...describeHeaders(fields, plan.text[0]?.charset ?? null, wanted),
    text,
    html,
    truncated: cut || plan.cut || texts.length < plan.text.length,
    attachments: plan.attachments.map(({ encoding, encodedSize: _, ...attachment }): MimeAttachment => {
      const part = fetched.get(attachment.part);
      if (!part) return attachment;
      const { sizeEstimated: _estimated, ...exact } = attachment;
      const content = decodePart(part, encoding);
      return { ...exact, size: content.length, content };
    }),
  };
}
