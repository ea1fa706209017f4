/** From IMAP's BODYSTRUCTURE: which parts of a big message to download, and what its attachments are. */
import type { MessageStructureObject } from "imapflow";
import { type PartNode, sortLeaves } from "./leaves.ts";
import { mimeOf } from "./tree.ts";
import type { MimeAttachment } from "./types.ts";
import { decodeWords } from "./words.ts";

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
}

/** An attachment as MIME describes it, without its content. */
export interface PlannedAttachment extends Omit<MimeAttachment, "content" | "part"> {
  part: string;
  encoding: string;
}

export interface PartPlan {
  text: PlannedText[];
  attachments: PlannedAttachment[];
}

/** Deeper trees, from a hostile server, end here. */
const MAX_DEPTH = 50;
/**
 * More text parts than anybody writes, and than a server takes in one command: Dovecot refuses lines beyond 64 KiB, and a
 * message that can never be fetched would hold up its whole folder.
 */
const MOST_TEXT_PARTS = 100;

interface PlanNode extends PartNode {
  size: number;
  children: PlanNode[];
}

/** Pure. Order and index of the attachments are those that `parseMessage` gives for the whole source. */
export function planParts(structure: MessageStructureObject): PartPlan {
  const { texts, attachments } = sortLeaves(nodeOf(structure, false, 0));
  return {
    text: texts.slice(0, MOST_TEXT_PARTS).map(({ node, group }) => ({
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
      size: decodedSize(node.size, node.encoding),
      encoding: node.encoding,
    })),
  };
}

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
    children: inside.map((child) => nodeOf(child, mime === "multipart/digest", depth + 1)),
  };
}

/** imapflow undoes RFC 2231; encoded words in quoted strings are still there. */
function decodedParams(params: { [key: string]: string } | undefined): Map<string, string> {
  const decoded = new Map<string, string>();
  for (const [name, value] of Object.entries(params ?? {})) decoded.set(name.toLowerCase(), decodeWords(String(value)));
  return decoded;
}

/** RFC 9051 §7.5.2 knows sizes of 63 bits and none below zero; servers write other things. */
function plausibleSize(size: number | undefined): number {
  return size !== undefined && size > 0 && Number.isSafeInteger(size) ? size : 0;
}

/** An estimate: base64 carries 57 bytes in a line of 78, uuencode 45 in 63. */
function decodedSize(size: number, encoding: string): number {
  if (encoding.includes("base64")) return size < 78 ? Math.floor((size * 3) / 4) : Math.round((size * 57) / 78);
  if (encoding.includes("uu")) return Math.round((size * 45) / 63);
  return size;
}
