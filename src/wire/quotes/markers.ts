/**
 * Recognizes marker lines above earlier mail: "-----Original Message-----", "---------- Forwarded message ---------".
 */
import { strengthOf } from "./attribution.ts";
import { beginsLike, threeLetters } from "./three-letters.ts";
import { BEGIN_FORWARDED, EARLIER, FORWARDED_BY, FORWARDED_MESSAGE, MESSAGE, ORIGINAL_MESSAGE } from "./words.ts";

/** The marks at the beginning of a line, and the form they need before a marker's words. */
const MARKS = /^[\s*_=~>|#—–-]*/;
const MARK = /^[\s*_=~>|#-]*(?:[-_=~—–*]{2,}|\*)[\s*]*$/;
const ORIGINAL = new RegExp(`^(?:${ORIGINAL_MESSAGE})[\\s*:：]*(?:[-_=~—–*]{2,}[\\s*]*)$`, "iu");
const FORWARD = new RegExp(`^(?:${FORWARDED_MESSAGE})[\\s*:：]*(?:[-_=~—–*]{2,}[\\s*]*)?$`, "iu");
const FORWARD_BY = new RegExp(`^(?:${FORWARDED_BY})(?![\\p{L}])`, "iu");
const BEGIN_FORWARD = new RegExp(`^[*_\\s]*(?:${BEGIN_FORWARDED})\\s*[:：]?[*_\\s]*$`, "iu");
const MAX_MARKER = 160;
const MAX_MARKERS = 4;
const CLOSED_TITLE = /^([^-_=~—–*:]{5,60}?)[\s*:：]*[-_=~—–*]{2,}[\s*]*$/u;
const EARLIER_WORD = new RegExp(`(?<!\\p{L})(?:${EARLIER})`, "iu");
const MESSAGE_WORD = new RegExp(MESSAGE, "iu");
/** Marks, a title and marks again, anywhere on a line. */
const MARKED = /(?<!\S)([-_=])\1+ ?\p{L}(?:(?!\1\1).){2,100}\1{2,}/gu;
/** Every drawn marker has marks at its beginning and a letter. This test is cheap, unlike the patterns above. */
const DRAWN = /^\s*[-*_=~>|#—–]/;
const LETTER = /\p{L}/u;
const BEGINS_FORWARD = threeLetters(BEGIN_FORWARDED.split("|"));

/** Help desks and issue trackers draw a line above the mail they quote. */
const REPLY_ABOVE =
  /(?:repl(?:y|ies)|respon(?:d|se)|write|answer|type)[^\n]{0,30} above this (?:line|text)|antwort[^\n]{0,30} (?:ober|über)[^\n]{0,8} dieser (?:zeile|linie)|réponse[^\n]{0,20} (?:au-dessus|ci-dessus) de cette ligne|respuesta[^\n]{0,20} (?:por encima|encima|arriba) de esta línea|risposta[^\n]{0,20} sopra (?:a )?questa (?:riga|linea)|resposta[^\n]{0,20} acima desta linha|(?:antwoord|reactie)[^\n]{0,20} boven deze (?:regel|lijn)/iu;
const DRAWN_AROUND = /^[-#=_*~>\s—–]{2,}.*[-#=_*~\s—–]{2,}$/u;

/** Returns the kind of mail that a marker line announces; null for any other line. */
export function markerOf(line: string): "original" | "forward" | null {
  if (line.length < 3 || line.length > MAX_MARKER) return null;
  if (!DRAWN.test(line)) return beginsLike(line, 0, BEGINS_FORWARD) && BEGIN_FORWARD.test(line) ? "forward" : null;
  if (!LETTER.test(line)) return null;
  if (DRAWN_AROUND.test(line) && REPLY_ABOVE.test(line)) return "original";
  if (BEGIN_FORWARD.test(line)) return "forward";
  const marks = MARKS.exec(line)![0];
  if (!MARK.test(marks)) return null;
  const words = line.slice(marks.length);
  if (FORWARD.test(words) || FORWARD_BY.test(words)) return "forward";
  return ORIGINAL.test(words) || isEarlierMessage(words) ? "original" : null;
}

/**
 * True for "Antwort Nachricht-----", "Previous email -----": a word for earlier mail and one for a message, closed by
 * marks.
 */
function isEarlierMessage(words: string): boolean {
  const title = CLOSED_TITLE.exec(words)?.[1];
  return title !== undefined && title.split(/\s+/).length <= 4 && EARLIER_WORD.test(title) && MESSAGE_WORD.test(title);
}

/**
 * Returns start and end of the markers in `text` that have marks on both sides (including "---- Ann wrote ----"). Runs
 * in linear time, because the text between the marks is short.
 */
export function markersIn(text: string): [start: number, end: number][] {
  if (!/--|__|==/.test(text)) return [];
  const found: [number, number][] = [];
  for (const match of text.matchAll(MARKED)) {
    const marked = match[0];
    if (markerOf(marked) !== null || strengthOf(marked) === "strong")
      found.push([match.index, match.index + marked.length]);
    if (found.length >= MAX_MARKERS) break;
  }
  return found;
}
