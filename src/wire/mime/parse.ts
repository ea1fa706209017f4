/** Parses the whole source of a message. */
import { type AttachmentLeaf, sortLeaves, type TextLeaf } from "./leaves.ts";
import { describeHeaders, type WantedHeader } from "./message-headers.ts";
import { joinText, type TextPart } from "./message-text.ts";
import { decodePart } from "./transfer.ts";
import { readTree, type SourcePart } from "./tree.ts";
import type { MimeAttachment, ParsedMessage } from "./types.ts";

/**
 * Parses RFC 5322 bytes. Never throws: unreadable parts are left out, and empty input gives an empty message. Runs in
 * time linear in the size; depth, parts, header fields and addresses are bounded. `html` is as sent, not sanitized.
 * `wanted` leaves out headers that the caller does not read.
 */
export async function parseMessage(raw: Uint8Array, wanted?: WantedHeader): Promise<ParsedMessage> {
  const root = readTree(raw);
  const { texts, attachments } = sortLeaves(root);
  const { text, html, cut } = joinText(texts.map((leaf) => textPart(leaf, raw)));
  return {
    ...describeHeaders(root.fields, charsetOf(root, texts), wanted),
    text,
    html,
    truncated: cut || root.cut === true,
    attachments: attachments.map((leaf) => withContent(leaf, raw)),
  };
}

/** Returns the attachment at `index` of the message, with its decoded bytes; null when there is no such attachment. */
export async function extractAttachment(raw: Uint8Array, index: number): Promise<MimeAttachment | null> {
  const leaf = sortLeaves(readTree(raw)).attachments[index];
  return leaf ? withContent(leaf, raw) : null;
}

/** Returns the decoded sizes of a message's attachments. Only one is held in memory at a time. */
export function attachmentSizes(raw: Uint8Array): { index: number; mime: string; size: number }[] {
  return sortLeaves(readTree(raw)).attachments.map(({ node, index }) => ({
    index,
    mime: node.mime,
    size: decodePart(raw.subarray(node.start, node.end), node.encoding).length,
  }));
}

/** 8-bit headers are mostly in the charset of the message's text. */
function charsetOf(root: SourcePart, texts: TextLeaf<SourcePart>[]): string | null {
  return root.params.get("charset") ?? texts[0]?.node.params.get("charset") ?? null;
}

function textPart({ node, group }: TextLeaf<SourcePart>, raw: Uint8Array): TextPart {
  return {
    mime: node.mime,
    charset: node.params.get("charset") ?? null,
    encoding: node.encoding,
    flowed: node.params.get("format")?.toLowerCase() === "flowed",
    delSp: node.params.get("delsp")?.toLowerCase() === "yes",
    group,
    bytes: raw.subarray(node.start, node.end),
    cut: false,
  };
}

function withContent({ node, ...leaf }: AttachmentLeaf<SourcePart>, raw: Uint8Array): MimeAttachment {
  const content = decodePart(raw.subarray(node.start, node.end), node.encoding);
  return { ...leaf, part: null, mime: node.mime, size: content.length, content };
}
