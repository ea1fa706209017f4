/**
 * Recognizes attribution lines ("On … Bob wrote:"), in the forms and languages that mail programs write, wrapped or
 * not.
 */

import { weekdays } from "../mime/weekdays.ts";
import { beginsLike, threeLetters } from "./three-letters.ts";
import { ADDRESSEE, FILLERS, STARTERS, VERBS_LEADING, VERBS_SPACED, VERBS_UNSPACED } from "./words.ts";

/**
 * An attribution and its certainty. A "strong" one is recognized alone (verb with date and time, or with an address in
 * brackets), a "likely" one unless a passage in quotation marks follows, and a "weak" one only when quoted lines
 * follow.
 */
export interface Attribution {
  /** Index of its first line. */
  start: number;
  strength: "strong" | "likely" | "weak";
}

const MAX_LINES = 6;
const MAX_CHARS = 420;

const quoted = (word: string): string => word.replace(/[()/.]/g, "\\$&");
const escaped = (words: string[]): string =>
  [...words]
    .sort((a, b) => b.length - a.length)
    .map(quoted)
    .join("|");
const VERB = new RegExp(`(?<![\\p{L}])(?:${escaped(VERBS_SPACED)})(?![\\p{L}])|${escaped(VERBS_UNSPACED)}`, "iu");
const ASCII = /^[\x20-\x7e]*$/;
const isAscii = (word: string): boolean => ASCII.test(word);
/** A quick test for ASCII text that may match VERB. Without lookarounds it costs a tenth of VERB. */
const VERB_ASCII = new RegExp([...new Set(VERBS_SPACED.filter(isAscii))].map(quoted).join("|"), "i");
const VERB_AT_END = new RegExp(
  `(?:(?<![\\p{L}])(?:${escaped(VERBS_SPACED)})|${escaped(VERBS_UNSPACED)})(?:: ?)?[\\s:：*_-]*$`,
  "iu",
);
/** The last three letters of every verb above; nearly every line of plain text ends differently. */
const ENDS_VERB = threeLetters([...VERBS_SPACED, ...VERBS_UNSPACED].map((verb) => verb.slice(-3)));
/** Characters that `VERB_AT_END` allows after the verb. */
const AFTER_VERB = " \t\n\v\f\r:*_-";
const VERB_AFTER_ADDRESS = new RegExp(
  `[>)\\]]["']?,? *(?:${escaped(VERBS_SPACED)})(?![\\p{L}])|[>)\\]] *(?:${escaped(VERBS_UNSPACED)})`,
  "iu",
);
/** "<ann@example.org> wrote: " followed by text on the same line. */
export const ADDRESS_AND_VERB = new RegExp(
  `[>)\\]]["']?,? *(?:(?:${escaped(VERBS_SPACED)})|(?:${escaped(VERBS_UNSPACED)})) ?[:：]\\s+(?=[^\\s>"'“„«‚‘「『])`,
  "giu",
);
/** The beginning of an attribution, in any language. */
export const STARTER = new RegExp(`^(?:${STARTERS})(?![\\p{L}])`, "iu");
const LEADING_VERB = new RegExp(`^\\[?(?:${VERBS_LEADING})(?![\\p{L}])`, "iu");
const COLON_END = /[:：﹕]["'*_)\]]*$/;
const DASHED = /^([-_=–—~*])\1+.*\1{2,}$/;
/** "---- Ann Lee wrote ----", "-----Ann Lee/ACME wrote: -----": a short name or title and the verb. */
const DASHED_VERB = new RegExp(
  `^([-_=–—~*])\\1+ ?(?:[^-_=~*]{1,80}?)(?:(?:${escaped(VERBS_SPACED)})|${escaped(VERBS_UNSPACED)})[\\s:：]*\\1{2,}$`,
  "iu",
);
/** "On Nov 26, 2013 you wrote:", without anything else. */
const TO_ADDRESSEE = new RegExp(
  `^(?:${STARTERS}) [\\p{L}.,]{0,14} ?\\S{1,14} \\S{1,14} ?(?:\\S{1,6} )?(?:\\d{4},? )?(?:(?:${ADDRESSEE}) (?:${escaped(VERBS_SPACED)})|(?:${escaped(VERBS_SPACED)}) (?:${ADDRESSEE}))[\\s:：]*$`,
  "iu",
);
const TIME = /(?<!\d)\d{1,2} ?[:.hH時时시] ?\d{2}(?!\d)|\d{1,2} ?(?:am|pm|Uhr)\b|\d{1,2}[時时시]/i;
const YEAR = /(?<!\d)(?:19|20)\d{2}(?!\d)/;
const NUMERIC_DATE =
  /(?<!\d)\d{1,4}(?:[./-]\d{1,2}[./-]\d{1,4}|\. ?\d{1,2}\. ?\d{2,4})(?!\d)|\d{1,2} ?[月월] ?\d{1,2} ?[日일]/;
const DAY_MONTH =
  /(?<!\d)\d{1,2}(?:st|nd|rd|th|\.|er|º)? (?:de |d['’] ?)?\p{L}{3,}|(?<!\p{L})\p{L}{3,}\.? \d{1,2}(?!\d)/u;
const ADDRESS = /[^\s<>()[\]"',;:]@[\p{L}\d-]+\.[\p{L}\d]/u;
const BRACKETED_ADDRESS = /(?:<|\(|\[|&lt;)[^\s<>()[\]]*(?: [^\s<>()[\]]+){0,4}[^\s<>()[\]]*@[\p{L}\d.-]+/u;
/** Starts with a date: 2016-10-24 15:36 …, 23 mar 2017 21:25 …, 2016年12月12日 … */
const DATE_FIRST =
  /^(?:\d{4}[-/.年]\s?\d{1,2}|\d{1,2}[./]\s?\d{1,2}[./]|(?:0?[1-9]|[12]\d|3[01])\.? \p{L}{3,}\.? \d{4}|\d{4}년)/u;
let weekdayFirst: RegExp | null = null;

/** True for text that starts with a weekday and a date: "man. 3. feb.", "Monday, February 3", "пн, 3 февр." */
function beginsWithWeekday(text: string): boolean {
  weekdayFirst ??= new RegExp(
    `^(?:${weekdays().join("|")})\\.?[,،]? (?:\\d{1,2}(?:st|nd|rd|th|\\.)? ?(?:de )?\\p{L}{2,}|\\p{L}{3,}\\.? \\d{1,2}|\\d{1,4}[./-] ?\\d{1,2}[./-])`,
    "iu",
  );
  return weekdayFirst.test(text);
}

/** True for "On Wednesday, April 4, 2018, Ann Lee": programs that omit the time write the weekday instead. */
function isDayAndName(text: string): boolean {
  const starter = STARTER.exec(text)?.[0];
  return (
    starter !== undefined && beginsWithWeekday(text.slice(starter.length).trim()) && /\d\D*\p{Lu}\p{L}+/u.test(text)
  );
}

/** Starts with an address whose name is on the line above. */
const BRACKET_FIRST = /^<(?: |$|mailto:|[^\s<>]*@)/;
const ISO_GMT = /^\d{4}-\d{2}-\d{2} \d{1,2}:\d{2} (?:GMT|UTC)?[+-]\d{2}:?\d{2}(?= )/;
const ANGLE_END = /<\s?[^<>\s]*@[^<>\s]*>:?$/;
/** The end of a wrapped address. */
const ADDRESS_END = /^[^<>\s]*@[^<>\s]*>:?$/;

/** The last characters of lines that COLON_END, ANGLE_END or a drawn line match. */
const MARKS_AT_END = ":：﹕\"'*_)]>-";

const hasDate = (text: string): boolean => YEAR.test(text) || NUMERIC_DATE.test(text) || DAY_MONTH.test(text);

function hasVerb(text: string): boolean {
  return (!isAscii(text) || VERB_ASCII.test(text)) && VERB.test(text);
}

/** Returns how certainly all of `text` is an attribution; null when it is not one, or is prose that mentions one. */
export function strengthOf(text: string): Attribution["strength"] | null {
  const strength = strengthByMarks(text);
  if (strength === null || !isProse(text)) return strength;
  return beginsAttribution(text) ? "weak" : null;
}

/** True for the writer's own sentence that introduces a quote: "I disagree with what Ann wrote:". */
export function introducesQuote(line: string): boolean {
  return endOfAttribution(line) && strengthByMarks(line) !== null;
}

function strengthByMarks(text: string): Attribution["strength"] | null {
  if (text.length <= 120 && DASHED.test(text) && DASHED_VERB.test(text)) return "strong";
  if (!/[\d@]/.test(text)) {
    // Without date or address, only "Ann wrote:" and "Quoting Ann:" are this short.
    if (text.length < 6 || text.length > 100 || !COLON_END.test(text)) return null;
    if (LEADING_VERB.test(text)) return "weak";
    return hasVerb(text) && !/[.!?…] /.test(text.replace(/\b\p{Lu}[\p{L}]{0,3}\. /gu, "")) ? "weak" : null;
  }
  if (text.length <= 80 && TO_ADDRESSEE.test(text) && YEAR.test(text)) return "likely";
  const plain = text.replace(/^[-*_[\s]+/, "");
  const colon = COLON_END.test(text);
  const leading = LEADING_VERB.test(plain);
  const address = ADDRESS.test(text);
  const date = hasDate(text);
  const time = TIME.test(text);
  if (hasVerb(text) && (colon || DASHED.test(text) || VERB_AT_END.test(text))) {
    if (BRACKETED_ADDRESS.test(text) && (date || time || VERB_AFTER_ADDRESS.test(text))) return "strong";
    if (date && time && (address || colon || STARTER.test(plain) || DATE_FIRST.test(plain))) return "strong";
    if (colon && YEAR.test(plain) && isDayAndName(plain) && smallWords(text) === 0) return "likely";
    if (address || ((date || time) && /\d/.test(text))) return "weak";
    return colon && text.length <= 100 ? "weak" : null;
  }
  if (leading && colon && (address || text.length <= 80)) return "weak";
  if (ISO_GMT.test(plain) && text.length <= 160 && (colon || text.split(" ").length <= 9)) return "strong";
  if (ANGLE_END.test(text) && date && time && colon) return "strong";
  if (DATE_FIRST.test(plain) && ANGLE_END.test(text)) return "weak";
  // An unknown language or program: it still ends in a colon and names an address, or a date and time.
  if (colon && text.length <= 260 && (address || (date && time))) return "weak";
  return null;
}

/** Names and addresses in brackets or quotes, which may contain any word. */
const IN_MARKS = /<[^<>]*>|\([^()]*\)|\[[^[\]]*\]|"[^"]*"|'[^']*'|‘[^’]*’|“[^”]*”|\S*@\S*/g;
const FILLER: ReadonlySet<string> = new Set([
  ...FILLERS.split("|"),
  ...VERBS_SPACED.flatMap((verb) => verb.split(" ")),
]);
const SMALL_WORD = /^\p{Ll}[\p{L}'’]*$/u;
/**
 * Lower-case words that an attribution may have besides its fillers: a name, a month, a word in an unknown language.
 */
const MAX_SMALL_WORDS = 2;
const MAX_SMALL_WORDS_BESIDE_ADDRESS = 3;

/** True when `text` has more lower-case words than names, months and verbs explain. */
function isProse(text: string): boolean {
  return smallWords(text) > (BRACKETED_ADDRESS.test(text) ? MAX_SMALL_WORDS_BESIDE_ADDRESS : MAX_SMALL_WORDS);
}

/** Counts lower-case words that are neither next to numbers, as months are, nor common in attributions. */
export function smallWords(text: string): number {
  const words = text.replace(IN_MARKS, " ").split(/[\s,;:]+/);
  let small = 0;
  for (let i = 0; i < words.length; i += 1) {
    const word = words[i]!.replace(/[.!?*_]+$/, "");
    if (!SMALL_WORD.test(word) || FILLER.has(word)) continue;
    if (/\d/.test(words[i - 1] ?? "") || /^\d/.test(words[i + 1] ?? "")) continue;
    small += 1;
  }
  return small;
}

/** True when `line` looks like the first line of an attribution that is wrapped onto the next lines. */
export function beginsAttribution(line: string): boolean {
  const plain = line.replace(/^[-*_[\s]+/, "");
  if (!/\d/.test(plain) || plain.length > 200) return false;
  if (!hasDate(plain) && !TIME.test(plain)) return false;
  return STARTER.test(plain) || DATE_FIRST.test(plain) || beginsWithWeekday(plain);
}

/** No attribution is wrapped after such a mark; months are abbreviated with a period. */
const SENTENCE_END = /(?:[!?…。！？]|(?<!\d (?:de )?\p{L}*)\p{Ll}{4}\.)["'”’)]*$/u;
const count = (text: string, char: string): number => text.split(char).length - 1;

/** Checks the last letters before `VERB_AT_END`: the pattern is expensive, and this runs for every line. */
export function endsInVerb(line: string): boolean {
  let end = line.length;
  while (end > 0 && AFTER_VERB.includes(line[end - 1]!)) end -= 1;
  return end >= 3 && beginsLike(line, end - 3, ENDS_VERB) && VERB_AT_END.test(line.slice(-60));
}

/** Cheap test for the last line of an attribution, before the expensive search upward. */
export function endOfAttribution(line: string): boolean {
  if (line === "" || line.length > MAX_CHARS) return false;
  const last = line[line.length - 1]!;
  return (
    (MARKS_AT_END.includes(last) &&
      (COLON_END.test(line) ||
        ANGLE_END.test(line) ||
        ADDRESS_END.test(line) ||
        (line.length > 20 && line.endsWith("--")))) ||
    (line[0]! <= "9" && ISO_GMT.test(line)) ||
    endsInVerb(line)
  );
}

/**
 * Returns the attribution whose last line is `end`, or null. `lineAt` returns the trimmed text of a line without quote
 * marks ("" when it is blank or must not be read). Reads at most MAX_LINES lines and MAX_CHARS characters.
 */
export function attributionEndingAt(lineAt: (index: number) => string, end: number): Attribution | null {
  const last = lineAt(end);
  if (!endOfAttribution(last)) return null;
  let text = "";
  let found: Attribution | null = null;
  let crossed = false;
  for (let i = end; i >= 0 && i > end - MAX_LINES; i -= 1) {
    const line = lineAt(i);
    if (line === "") {
      // Some programs break "Name <mailto:…>" over lines, with an empty one before the bracket.
      crossed = true;
      if (BRACKET_FIRST.test(text) || count(text, ">") > count(text, "<")) continue;
      break;
    }
    if (crossed && !beginsAttribution(line) && count(text, ">") <= count(text, "<")) break;
    if (line.length + text.length > MAX_CHARS) break;
    // A complete sentence is the writer's own.
    if (i < end && SENTENCE_END.test(line.slice(-60)) && !beginsAttribution(text)) break;
    if (found !== null) {
      const unbalanced = count(text, ">") > count(text, "<");
      if (DASHED.test(text)) break;
      if (beginsAttribution(line) && !beginsAttribution(text) && !(hasDate(text) && TIME.test(text))) {
        const strength = strengthOf(`${line} ${text}`);
        return {
          start: i,
          strength: strength === "strong" ? "strong" : found.strength,
        };
      }
      const joined = `${line} ${text}`;
      const strength: Attribution["strength"] = strengthOf(joined) ?? found.strength;
      // The name or its bracket was wrapped, or only this line has the verb and the address. Other lines are skipped
      // but not included, in case an attribution begins further up.
      const named = ADDRESS.test(line) || hasVerb(line);
      if (unbalanced || BRACKET_FIRST.test(text) || (named && found.strength !== "strong" && strength === "strong")) {
        found = { start: i, strength };
      }
      text = joined;
      continue;
    }
    text = text === "" ? line : `${line} ${text}`;
    // Only a name and a verb fit on one line; a wrapped attribution has a date or an address.
    if (i < end && !/[\d@]/.test(text)) continue;
    const strength = strengthOf(text);
    if (strength === null) continue;
    found = { start: i, strength };
    if (strength === "strong" && beginsAttribution(line)) break;
  }
  return found;
}
