/** Reads the MIME tree of a message (RFC 2045, RFC 2046) as byte ranges of its source. */

import type { PartNode } from "./leaves.ts";
import { parseStructured, type StructuredValue } from "./params.ts";
import { fieldText, type RawField, readHeaders } from "./raw-headers.ts";

/** One entity of the source. */
export interface SourcePart extends PartNode {
  fields: RawField[];
  /** Byte range of the body, without the line end that belongs to the boundary after it (RFC 2046 §5.1.1). */
  start: number;
  end: number;
  children: SourcePart[];
  /** Set on the root when there are more parts, or deeper ones, than are read. */
  cut?: boolean;
}

/** Deeper multiparts are leaves; real mail stays below ten levels. */
const MAX_DEPTH = 50;
/** Further parts become text of the last one. */
const MAX_PARTS = 10_000;
/** Bytes of a boundary line that count; RFC 2046 allows 70, and a line may have 998. */
const MAX_BOUNDARY = 996;
/** Multiparts whose real boundary is searched for because the declared one never appears. */
const MAX_SALVAGED = 5;

/**
 * Returns the part tree of the message. Makes one pass over the source regardless of nesting, without copying it. Never
 * throws.
 */
export function readTree(source: Uint8Array): SourcePart {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  return new TreeReader(bytes).read();
}

interface OpenMultipart {
  part: SourcePart;
  boundary: string;
}

class TreeReader {
  #bytes: Buffer;
  #parts = 0;
  #salvaged = 0;
  #cut = false;
  /** The multiparts that enclose the reading position, outermost first, and their boundaries. */
  #open: OpenMultipart[] = [];
  #depthOf = new Map<string, number[]>();
  /** Number of open boundaries that begin with each byte, so that most lines that begin with dashes need no check. */
  #firstBytes = new Uint32Array(256);
  /** The leaf whose body is being read; null in a preamble or epilogue. */
  #leaf: SourcePart | null = null;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  read(): SourcePart {
    const root = this.#readEntity(skipBlankLines(this.#bytes), null, "");
    this.#readBody(root.start, this.#bytes.length);
    this.#salvage(root);
    if (this.#cut) root.cut = true;
    return root;
  }

  /** Reads an entity's header, and opens the entity when it is a multipart. */
  #readEntity(at: number, parent: SourcePart | null, number: string): SourcePart {
    this.#parts++;
    const { fields, bodyStart } = readHeaders(
      this.#bytes,
      at,
      this.#bytes.length,
      (line) => this.#match(line) !== null,
    );
    const part = entityOf(fields, bodyStart, this.#bytes.length, parent?.mime === "multipart/digest", number);
    parent?.children.push(part);
    const boundary = part.params.get("boundary") ?? "";
    this.#leaf = part;
    if (part.mime.startsWith("multipart/") && boundary !== "") {
      if (this.#open.length < MAX_DEPTH) this.#openMultipart(part, boundary);
      else this.#cut = true;
    }
    return part;
  }

  #openMultipart(part: SourcePart, boundary: string): void {
    const latin1 = Buffer.from(boundary).toString("latin1", 0, MAX_BOUNDARY).trimEnd();
    const depths = this.#depthOf.get(latin1) ?? [];
    depths.push(this.#open.length);
    this.#depthOf.set(latin1, depths);
    this.#firstBytes[latin1.charCodeAt(0)]!++;
    this.#open.push({ part, boundary: latin1 });
    this.#leaf = null;
  }

  #closeMultipart(end: number): void {
    const { part, boundary } = this.#open.pop()!;
    part.end = Math.max(end, part.start);
    const depths = this.#depthOf.get(boundary)!;
    depths.pop();
    this.#firstBytes[boundary.charCodeAt(0)]!--;
    if (depths.length === 0) this.#depthOf.delete(boundary);
  }

  /** Walks the boundary lines starting at `from`, opening and closing parts. */
  #readBody(from: number, end: number): void {
    let at = from;
    while (at < end && this.#open.length > 0 && this.#parts < MAX_PARTS) {
      const line = this.#nextDashes(at, end);
      if (line < 0) break;
      const found = this.#match(line);
      const next = this.#bytes.indexOf(0x0a, line);
      at = next < 0 ? end : next + 1;
      if (!found) continue;
      this.#endLeaf(line);
      while (this.#open.length > found.depth + 1) this.#closeMultipart(this.#endBefore(line));
      const { part } = this.#open[found.depth]!;
      if (found.closes) {
        // Closed before its first part, it is text, without the boundary line.
        this.#closeMultipart(part.children.length === 0 ? this.#endBefore(line) : Math.min(at, end));
      } else {
        const number = `${part.part ? `${part.part}.` : ""}${part.children.length + 1}`;
        at = this.#readEntity(Math.min(at, end), part, number).start;
      }
    }
    if (this.#parts >= MAX_PARTS && at < end) this.#cut = true;
    if (this.#leaf) this.#leaf.end = Math.max(this.#leaf.start, this.#endOfCut(this.#leaf.start, end));
    this.#leaf = null;
    while (this.#open.length > 0) this.#closeMultipart(end);
  }

  /** Returns the end of a body that is cut off in the middle of a boundary line: the start of that line. */
  #endOfCut(start: number, end: number): number {
    const line = this.#bytes.lastIndexOf("\n--", end - 1, "latin1") + 1;
    if (line <= start || end - line > MAX_BOUNDARY) return end;
    const text = this.#bytes.toString("latin1", line + 2, end).trimEnd();
    const isPart = ({ boundary }: OpenMultipart) =>
      text.length >= Math.min(4, boundary.length / 2) && boundary.startsWith(text);
    return !text.includes("\n") && text !== "" && this.#open.some(isPart) ? this.#endBefore(line) : end;
  }

  #endLeaf(line: number): void {
    if (this.#leaf) this.#leaf.end = Math.max(this.#endBefore(line), this.#leaf.start);
    this.#leaf = null;
  }

  /**
   * Returns the end of a body before the boundary line at `line`: the one line end before it belongs to the boundary.
   */
  #endBefore(line: number): number {
    if (line === 0 || this.#bytes[line - 1] !== 0x0a) return line;
    return line > 1 && this.#bytes[line - 2] === 0x0d ? line - 2 : line - 1;
  }

  /** Returns the start of the next line that begins with "--", searching from `at`, or -1. */
  #nextDashes(at: number, end: number): number {
    if (this.#bytes[at] === 0x2d && this.#bytes[at + 1] === 0x2d && (at === 0 || this.#bytes[at - 1] === 0x0a))
      return at;
    const found = this.#bytes.indexOf("\n--", Math.max(0, at - 1), "latin1");
    return found < 0 || found >= end ? -1 : found + 1;
  }

  /** Returns the open multipart that the line at `line` delimits; of equal boundaries, the innermost. */
  #match(line: number): { depth: number; closes: boolean } | null {
    if (this.#bytes[line + 1] !== 0x2d || this.#firstBytes[this.#bytes[line + 2] ?? 0] === 0) return null;
    const feed = this.#bytes.indexOf(0x0a, line + 2);
    const longest = line + 2 + MAX_BOUNDARY + 100;
    const text = this.#bytes.toString("latin1", line + 2, feed < 0 ? longest : Math.min(feed, longest)).trimEnd();
    const opens = this.#depthOf.get(text);
    if (opens) return { depth: opens.at(-1)!, closes: false };
    // A damaged closing line may have only one dash left.
    const closes = text.endsWith("-") ? this.#depthOf.get(text.replace(/\s*--?$/, "")) : undefined;
    return closes ? { depth: closes.at(-1)!, closes: true } : null;
  }

  /**
   * Repairs a multipart without parts, whose boundary was lost. When its body shows another boundary that opens it,
   * that one is used. So is a line that only begins with the declared boundary (RFC 2046 §5.1.1 allows it). Otherwise
   * the body becomes text, so that nothing that the sender wrote disappears.
   */
  #salvage(part: SourcePart): void {
    for (const child of part.children) this.#salvage(child);
    if (part.part === null && this.#lostItsType(part)) part.mime = "multipart/mixed";
    if (!part.mime.startsWith("multipart/") || part.children.length > 0) return;
    const boundary = this.#salvaged++ < MAX_SALVAGED ? this.#shownBoundary(part) : null;
    if (boundary !== null) {
      const end = part.end;
      this.#openMultipart(part, boundary);
      this.#readBody(part.start, end);
      for (const child of part.children) this.#salvage(child);
    }
    if (part.children.length === 0) {
      const head = this.#bytes.toString("latin1", part.start, Math.min(part.end, part.start + 500));
      part.mime = /^\s*<(?:!doctype html|html|body)/i.test(head) ? "text/html" : "text/plain";
    }
  }

  /** True for a message without Content-Type whose body begins like a multipart. */
  #lostItsType({ fields, children, start, end }: SourcePart): boolean {
    if (children.length > 0 || fields.some(({ name }) => name === "content-type")) return false;
    const head = this.#bytes.toString("latin1", start, Math.min(end, start + 1_000));
    return /^\s*--\S{6,200}[ \t]*\r?\ncontent-(?:type|transfer-encoding|disposition)[ \t]*:/i.test(head);
  }

  #lineAfter(at: number): string {
    const feed = this.#bytes.indexOf(0x0a, at);
    return feed < 0 ? "" : this.#bytes.toString("latin1", feed + 1, feed + 60);
  }

  #shownBoundary(part: SourcePart): string | null {
    const head = this.#bytes.toString("latin1", part.start, Math.min(part.end, part.start + 4096));
    const shown = /^--(\S[^\r\n]{0,200})\r?$/m.exec(head)?.[1]?.trimEnd();
    if (!shown || shown.startsWith("-")) return null;
    const declared = part.params.get("boundary") ?? "";
    if (declared !== "" && shown.startsWith(declared) && shown !== `${declared}--`) return shown;
    const first = part.start + head.indexOf(`--${shown}`);
    // A boundary that occurs only once counts when a part's header follows it.
    if (/^content-[a-z-]{2,40}[ \t]*:/i.test(this.#lineAfter(first))) return shown;
    const again = this.#bytes.indexOf(`\n--${shown}`, first + 1, "latin1");
    return again > 0 && again < part.end ? shown : null;
  }
}

/** Skips blank lines before the header, which do not end it. */
function skipBlankLines(bytes: Buffer): number {
  let at = 0;
  while (bytes[at] === 0x0a || bytes[at] === 0x0d) at++;
  return at;
}

const NO_VALUE: StructuredValue = { value: "", params: new Map() };

function entityOf(fields: RawField[], start: number, end: number, digest: boolean, number: string): SourcePart {
  const first = (name: string) => fields.find((field) => field.name === name);
  const structured = (name: string) => {
    const field = first(name);
    return field ? parseStructured(fieldText(field)) : NO_VALUE;
  };
  const type = structured("content-type");
  const disposition = structured("content-disposition");
  const encoding = first("content-transfer-encoding");
  const id = first("content-id");
  return {
    fields,
    start,
    end,
    children: [],
    part: number === "" ? null : number,
    mime: mimeOf(type.value, digest),
    params: type.params,
    disposition: disposition.value,
    fileName: disposition.params.get("filename") || type.params.get("name") || "",
    contentId: id ? fieldText(id) : "",
    encoding: encoding ? fieldText(encoding).toLowerCase() : "",
  };
}

/**
 * Returns the media type. RFC 2045 §5.2: a missing or unreadable type means plain text; RFC 2046 §5.1.5: in a digest, a
 * message.
 */
export function mimeOf(value: string, digest: boolean): string {
  if (/^[^/\s]+\/[^/\s]+$/.test(value)) return value;
  if (value === "multipart" || value === "multipart/") return "multipart/mixed";
  return digest && value === "" ? "message/rfc822" : "text/plain";
}
