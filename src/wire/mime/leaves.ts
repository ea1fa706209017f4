/**
 * Decides which leaves of a MIME tree are the message's text and which are attachments, by the same rule for a whole
 * source and for a part plan.
 */
import { extensionOf } from "./extensions.ts";

/** The properties of an entity that the rule needs, from the source or from IMAP's BODYSTRUCTURE. */
export interface PartNode {
  /** IMAP part number; null for a root without one. */
  part: string | null;
  /** Lower case, "text/plain" when the message gives none. */
  mime: string;
  /** Content-Type parameters by name in lower case, decoded. */
  params: Map<string, string>;
  /** Lower case, "" when absent. */
  disposition: string;
  /** Decoded, "" when absent. */
  fileName: string;
  contentId: string;
  /** Content-Transfer-Encoding in lower case, "" when absent. */
  encoding: string;
  children: PartNode[];
}

/** A text leaf. Leaves of one `group` are alternatives (multipart/alternative); groups follow each other. */
export interface TextLeaf<P> {
  node: P;
  group: number;
}

export interface AttachmentLeaf<P> {
  node: P;
  index: number;
  name: string;
  contentId: string | null;
  disposition: "attachment" | "inline";
}

export interface Leaves<P> {
  texts: TextLeaf<P>[];
  attachments: AttachmentLeaf<P>[];
}

/**
 * Sorts the leaves, in tree order. text/plain and text/html are text, unless they are marked as attachment, or follow
 * the first part with a file name or inside multipart/related (RFC 8621 §4.1.4). All other leaves are attachments,
 * including nested messages, delivery statuses and invitations.
 */
export function sortLeaves<P extends PartNode>(root: P): Leaves<P> {
  const leaves: Leaves<P> = { texts: [], attachments: [] };
  let groups = 0;
  const visit = (node: P, parent: P | null, position: number, group: number | null) => {
    if (node.mime.startsWith("multipart/") && node.children.length > 0) {
      const inner = group ?? (node.mime === "multipart/alternative" ? groups++ : null);
      node.children.forEach((child, index) => {
        visit(child as P, node, index, inner);
      });
    } else if (isText(node, parent, position)) {
      leaves.texts.push({ node, group: group ?? groups++ });
    } else {
      leaves.attachments.push(attachmentOf(node, parent, leaves.attachments.length));
    }
  };
  visit(root, null, 0, null);
  return leaves;
}

function isText(node: PartNode, parent: PartNode | null, position: number): boolean {
  if (node.mime !== "text/plain" && node.mime !== "text/html") return false;
  if (node.disposition === "attachment") return false;
  if (position === 0 || parent?.mime === "multipart/alternative") return true;
  return parent?.mime !== "multipart/related" && node.fileName === "";
}

function attachmentOf<P extends PartNode>(node: P, parent: PartNode | null, index: number): AttachmentLeaf<P> {
  const contentId = node.contentId.trim().replace(/^<|>$/g, "").trim() || null;
  const embedded = node.disposition === "" && contentId !== null && parent?.mime === "multipart/related";
  return {
    node,
    index,
    name: cleanName(node.fileName) || `attachment-${index + 1}.${extensionOf(node.mime)}`,
    contentId,
    disposition: node.disposition === "inline" || embedded ? "inline" : "attachment",
  };
}

/** Returns the name on one line without control characters, since names appear in headers and lists. */
function cleanName(name: string): string {
  return name
    .slice(0, 1000)
    .replace(/[\u0000-\u001f\u007f]+/g, " ")
    .trim();
}
