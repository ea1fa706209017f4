/**
 * Splits lines on which something else begins after the writer's own words: "thanks On Wed, 4 Apr 2018, Ann wrote:".
 * Each part is treated as a line. Parts that are kept are joined again, so a wrong cut changes nothing.
 */

import { weekdays } from "../mime/weekdays.ts";
import {
  ADDRESS_AND_VERB,
  beginsAttribution,
  endOfAttribution,
  endsInVerb,
  STARTER,
  smallWords,
  strengthOf,
} from "./attribution.ts";
import { headerBlockIn } from "./headers.ts";
import { type SourceLine, visible } from "./lines.ts";
import { markersIn } from "./markers.ts";
import { STARTERS } from "./words.ts";

/** Maximum distance of an attribution from the end of a line, or from " > ". */
const WINDOW = 420;
/** Dates that are checked on one line, starting with the last. */
const MAX_DATES = 3;
/** Number of lines onto which an attribution may be wrapped after its first line. */
const MAX_WRAPPED = 3;
const MAX_PARTS = 8;
const MAX_TEXT_ON_LINE = 4_000;
/** Lines of one text that are searched for an attribution. No one writes more, and the search is expensive. */
const MAX_SEARCHED_LINES = 3_000;

/** The beginning of a date: "4 Apr", "Apr 4", "04.04.2018", "2018-04-04", "2018年4", "2018. ápr". */
const DATE =
  /(?<![\d\p{L}:.,])(?:\d{4}(?:[-/.年](?!\s)|\. ?\p{L}{3,}|년)|\d{1,2}[-./] ?\d{1,2}[-./] ?\d{2,4}|\d{1,2}(?:st|nd|rd|th|\.|er|º)?,? (?:de )?\p{L}{3,}|\p{L}{3,}\.? \d{1,2}(?!\d|[:.]\d))/gu;
/** ">", "Bob>", "|" at the beginning of a line. */
const QUOTED = /^\s*(?:[\p{L}\d_-]{0,14}>|\||-{1,2}\])/u;
const NUMERIC = /^\d{4}|^\d+[-./]\d/;
const SHORT_DAY = /^\p{L}{1,2}\s+$/u;
const HAS_DATE_DIGITS = /\d{4}|\d[./-] ?\d/;
/** "on Friday " before a date is the end of a sentence; programs write it in capitals, or with a comma. */
const DAY_IN_SENTENCE = new RegExp(`^(?=\\p{Ll})(?:${STARTERS})\\s+\\p{L}+\\s+`, "u");
/** A name after the last digit. */
const NAME_AT_END = /\d\D*?\p{Lu}\p{L}+\D*$/u;
/** The end of a sentence: a mark after a word that is neither an abbreviation nor a month. */
const SENTENCE_END = /(?:[!?…。！？]|(?<!\d (?:de )?\p{L}*)[\p{Ll}\p{Lo})]{3}\.)["'”’)\]]*$/u;
const SENTENCE_ENDS = /(?:[!?…。！？]|[\p{Ll}\p{Lo})]{3}\.)["'”’)\]]*\s+(?=\S)/gu;
const ONLY_MARKS = /^[\s\-*_=~>|#—–"'“”‘’«»()[\].,:]*$/;
const NAME_AND_COMMA = /^(?:\p{Lu}\S*\s+){0,2}\p{Lu}\S*,\s*$/u;
const BRACKETED = /[<(]\S*@/;
const ADDRESS = /[^\s<>()[\]"',;:]@[\p{L}\d-]+\.[\p{L}\d]/u;
/** Opening words of a message after which a name may follow. */
const EXCLAMATION =
  /^(?:thanks|thank you|thx|ok|okay|yes|no|sure|great|hi|hello|danke|ja|nein|merci|oui|gracias|sí|grazie|obrigad[oa]|bedankt|tack|takk|tak|kiitos|dzięki|děkuji|спасибо|дякую)[,!.]?\s+(?=\S)/iu;
/** Several lower-case words before a name; a list writes "user via" there. */
const LOWER_WORDS = /^(?:(?!via\s)\p{Ll}[\p{L}'’]*[,;]?\s+){2,}(?=\p{Lu})/u;
const PARTICLES = /^(?:von|van|de|da|di|du|der|den|del|della|la|le|el|al|bin|ibn|ter|ten|zu|zum|af|av)\s/u;

let extension: RegExp | null = null;

/** Returns the pattern for words that precede a date and belong to it: "On Wed, ", "Il giorno mer ", "Vào Th 2, 3 ". */
function beforeDate(): RegExp {
  extension ??= new RegExp(
    `(?<![\\p{L}\\d])(?:(?:${STARTERS}),?\\s{0,2})?(?:(?:the|(?:${weekdays().join("|")}))[.,،、]{0,2}\\s{0,2}){0,2}(?:\\d{1,2} )?$`,
    "iu",
  );
  return extension;
}

/**
 * Returns the lines, with any line cut that contains more than one thing; `joined` marks a part that continues the line
 * before.
 */
export function partLines(lines: SourceLine[]): SourceLine[] {
  let out: SourceLine[] | null = null;
  const search: Search = { lines, left: MAX_SEARCHED_LINES, ends: new Map() };
  for (let i = 0; i < lines.length; i += 1) {
    const line = lines[i]!;
    const cuts = mayHoldMore(line.text) ? cutsOf(search, i) : [];
    if (cuts.length > 0) out ??= lines.slice(0, i);
    if (out === null) continue;
    let from = 0;
    for (const cut of [...cuts, line.text.length]) {
      out.push({
        text: line.text.slice(from, cut),
        cue: line.cue,
        joined: from > 0,
      });
      from = cut;
    }
  }
  return out ?? lines;
}

interface Search {
  readonly lines: readonly SourceLine[];
  /** Remaining number of expensive checks. */
  left: number;
  /** Whether an attribution may end on a line. */
  readonly ends: Map<number, boolean>;
}

/** A cheap test that excludes nearly every line of mail. */
function mayHoldMore(text: string): boolean {
  if (text.length < 12 || QUOTED.test(text)) return false;
  return text.includes("--") || text.includes("__") || text.includes("==") || /[\d@:：]/.test(text);
}

/** Returns the positions at which to cut line `i`, in ascending order. */
function cutsOf(search: Search, i: number): number[] {
  const text = visible(search.lines[i]!.text);
  const cuts = new Set<number>();
  const markers = markersIn(text);
  for (const [start, end] of markers) {
    if (!ONLY_MARKS.test(text.slice(0, start))) cuts.add(start);
    if (text.slice(end).trim() !== "") cuts.add(end + leadingSpace(text, end));
  }
  const block = headerBlockIn(text);
  if (block !== null && !ONLY_MARKS.test(text.slice(0, block)) && !cuts.has(block)) cuts.add(block);
  const marked = search.left > 0 && text.includes(">") ? quoteOnLine(text, search) : null;
  const quote = marked ?? (search.left > 0 && text.includes("@") ? textOnLine(text, search) : null);
  if (quote !== null) cuts.add(quote);
  if (search.left > 0 && (quote !== null || endsSoon(search, i))) {
    search.left -= 1;
    const head = text.slice(0, quote ?? text.length).trimEnd();
    const start = attributionStart(head, quote === null ? linesBelow(search.lines, i) : []);
    const inMarker = markers.some(([from, to]) => start !== null && start > from && start < to);
    if (start !== null && !inMarker && (block === null || start < block)) cuts.add(start);
  }
  const found = [...cuts].sort((a, b) => a - b).filter((cut) => cut > 0 && cut < text.length);
  return found.slice(0, MAX_PARTS);
}

/** Returns the start of a quote whose attribution is on the same line: "On … Ann wrote: > hello". */
function quoteOnLine(text: string, search: Search): number | null {
  for (let at = text.search(/[:：] ?>/), tries = 0; at >= 0 && tries < 3; tries += 1) {
    search.left -= 1;
    const head = text.slice(Math.max(0, at + 1 - WINDOW), at + 1).trim();
    if (endOfAttribution(head) && (strengthOf(head) === "strong" || attributionStart(head, []) !== null)) {
      return text.indexOf(">", at);
    }
    const next = text.slice(at + 1).search(/[:：] ?>/);
    at = next < 0 ? -1 : at + 1 + next;
  }
  return null;
}

/** Like `quoteOnLine`, but without a mark, as Yahoo's app writes it: "On … Ann <ann@example.org> wrote: hello". */
function textOnLine(text: string, search: Search): number | null {
  const found = [...text.slice(0, MAX_TEXT_ON_LINE).matchAll(ADDRESS_AND_VERB)].slice(0, MAX_DATES);
  for (const match of found) {
    search.left -= 1;
    const end = match.index + match[0].length;
    const head = text.slice(Math.max(0, end - WINDOW), end).trim();
    if (!endOfAttribution(head)) continue;
    const whole = beginsAttribution(head) && strengthOf(head) === "strong";
    if (whole || attributionStart(head, []) !== null) return end;
  }
  return null;
}

function linesBelow(lines: readonly SourceLine[], i: number): string[] {
  const below: string[] = [];
  for (let k = i + 1; k < lines.length && below.length <= MAX_WRAPPED + 2; k += 1)
    below.push(visible(lines[k]!.text).trim());
  return below;
}

/**
 * Returns the index in `text` at which an attribution begins after own words, or null. `below`: the trimmed lines that
 * follow.
 */
function attributionStart(text: string, below: readonly string[]): number | null {
  const offset = Math.max(0, text.length - WINDOW);
  const window = text.slice(offset);
  const dates = /\d/.test(window) ? [...window.matchAll(DATE)].slice(-MAX_DATES).reverse() : [];
  for (const date of dates) {
    const head = window.slice(0, date.index);
    const near = head.slice(-40);
    // A number before the date belongs to it only in "Th 2, 3 thg 2".
    const before = beforeDate().exec(near)![0].replace(/^\d.*/s, "").replace(DAY_IN_SENTENCE, "");
    // "will do 2018/04/04": a short weekday counts only when the month has a name.
    const mere = SHORT_DAY.test(before) && !STARTER.test(before) && NUMERIC.test(date[0]);
    const start = offset + head.length - (mere ? 0 : before.length);
    if (isStart(text, start, below)) return start;
  }
  if (!endOfAttribution(window.trim())) return null;
  return nameStart(text, offset, below);
}

/** A cheap test: true when an attribution may end on line `i` or on one of the next lines. */
function endsSoon(search: Search, i: number): boolean {
  for (let k = i; k <= i + MAX_WRAPPED && k < search.lines.length; k += 1) {
    const { text } = search.lines[k]!;
    let ends = search.ends.get(k);
    if (ends === undefined) {
      ends = endOfAttribution(visible(text).trim().slice(-WINDOW));
      search.ends.set(k, ends);
    }
    if (ends) return true;
    if (text === "") return false;
  }
  return false;
}

/** True when a whole attribution begins at `start`, after own words. */
function isStart(text: string, start: number, below: readonly string[]): boolean {
  const own = text.slice(0, start);
  if (start === 0 || ONLY_MARKS.test(own)) return false;
  if (!/[\s。！？、，.!?)]$/.test(own)) return false;
  const rest = wholeAttribution(text.slice(start).trim(), below);
  if (rest === null || !HAS_DATE_DIGITS.test(rest)) return false;
  const sentence = SENTENCE_END.test(own.slice(-60).trimEnd());
  if (sentence) return true;
  // Scripts without capitals also have the same word after the name: "Ann <…> 於 2025年".
  const opened = STARTER.test(rest) && (BRACKETED.test(own) ? /^\p{Lu}/u : /^[\p{Lu}\p{Lo}]/u).test(rest);
  const trimmed = own.trim();
  if (endsInVerb(trimmed)) return false;
  if (trimmed.split(/\s+/).length <= 2 && beginsAttribution(text.slice(0, 200).trim())) return false;
  if (opened) return true;
  if (beginsAttribution(trimmed)) return false;
  if (smallWords(rest) > 0 || BRACKETED.test(own) || NAME_AND_COMMA.test(own)) return false;
  return ADDRESS.test(rest) || (NAME_AT_END.test(rest) && endsInVerb(rest));
}

/** Returns `first` with as many of the lines below as make it an attribution; null when none do. */
function wholeAttribution(first: string, below: readonly string[]): string | null {
  let whole = first;
  for (let k = 0; k <= MAX_WRAPPED; k += 1) {
    if (whole.length > WINDOW) return null;
    if (endOfAttribution(whole)) {
      const strength = strengthOf(whole);
      if (strength === "strong" || (strength !== null && quoteFollows(below, k))) return whole;
    }
    const next = below[k];
    if (next === undefined || next === "" || /^>(?! ?wrote)/.test(next)) return null;
    whole = `${whole} ${next}`;
  }
  return null;
}

function quoteFollows(below: readonly string[], from: number): boolean {
  for (let k = from; k < Math.min(from + 3, below.length); k += 1) {
    if (below[k]!.startsWith(">")) return true;
    if (below[k] !== "") return false;
  }
  return below.length === 0;
}

/**
 * Returns the start of an attribution without a date: "Good idea! Ann Lee <ann@example.org> wrote:", "thanks Ann <…>
 * wrote:".
 */
function nameStart(text: string, offset: number, below: readonly string[]): number | null {
  const window = text.slice(offset);
  const ends = [...window.matchAll(SENTENCE_ENDS)].slice(-MAX_DATES).reverse();
  for (const end of ends) {
    const start = end.index + end[0].length;
    if (!SENTENCE_END.test(window.slice(Math.max(0, start - 60), start).trimEnd())) continue;
    const whole = wholeAttribution(window.slice(start).trim(), below);
    if (whole !== null && !HAS_DATE_DIGITS.test(whole) && smallWords(whole) === 0) return offset + start;
  }
  if (offset > 0 || !ADDRESS.test(window) || PARTICLES.test(window) || STARTER.test(window)) return null;
  const said = EXCLAMATION.exec(window)?.[0].length ?? LOWER_WORDS.exec(window)?.[0].length ?? 0;
  if (said === 0 || /^[<(]/.test(window.slice(said)) || beginsAttribution(window)) return null;
  const whole = wholeAttribution(window.slice(said).trim(), below);
  return whole === null || smallWords(whole) > 0 || /^\p{Ll}/u.test(whole) ? null : said;
}

function leadingSpace(text: string, at: number): number {
  let n = 0;
  while (text[at + n] === " ") n += 1;
  return n;
}
