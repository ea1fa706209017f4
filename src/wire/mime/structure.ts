/** Plans from IMAP's BODYSTRUCTURE which parts of a large message to download, and lists its attachments. */
import type { MessageStructureObject } from "imapflow";
import { decodeWords } from "./encoded-words.ts";
import { type PartNode, sortLeaves } from "./leaves.ts";
import { decodePart } from "./transfer.ts";
import { mimeOf } from "./tree.ts";
import type { MimeAttachment } from "./types.ts";

/** A text part to download with BODY.PEEK[part]. */
export interface PlannedText {
  part: string;
  mime: string;
  charset: string | null;
  encoding: string;
  /** Encoded size in bytes. */
  size: number;
  format?: string;
  delsp?: string;
  /** Parts of one group are alternatives of each other (multipart/alternative). */
  group: number;
  /** The fetched bytes are UTF-8 without transfer encoding: the part was decoded while it was downloaded. */
  decoded?: true;
}

/** An attachment as described by MIME, without its content. */
export interface PlannedAttachment extends Omit<MimeAttachment, "content" | "part"> {
  part: string;
  encoding: string;
  /** Encoded size in bytes. */
  encodedSize: number;
}

export interface PartPlan {
  text: PlannedText[];
  attachments: PlannedAttachment[];
  /** The message has more text parts, or deeper ones, than are planned. */
  cut?: boolean;
}

/** Deeper trees, sent by hostile servers, are cut here. */
const MAX_DEPTH = 50;
/**
 * More text parts than anyone writes, and the most that servers accept in one command: Dovecot refuses lines beyond 64
 * KiB, and a message that can never be fetched would block its whole folder.
 */
const MAX_TEXT_PARTS = 100;

interface PlanNode extends PartNode {
  size: number;
  /**
   * Lines of the encoded part; null when the server does not report them. It does for text and messages only (RFC 9051
   * §7.5.2).
   */
  lines: number | null;
  children: PlanNode[];
}

/**
 * Plans the download; has no side effects. The order and indexes of the attachments are those of `parseMessage` for the
 * whole source.
 */
export function planParts(structure: MessageStructureObject): PartPlan {
  const { texts, attachments } = sortLeaves(nodeOf(structure, false, 0));
  return {
    cut: texts.length > MAX_TEXT_PARTS || isTooDeep(structure),
    text: texts.slice(0, MAX_TEXT_PARTS).map(({ node, group }) => ({
      part: node.part ?? "1",
      mime: node.mime,
      charset: node.params.get("charset") ?? null,
      encoding: node.encoding,
      size: node.size,
      ...optional("format", node.params.get("format")),
      ...optional("delsp", node.params.get("delsp")),
      group,
    })),
    attachments: attachments.map(({ node, ...leaf }) => ({
      ...leaf,
      part: node.part ?? "1",
      mime: node.mime,
      size: decodedSize(node),
      encodedSize: node.size,
      sizeEstimated: true,
      encoding: node.encoding,
    })),
  };
}

function isTooDeep(structure: MessageStructureObject): boolean {
  let level = [structure];
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth++) level = level.flatMap(childrenOf);
  return level.some((entity) => childrenOf(entity).length > 0);
}

const childrenOf = (entity: MessageStructureObject): MessageStructureObject[] => entity.childNodes ?? [];

function optional<K extends string>(key: K, value: string | undefined): { [P in K]?: string } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]?: string });
}

function nodeOf(entity: MessageStructureObject, digest: boolean, depth: number): PlanNode {
  const params = decodedParams(entity.parameters);
  const mime = mimeOf(entity.type.toLowerCase().replace(/\s+/g, ""), digest);
  const inside = mime.startsWith("multipart/") && depth < MAX_DEPTH ? (entity.childNodes ?? []) : [];
  return {
    part: entity.part ?? null,
    // A multipart without parts is text, as in a source whose boundary is lost.
    mime: mime.startsWith("multipart/") && inside.length === 0 && depth < MAX_DEPTH ? "text/plain" : mime,
    params,
    disposition: (entity.disposition ?? "").toLowerCase(),
    fileName: decodedParams(entity.dispositionParameters).get("filename") || params.get("name") || "",
    contentId: entity.id ?? "",
    encoding: (entity.encoding ?? "").toLowerCase(),
    size: plausibleSize(entity.size),
    lines: plausibleSize(entity.lineCount) || null,
    children: inside.map((child) => nodeOf(child, mime === "multipart/digest", depth + 1)),
  };
}

/** imapflow decodes RFC 2231; encoded words in quoted strings remain. */
function decodedParams(params: { [key: string]: string } | undefined): Map<string, string> {
  const decoded = new Map<string, string>();
  for (const [name, value] of Object.entries(params ?? {})) decoded.set(name.toLowerCase(), decodeWords(String(value)));
  return decoded;
}

/** Returns 0 for an invalid size. RFC 9051 §7.5.2 allows 63-bit sizes and none below zero; some servers send others. */
function plausibleSize(size: number | undefined): number {
  return size !== undefined && size > 0 && Number.isSafeInteger(size) ? size : 0;
}

/** Estimates the decoded size: base64 carries 57 bytes in a line of 78, uuencode 45 in 63. */
function decodedSize({ size, lines, encoding }: PlanNode): number {
  if (encoding.includes("base64")) {
    const letters = lines === null || lines * 2 >= size ? (size < 78 ? size : (size * 76) / 78) : size - lines * 2;
    return Math.floor((letters * 3) / 4);
  }
  if (encoding.includes("uu")) return Math.round((size * 45) / 63);
  return size;
}

/** This many bytes of a part show how much of it is line ends and escapes. */
export const SAMPLE_BYTES = 2_048;

/**
 * Returns a better estimate of an attachment's size, from its first bytes as they are in the message. The size is exact
 * when there are fewer than SAMPLE_BYTES, because the sample is then the whole part.
 */
export function withSample(attachment: PlannedAttachment, beginning: Uint8Array): PlannedAttachment {
  const { encoding, encodedSize } = attachment;
  if (beginning.length < SAMPLE_BYTES) {
    const { sizeEstimated: _, ...exact } = attachment;
    return { ...exact, size: decodePart(beginning, encoding).length };
  }
  // Whole lines only: they have the same share of line ends as the rest.
  const sample = beginning.subarray(0, beginning.lastIndexOf(0x0a) + 1 || beginning.length);
  const size = Math.round((encodedSize * decodePart(sample, encoding).length) / sample.length);
  return { ...attachment, size };
}
