/** Blocks of header lines ("From: … Sent: … To: … Subject: …") above earlier mail, and the marker lines before them. */
import { beginsLike, threeLetters } from "./quotes-letters.ts";
import {
  BEGIN_FORWARDED,
  FORWARDED_BY,
  FORWARDED_MESSAGE,
  HEADER_NAMES,
  type HeaderKind,
  ORIGINAL_MESSAGE,
} from "./quotes-words.ts";

const KINDS = new Map<string, HeaderKind>(
  (Object.keys(HEADER_NAMES) as HeaderKind[]).flatMap((kind) =>
    HEADER_NAMES[kind].split("|").map((name): [string, HeaderKind] => [name, kind]),
  ),
);
const HEADER_LINE = /^[*_\s]{0,4}([\p{L}][\p{L}\p{M} .\-']{0,24}?)[*_]{0,2}\s{0,3}[:：][*_]{0,2}(.*)$/u;
const MAX_BLOCK_LINES = 30;
const MAX_LINE = 4000;
/** Where HEADER_LINE allows the colon at the latest, and a little more. */
const MAX_NAME = 40;

/** The marks at the beginning of a line, and what they have to be in front of a marker's words. */
const MARKS = /^[\s*_=~>|#—–-]*/;
const MARK = /^[\s*_=~>|#-]*(?:[-_=~—–*]{2,}|\*)[\s*]*$/;
const ORIGINAL = new RegExp(`^(?:${ORIGINAL_MESSAGE})[\\s*:：]*(?:[-_=~—–*]{2,}[\\s*]*)$`, "iu");
const FORWARD = new RegExp(`^(?:${FORWARDED_MESSAGE})[\\s*:：]*(?:[-_=~—–*]{2,}[\\s*]*)?$`, "iu");
const FORWARD_BY = new RegExp(`^(?:${FORWARDED_BY})(?![\\p{L}])`, "iu");
const BEGIN_FORWARD = new RegExp(`^[*_\\s]*(?:${BEGIN_FORWARDED})\\s*[:：]?[*_\\s]*$`, "iu");
const MAX_MARKER = 160;
/** What every drawn marker has: marks at its beginning and a letter. Cheap, where the patterns above are not. */
const DRAWN = /^\s*[-*_=~>|#—–]/;
const LETTER = /\p{L}/u;
const BEGINS_FORWARD = threeLetters(BEGIN_FORWARDED.split("|"));

/** What a marker line announces; null for any other line. */
export function markerOf(line: string): "original" | "forward" | null {
  if (line.length < 3 || line.length > MAX_MARKER) return null;
  if (!DRAWN.test(line)) return beginsLike(line, 0, BEGINS_FORWARD) && BEGIN_FORWARD.test(line) ? "forward" : null;
  if (!LETTER.test(line)) return null;
  if (BEGIN_FORWARD.test(line)) return "forward";
  const marks = MARKS.exec(line)![0];
  if (!MARK.test(marks)) return null;
  const words = line.slice(marks.length);
  if (FORWARD.test(words) || FORWARD_BY.test(words)) return "forward";
  return ORIGINAL.test(words) ? "original" : null;
}

function headerAt(line: string): { kind: HeaderKind; value: string } | null {
  if (line === "" || line.length > MAX_LINE || !hasEarlyColon(line)) return null;
  const match = HEADER_LINE.exec(line);
  if (!match) return null;
  const kind = KINDS.get(match[1]!.toLowerCase().replace(/\s+/g, " ").trim());
  return kind ? { kind, value: match[2]!.trim() } : null;
}

/** Cheap, where HEADER_LINE is not, and this is asked of every line. */
function hasEarlyColon(line: string): boolean {
  const name = line.length > MAX_NAME ? line.slice(0, MAX_NAME) : line;
  return name.includes(":") || name.includes("：");
}

export interface HeaderBlock {
  /** Index after its last line. */
  end: number;
  /** Sure without a marker line before it. */
  certain: boolean;
}

/**
 * The header block that starts at line `start`, or null. `lineAt` gives trimmed lines without quote marks, "" for
 * blank, undefined past the end. Values may be wrapped; one blank line may stand between two headers.
 */
export function headerBlockAt(lineAt: (index: number) => string | undefined, start: number): HeaderBlock | null {
  if (!headerAt(lineAt(start) ?? "")) return null;
  const kinds = new Set<HeaderKind>();
  let fromAddress = false;
  let end = start;
  let loose = 0;
  for (let i = start; i < start + MAX_BLOCK_LINES; i += 1) {
    const line = lineAt(i);
    if (line === undefined) break;
    const header = headerAt(line);
    if (header) {
      // The text below a block may itself begin "To: …"; a block never repeats its sender.
      if (header.kind === "from" && kinds.has("from")) break;
      kinds.add(header.kind);
      if (header.kind === "from" && /@|mailto/i.test(header.value)) fromAddress = true;
      end = i + 1;
      loose = 0;
      continue;
    }
    loose += line === "" ? 2 : 1;
    if (loose > 2) break;
  }
  if (!kinds.has("from") || kinds.size < 2) return null;
  const main = ["from", "date", "to", "subject"].filter((kind) => kinds.has(kind as HeaderKind)).length;
  if (main < 2) return null;
  // A contact form also mails "From, Date, Subject"; only quoted mail says whom it was to.
  const addressed = kinds.has("to") || kinds.has("cc") || kinds.has("reply");
  const certain = main === 4 || (main === 3 && addressed && kinds.has("date") && (fromAddress || kinds.has("subject")));
  return { end, certain };
}
