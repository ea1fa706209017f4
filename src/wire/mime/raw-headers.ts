/** Reads header fields from raw bytes (RFC 5322 §2.2), in the forms that senders really write. */
import { isUtf8 } from "node:buffer";
import { decodeText } from "../charset/charset.ts";

/** One field: its name in lower case, and the position of its value in the message's bytes, still folded. */
export interface RawField {
  name: string;
  source: Buffer;
  start: number;
  end: number;
}

export interface RawHeaders {
  fields: RawField[];
  /** Start of the body, after the blank line. */
  bodyStart: number;
}

/** Limits of fields per header and bytes per field; anything beyond is skipped, not refused. */
const MAX_FIELDS = 10_000;
const MAX_FIELD_BYTES = 1024 * 1024;
/** No field name is longer; also bounds the search for the colon. */
const MAX_NAME_BYTES = 200;

const LF = 0x0a;
const CR = 0x0d;
const COLON = 0x3a;
const SLASH = 0x2f;

/** Consecutive lines that may be no field before the header counts as ended, and how many bytes of them are read. */
const MAX_JUNK_LINES = 10;
const MAX_JUNK_BYTES = 16 * 1024;
/** Junk lines directly before the blank line: more lines than this are text whose blank line is missing. */
const MAX_JUNK_BEFORE_BODY = 3;
/** Names that only occur in headers: the usual ones, and any with a hyphen. */
const HEADER_NAME =
  /^(?:from|to|cc|bcc|subject|date|sender|received|references|comments|keywords|encrypted|organi[sz]ation|precedence|priority|importance|sensitivity|status|lines|newsgroups|path|approved|distribution|expires|[a-z][a-z\d]*(?:-[a-z\d]+)+)$/i;

/**
 * Reads the header that begins at `start`. `isDelimiter` detects a MIME boundary line, at which the header must end
 * even without a blank line. Some lines are not fields: the mbox "From " line, and stray text between fields or
 * directly before the blank line. They are skipped, together with the lines folded below them. An unindented parameter
 * (`name="x"`) continues the field above. Any other text is the start of the body. Runs in linear time.
 */
export function readHeaders(
  bytes: Buffer,
  start: number,
  end: number,
  isDelimiter?: (lineStart: number) => boolean,
): RawHeaders {
  const fields: RawField[] = [];
  let name = "";
  let valueStart = -1;
  let valueEnd = -1;
  /** The line above is not part of the header, so lines folded below it are skipped, too. */
  let skipping = false;
  const finish = () => {
    if (valueStart < 0) return;
    if (fields.length < MAX_FIELDS) {
      fields.push({ name, source: bytes, start: valueStart, end: Math.min(valueEnd, valueStart + MAX_FIELD_BYTES) });
    }
    valueStart = -1;
  };
  let at = start;
  while (at < end) {
    const next = lineAfter(bytes, at, end);
    const first = bytes[at]!;
    const textEnd = trimEnd(bytes, at, next);
    if (textEnd === at && first !== 0x20 && first !== 0x09) {
      finish();
      return { fields, bodyStart: next };
    }
    if (first === 0x2d && isDelimiter?.(at)) break;
    if (first === 0x20 || first === 0x09) {
      if (isBlankLine(bytes, at, textEnd) && endsHeader(bytes, next, end)) {
        finish();
        return { fields, bodyStart: next };
      }
      if (valueStart >= 0) valueEnd = textEnd;
      // The line continues a field or a skipped line.
      if (valueStart >= 0 || skipping) {
        at = next;
        continue;
      }
    }
    const colon = colonOf(bytes, at, textEnd);
    if (colon < 0) {
      if (valueStart >= 0 && isParameter(bytes, at, textEnd)) {
        valueEnd = textEnd;
      } else if (isStray(bytes, at, next, end, valueStart >= 0 || fields.length > 0, isDelimiter)) {
        finish();
        skipping = true;
      } else {
        break;
      }
      at = next;
      continue;
    }
    finish();
    skipping = false;
    name = bytes.toString("latin1", at, colon).trim().toLowerCase();
    valueStart = colon + 1;
    valueEnd = Math.max(textEnd, valueStart);
    at = next;
  }
  finish();
  return { fields, bodyStart: at };
}

function lineAfter(bytes: Buffer, at: number, end: number): number {
  const feed = bytes.indexOf(LF, at);
  return feed < 0 || feed >= end ? end : feed + 1;
}

/** Returns the end of a line's text, without its line end, which may be CR CR LF. */
function trimEnd(bytes: Buffer, start: number, next: number): number {
  let end = next;
  while (end > start && (bytes[end - 1] === LF || bytes[end - 1] === CR)) end--;
  return end;
}

/**
 * Returns the position of a field's colon, or -1 when the line is not a field. Blanks may precede the colon (RFC 5322
 * §4.5) and the name.
 */
function colonOf(bytes: Buffer, start: number, end: number): number {
  let at = start;
  while (at < end && isBlank(bytes[at]!)) at++;
  const name = at;
  const limit = Math.min(end, start + MAX_NAME_BYTES);
  while (at < limit && bytes[at]! > 0x20 && bytes[at]! < 0x7f && bytes[at] !== COLON) at++;
  if (at === name) return -1;
  while (at < limit && isBlank(bytes[at]!)) at++;
  if (bytes[at] !== COLON || at >= end) return -1;
  // "http://…" is text.
  return bytes[at + 1] === SLASH && bytes[at + 2] === SLASH ? -1 : at;
}

function isParameter(bytes: Buffer, start: number, end: number): boolean {
  return /^[\w*-]+="?[^=]/.test(bytes.toString("latin1", start, Math.min(end, start + MAX_NAME_BYTES)));
}

/** True for text between fields: an mbox envelope line, or lines that are followed by fields or the blank line. */
function isStray(
  bytes: Buffer,
  start: number,
  next: number,
  end: number,
  afterField: boolean,
  isDelimiter?: (lineStart: number) => boolean,
): boolean {
  // A boundary directly after the header, without the blank line.
  if (bytes[start] === 0x2d && bytes[start + 1] === 0x2d) return false;
  if (/^>?From /.test(bytes.toString("latin1", start, start + 6))) return true;
  const limit = Math.min(end, next + MAX_JUNK_BYTES);
  let at = next;
  for (let lines = 1; lines <= MAX_JUNK_LINES && at < limit; lines++) {
    // Folded lines belong to the line above them.
    while (at < limit && (bytes[at] === 0x20 || bytes[at] === 0x09)) at = lineAfter(bytes, at, end);
    if (at >= limit || (bytes[at] === 0x2d && isDelimiter?.(at))) return false;
    const after = lineAfter(bytes, at, end);
    const textEnd = trimEnd(bytes, at, after);
    // The header ends here. Without a field above them, or a body after them, the lines are the body.
    if (textEnd === at) return afterField && lines <= MAX_JUNK_BEFORE_BODY && hasContent(bytes, after, end);
    const colon = colonOf(bytes, at, textEnd);
    // After one line, any field is enough; after several, only one that cannot be a line of prose.
    if (colon >= 0 && (lines === 1 || isHeaderName(bytes, at, colon))) return true;
    at = after;
  }
  return false;
}

/** True when a line of only blanks ends the header: unless the next line is a field that cannot be a line of prose. */
function endsHeader(bytes: Buffer, next: number, end: number): boolean {
  if (next >= end || bytes[next] === 0x20 || bytes[next] === 0x09) return false;
  const textEnd = trimEnd(bytes, next, lineAfter(bytes, next, end));
  if (textEnd === next) return false;
  const colon = colonOf(bytes, next, textEnd);
  return colon < 0 ? !isParameter(bytes, next, textEnd) : !isHeaderName(bytes, next, colon);
}

function isHeaderName(bytes: Buffer, start: number, colon: number): boolean {
  return HEADER_NAME.test(bytes.toString("latin1", start, colon).trim());
}

function isBlankLine(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (!isBlank(bytes[at]!)) return false;
  return true;
}

function hasContent(bytes: Buffer, start: number, end: number): boolean {
  return !isBlankLine(bytes, start, Math.min(end, start + MAX_JUNK_BYTES));
}

/** Returns the value with each fold replaced by one space and outer blanks removed; encoded words are still encoded. */
export function fieldText(field: RawField, fallbackCharset?: string | null): string {
  const text = headerText(field, fallbackCharset);
  if (!text.includes("\n")) return trimBlanks(text);
  let unfolded = "";
  for (const folded of text.split("\n")) {
    const line = trimBlanks(folded);
    if (line !== "") unfolded += unfolded === "" ? line : ` ${line}`;
  }
  return unfolded;
}

/**
 * Returns the value byte for byte, without the line ends of folds and outer blanks. Invalid UTF-8 is read as Latin-1.
 */
export function exactFieldText(field: RawField): string {
  const raw = field.source.subarray(field.start, field.end);
  const text = isUtf8(raw) ? raw.toString("utf8") : raw.toString("latin1", 0, raw.length);
  return trimBlanks(text.replaceAll("\r", "").replaceAll("\n", ""));
}

/** ASCII without ESC, which begins the characters of another set (ISO 2022). */
const PLAIN = /^[\x00-\x1a\x1c-\x7f]*$/;

/** Decodes header bytes: ASCII, UTF-8 (RFC 6532), else the message's own charset, else a guess. */
function headerText({ source, start, end }: RawField, fallbackCharset?: string | null): string {
  const text = source.toString("latin1", start, end);
  return PLAIN.test(text) ? text : decodeText(source.subarray(start, end), null, false, fallbackCharset);
}

/** Trims blanks at both ends by index: a pattern would try every blank of a long run. */
function trimBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return end - start === text.length ? text : text.slice(start, end);
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === CR || code === LF;
}
