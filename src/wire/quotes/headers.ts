/** Finds blocks of header lines ("From: … Sent: … To: … Subject: …") above earlier mail, on several lines or on one. */
import { HEADER_NAMES, type HeaderKind } from "./words.ts";

const KINDS = new Map<string, HeaderKind>(
  (Object.keys(HEADER_NAMES) as HeaderKind[]).flatMap((kind) =>
    HEADER_NAMES[kind].split("|").map((name): [string, HeaderKind] => [name, kind]),
  ),
);
const HEADER_LINE = /^[*_\s]{0,4}([\p{L}][\p{L}\p{M} .\-']{0,24}?)[*_]{0,2}\s{0,3}[:：][*_]{0,2}(.*)$/u;
const MAX_BLOCK_LINES = 30;
const MAX_LINE = 4000;
/** Characters that may precede a name on a line, and marks between the name and its colon. */
const BEFORE_NAME = " >;,*_)]\"'|:：";
const MARKS_BEHIND_NAME = "*_ \t";
const MAX_MARKS_BEHIND_NAME = 5;
const MAX_NAME_WORDS = 4;
/** Laposte and Orange write the date without a colon. */
const MESSAGE_OF = /^(?:message du|message vom|messaggio del|mensaje del|mensagem de) \d/i;
const MIN_LABELS = 3;
const MAX_LABELS = 40;
const MAX_VALUE = 1000;
const ZONED_TIME = /\d:\d\d(?::\d\d)? ?(?:[+-]\d{4}|GMT|UTC)/;
/** The latest position that HEADER_LINE allows for the colon, and a little more. */
const MAX_NAME = 40;

interface Header {
  kind: HeaderKind;
  value: string;
}

/** Returns the headers of one line: none, one, or all of a block that lost its line ends. */
function headersOf(line: string): Header[] {
  if (line === "" || line.length > MAX_LINE) return [];
  if (MESSAGE_OF.test(line)) return [{ kind: "date", value: line }, ...labeled(line)];
  if (!hasEarlyColon(line)) return [];
  const match = HEADER_LINE.exec(line);
  if (!match) return [];
  const kind = KINDS.get(match[1]!.toLowerCase().replace(/\s+/g, " ").trim());
  if (!kind) return [];
  const all = kind === "subject" ? [] : labeled(line);
  return all.length > 1 ? all : [{ kind, value: match[2]!.trim() }];
}

interface Label extends Header {
  at: number;
}

/** Returns consecutive headers on a line, up to the subject. */
function labeled(line: string): Label[] {
  if (colons(line) < 2) return [];
  const found: Label[] = [];
  let valueAt = 0;
  for (const match of line.matchAll(/[:：]/g)) {
    const label = nameBefore(line, match.index);
    if (label === null) continue;
    const before = found[found.length - 1];
    if (before) before.value = line.slice(valueAt, label.at).trim();
    if (before && (before.kind === "subject" || found.length >= MAX_LABELS)) return found;
    found.push(label);
    valueAt = match.index + 1;
  }
  const last = found[found.length - 1];
  if (last) last.value = line.slice(valueAt).trim();
  return found;
}

/** Returns the header name that ends before the colon at `colon`: the longest of up to MAX_NAME_WORDS words. */
function nameBefore(line: string, colon: number): Label | null {
  const first = Math.max(0, colon - MAX_NAME);
  let end = colon;
  while (end > first && end > colon - MAX_MARKS_BEHIND_NAME && MARKS_BEHIND_NAME.includes(line[end - 1]!)) end -= 1;
  let from = end;
  let label: Label | null = null;
  for (let words = 0; words < MAX_NAME_WORDS && from > first; words += 1) {
    let at = from;
    while (at > first && !BEFORE_NAME.includes(line[at - 1]!)) at -= 1;
    const kind = KINDS.get(line.slice(at, end).toLowerCase());
    if (kind !== undefined) label = { kind, value: "", at };
    if (at === first || line[at - 1] !== " ") break;
    from = at - 1;
  }
  return label;
}

function colons(line: string): number {
  let n = 0;
  for (let at = line.search(/[:：]/); at >= 0 && n < MIN_LABELS; n += 1) {
    const ascii = line.indexOf(":", at + 1);
    const wide = line.indexOf("：", at + 1);
    at = ascii < 0 ? wide : wide < 0 ? ascii : Math.min(ascii, wide);
  }
  return n;
}

/** Returns where a whole header block begins on a line, possibly after other words; null when there is none. */
export function headerBlockIn(line: string): number | null {
  if (line.length > MAX_LINE || colons(line) < MIN_LABELS) return null;
  const labels = labeled(line);
  for (let i = 0; i + MIN_LABELS <= labels.length; i += 1) {
    if (labels[i]!.kind !== "from" && labels[i]!.kind !== "date") continue;
    const block = new Map<HeaderKind, string>();
    for (const { kind, value } of labels.slice(i)) {
      if (block.has(kind) && kind !== "other") break;
      if (value.length > MAX_VALUE) break;
      block.set(kind, value);
    }
    if (isWholeBlock(block)) return labels[i]!.at;
  }
  return null;
}

/** True for a sender, a date with digits, and a recipient or a subject: no one writes these on one line. */
function isWholeBlock(block: ReadonlyMap<HeaderKind, string>): boolean {
  if (!block.has("from") || !/\d/.test(block.get("date") ?? "")) return false;
  if (block.has("to") && block.has("subject")) return true;
  return (block.has("to") || block.has("subject")) && /@/.test(block.get("from")!);
}

/** A cheap test before HEADER_LINE, because this runs for every line. */
function hasEarlyColon(line: string): boolean {
  const name = line.length > MAX_NAME ? line.slice(0, MAX_NAME) : line;
  return name.includes(":") || name.includes("：");
}

export interface HeaderBlock {
  /** Index after its last line. */
  end: number;
  /** Recognized without a marker line before it. */
  certain: boolean;
}

/** The properties of a line that header blocks depend on. */
export interface HeaderSource {
  /** Trimmed, without quote marks; "" for a blank line. */
  readonly inner: string;
  /** Number of quote marks before it. */
  readonly depth: number;
}

/**
 * Returns a function that finds the header block starting at a line, or null. Values may be wrapped, and one blank line
 * may separate two headers. Each line is parsed once, regardless of how many blocks it could belong to. Parsing the
 * following lines again from each line would take seconds for a text made of header names.
 */
export function headerBlocks(lines: readonly HeaderSource[]): (start: number) => HeaderBlock | null {
  const known: (readonly Header[] | undefined)[] = [];
  const headersAt = (i: number): readonly Header[] => (known[i] ??= headersOf(lines[i]!.inner));
  let from = 0;
  let sender = 0;
  return (start) => {
    if (headersAt(start).length === 0) return null;
    if (start < from || sender < start) sender = start;
    from = start;
    const end = Math.min(start + MAX_BLOCK_LINES, lines.length);
    while (sender < end && !headersAt(sender).some(({ kind }) => kind === "from")) sender += 1;
    return sender < end ? blockAt(lines, headersAt, start) : null;
  };
}

function blockAt(
  lines: readonly HeaderSource[],
  headersAt: (i: number) => readonly Header[],
  start: number,
): HeaderBlock | null {
  const { depth } = lines[start]!;
  const values = new Map<HeaderKind, string>();
  let end = start;
  let loose = 0;
  let bold = true;
  for (let i = start; i < start + MAX_BLOCK_LINES && i < lines.length; i += 1) {
    const line = lines[i]!;
    if (line.depth !== depth && (line.depth > 0 || line.inner !== "")) break;
    const headers = headersAt(i);
    // The text below a block may itself begin with "To: …"; a block never repeats its sender.
    if (headers.some(({ kind }) => kind === "from" && values.has("from"))) break;
    for (const { kind, value } of headers) if (!values.has(kind)) values.set(kind, value);
    if (headers.length > 0) {
      bold &&= line.inner.startsWith("*");
      end = i + 1;
      loose = 0;
      continue;
    }
    loose += line.inner === "" ? 2 : 1;
    if (loose > 2) break;
  }
  return values.has("from") && values.size >= 2 ? judged(values, end - start, end, bold) : null;
}

const DATE_AND_TIME =
  /^(?:on )?\d{1,4}[./-]\d{1,2}[./-]\d{2,4},? \d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?: ?[ap]\.?m\.?)?(?: \p{Lu}{3,4})?$/iu;
const BARE_NAME = /^["'<]?[\p{L}\d][^\n:]{1,78}[^.!?:;,\s]$/u;
const MAX_NOTES_LINES = 14;

/**
 * Finds the block that Lotus Notes puts above earlier mail: the sender and the date on separate lines without header
 * names, then "To", "cc" and "Subject", with or without colons. @returns the index after it, or null
 */
export function notesBlockAt(lines: readonly HeaderSource[], start: number): number | null {
  const inner = (i: number): string => lines[i]?.inner ?? "";
  if (!BARE_NAME.test(inner(start))) return null;
  const moment = inner(start + 1) === "" ? start + 2 : start + 1;
  if (!DATE_AND_TIME.test(inner(moment))) return null;
  let to = false;
  for (let i = moment + 1; i < Math.min(moment + MAX_NOTES_LINES, lines.length); i += 1) {
    const name = /^([\p{L} .]{1,24}?)\s{0,3}(?::|$)/u.exec(inner(i))?.[1]?.toLowerCase();
    const kind = name === undefined ? undefined : KINDS.get(name);
    if (kind === "to") to = true;
    if (kind === "subject" && to) return inner(i).includes(":") ? i + 1 : i + 2;
  }
  return null;
}

/** Rates a block. `bold`: the program made every name bold, which no one does by hand. */
function judged(
  values: ReadonlyMap<HeaderKind, string>,
  lines: number,
  end: number,
  bold: boolean,
): HeaderBlock | null {
  const main = (["from", "date", "to", "subject"] as const).filter((kind) => values.has(kind)).length;
  if (main < 2) return null;
  if (lines === 1) return { end, certain: isWholeBlock(values) };
  const fromAddress = /@|mailto/i.test(values.get("from")!);
  // A contact form also sends "From, Date, Subject"; only quoted mail names its recipients.
  const addressed = values.has("to") || values.has("cc") || values.has("reply");
  const dated = values.has("date");
  const certain =
    main === 4 ||
    (main === 3 && addressed && dated && (fromAddress || bold || values.has("subject"))) ||
    (values.size === 2 && dated && fromAddress && ZONED_TIME.test(values.get("date")!));
  return { end, certain };
}
