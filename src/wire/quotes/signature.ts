/**
 * Recognizes signatures: text below a delimiter, closing words with a name, "-name", tag lines and footers of lists.
 */
import { isLastTagLine, isTagLine } from "./tags.ts";

/** "-- " of RFC 3676 §4.3, possibly with the blank lost or the dash made typographic in transit. */
const SIGNATURE_DELIMITER = /^(?:--|—|––|―) ?$/;
const RULE = /^(?:[-_*=~#+—–]\s?){3,}$|^--+$/;
/** First characters of delimiters and rules; nearly every line begins differently. */
const DRAWN = "-—–―_*=~#+";
const MAX_RULED_SIGNATURE_LINES = 8;

/** True for a line of drawn characters. */
export const isRule = (line: string): boolean => isDrawn(line) && line.length <= 200 && RULE.test(line);

const isDrawn = (line: string): boolean => line !== "" && DRAWN.includes(line[0]!);

/** Closing words of a letter. */
const CLOSING = new RegExp(
  `^(?:${[
    "(?:(?:best|kind|kindest|warm|warmest|many|with) ?)+(?:regards|wishes|thanks)?|regards|all the best|take care|talk soon|respectfully",
    "thanks(?: again| in advance| a lot| so much)?|thank you(?: very much| so much| in advance)?|thx|ty|cheers|sincerely(?: yours)?",
    "yours.{0,20}|cordially|warmly|love|hugs|xoxo|ciao",
    "(?:mit |viele |liebe |beste |schöne |herzliche )+.{0,30}|grüße|gruß|lg|vg|mfg|danke|besten dank|vielen dank",
    "cordialement|bien (?:cordialement|à (?:vous|toi))|amicalement|bises|merci(?: beaucoup| d['’]avance)?|salutations.{0,30}",
    "saludos.{0,20}|un (?:cordial )?(?:saludo|abrazo)|(?:muchas )?gracias|atentamente|atenciosamente|abraços?|cumprimentos|obrigad[oa]",
    "(?:cordiali|distinti) saluti|saluti|(?:tante )?grazie|(?:met |vriendelijke )+groet(?:en)?|groet(?:en|jes)?|(?:hartelijk )?bedankt",
    "mvh|(?:med )?vänlig.{0,20}|hälsningar|tack|(?:med )?(?:venlig|vennlig) hilsen|hilsen|mange tak|takk|ystävällisin terveisin|terveisin|t[.:]|kiitos",
    "pozdrawiam|z poważaniem|dziękuję|pozdrowienia|s (?:pozdravem|pozdravom)|s pozdravem|děkuji|lp|pozdrav|üdvözlettel|üdv|köszönettel",
    "с уважением|спасибо|с наилучшими.{0,20}|з повагою|дякую|поздрави|saygılar.{0,20}|teşekkürler|sevgiler|cu (?:stimă|respect)|mulțumesc|με εκτίμηση|ευχαριστώ|χαιρετισμούς",
    "בברכה|תודה|مع (?:التحية|خالص).{0,20}|شكرا|よろしく.{0,14}|以上|敬具|ありがとうございま(?:す|した)|此致|敬礼|敬禮|谢谢|謝謝|祝好|감사합니다|고맙습니다|드림",
  ].join("|")})[\\s,.!。！，、:]*$`,
  "iu",
);
const MAX_CLOSING_LINES = 4;

/** True when the non-blank `lines` are a closing formula and a name. They are no answer, even after a quote. */
export function isClosing(lines: string[]): boolean {
  if (lines.length === 0 || lines.length > MAX_CLOSING_LINES) return false;
  return CLOSING.test(lines[0]!) && lines.every((line) => line.length <= 80);
}

const FENCE = "```";
/** Number of lines at the end of a text that are searched for a signature, and for a list's footer. */
const MAX_SEARCHED_LINES = 14;
const MAX_FOOTER_LINES = 30;
/** Maximum number of lines from a drawn line to the words of a footer; a longer text between them is the writer's. */
const MAX_LINES_TO_FOOTER = 6;
const MAX_NAME_LINES = 6;
const PARTICLE =
  "von|van|de|da|di|du|der|den|del|della|la|le|el|bin|ibn|ter|ten|zu|of|and|und|y|e|et|i|en|og|och|ja|a|at|for|the";
/** A name, possibly followed by a title or a company. */
const NAME = new RegExp(
  `^[(\\[*_"'/]{0,3}[\\p{Lu}\\p{Lt}][\\p{L}\\p{M}.'’-]*(?:[\\s,/&+|]+(?:[\\p{Lu}\\p{Lt}][\\p{L}\\p{M}.'’-]*|${PARTICLE}|&)){0,7}[.!,)\\]*_"'/]{0,3}$`,
  "u",
);
const SMALL_NAME = /^\p{Ll}[\p{L}'’-]{1,19}[.!]?$/u;
const NAME_WITHOUT_CAPITALS = /^(?:\p{Lo}{1,12}\s?){1,4}[.。]?$/u;
const CONTACT = /@|https?:|www\.|(?:\d[\s()./-]*){7,}|^(?:tel|phone|mobile|cell|fax|e-?mail|web|skype)\b/i;
/** Hyphens only: after a typographic dash, the name is part of the text. */
const DASHED_NAME = /^-{1,2}\s?(?=\p{L})/u;
const MAX_DASHED_WORDS = 4;
const LISTED = /^(?:[-+@*•–—>|]|\d+[.)])/;
const LIST_PAGE = /^<?https?:\S*(?:listinfo|unsubscribe)\S*$/i;
const DRAWN_FOOTER = /^[-_=*~]{5,}[^\n]{0,60}[-_=*~]{3,}[>-]?$/;
const UNDERSCORES_OF_LIST = /^_{10,}$/;
const UNDERSCORES = /_{10,}$/;
const SENTENCE = /\p{Ll}{2,} (?:\S+ )*\p{Ll}\S*[.!?…]$/u;
/** This many sentences below a drawn line are a text, not a signature. */
const MIN_SENTENCES = 3;
const FOOTER =
  /unsubscribe|subscri(?:bed|ption)|mailing[ -]?list|listinfo|list ?serv|google groups|yahoo! groups|to leave th|to stop receiving|sponsor|mailman|^posted by:|reply to this e-?mail|this (?:sf\.net )?e?-?mail|abmelden|abbestellen|désabonner|désinscri|liste de diffusion|cancelar la suscripción|darse de baja|lista de (?:correo|distribui)|disiscri|cancellarti|afmelden|uitschrijven|avsluta prenumeration|отписаться|рассылк|メーリングリスト|配信停止|退订|수신거부/iu;

/**
 * Marks the signatures at the ends of the runs of own lines, by their words and shape. `lines` are trimmed, "" for
 * blank, null for a line that is not the writer's own text. `marked` already contains those of `delimitedSignatures`.
 * The first own line never begins a signature by its words, and text inside an open ``` fence is not changed.
 */
export function markSignatureEnds(lines: Lines, marked: boolean[]): void {
  let first = true;
  for (let start = 0; start < lines.length; start += 1) {
    if (lines[start] === null) continue;
    let end = start;
    while (end < lines.length && lines[end] !== null) end += 1;
    markRunEnd(lines, marked, {
      start,
      end,
      first,
      last: end === lines.length,
    });
    if (lines.slice(start, end).some((line) => line !== "")) first = false;
    start = end;
  }
}

/**
 * Marks the signatures among `lines` (as for `markSignatureEnds`) that a delimiter or a tag line shows: from a
 * delimiter to the end of the run of own lines, tag lines of phones, and rules left over at the end.
 */
export function delimitedSignatures(lines: Lines): boolean[] {
  const marked = new Array<boolean>(lines.length).fill(false);
  let fenced = false;
  let inSignature = false;
  const tags = lines.map((line) => line !== null && isTagLine(line));
  const left = remainingInRun(lines, tags);
  for (let i = 0; i < lines.length; i += 1) {
    const line = lines[i]!;
    if (line === null || line === undefined) {
      inSignature = false;
      continue;
    }
    if (line.startsWith(FENCE)) fenced = !fenced;
    if (fenced) continue;
    if (!inSignature && isDrawn(line)) {
      const short = left[i]! <= MAX_RULED_SIGNATURE_LINES;
      const afterBlank = i === 0 || lines[i - 1] === "" || lines[i - 1] === null;
      inSignature =
        SIGNATURE_DELIMITER.test(line) ||
        (UNDERSCORES_OF_LIST.test(line) && (short || afterBlank) && !isDivider(lines, i)) ||
        (isRule(line) && left[i] === 0);
    }
    marked[i] = line !== "" && (inSignature || tags[i]!);
  }
  return marked;
}

/**
 * True for one of several drawn lines that divide a text, or one above several sentences, unless a footer's words are
 * below.
 */
function isDivider(lines: Lines, at: number): boolean {
  const near = lines.slice(Math.max(0, at - MAX_FOOTER_LINES), at + MAX_FOOTER_LINES);
  const sentences = lines.slice(at + 1, at + MAX_FOOTER_LINES).filter((line) => line !== null && SENTENCE.test(line));
  const rules = near.filter((line) => line !== null && UNDERSCORES.test(line)).length;
  if (sentences.length === 0 || (rules < 2 && sentences.length < MIN_SENTENCES)) return false;
  const below = lines.slice(at + 1, at + MAX_FOOTER_LINES);
  return !below.some((line) => line !== null && (FOOTER.test(line) || CONTACT.test(line) || isTagLine(line)));
}

/** The given lines; null ends a run and never occurs inside one. */
type Lines = ReadonlyArray<string | null>;

interface Run {
  start: number;
  end: number;
  /** No own text precedes it. */
  first: boolean;
  /** Nothing follows it. */
  last: boolean;
}

/**
 * Removes pieces from the end of a run, one after another: tag lines, footers, a name below dashes or closing words.
 */
function markRunEnd(lines: Lines, marked: boolean[], run: Run): void {
  const begin = skipBlank(lines, run.start, run.end) + (run.first ? 1 : 0);
  const fences = lines.slice(run.start, run.end).filter((line) => line!.startsWith(FENCE)).length;
  if (fences % 2 === 1) return;
  let end = run.end;
  for (;;) {
    while (end > begin && (lines[end - 1] === "" || marked[end - 1])) end -= 1;
    if (end <= begin) return;
    const start = endPiece(lines, begin, end, run.last);
    if (start === null) return;
    for (let i = start; i < end; i += 1) marked[i] = lines[i] !== "";
    end = start;
  }
}

/**
 * Returns the start of the last piece of a signature in the lines up to `end`, not before `begin`; null when there is
 * none.
 */
function endPiece(lines: Lines, begin: number, end: number, last: boolean): number | null {
  const line = lines[end - 1]!;
  if (isLastTagLine(line) || isRule(line) || LIST_PAGE.test(line)) return end - 1;
  if (isDashedName(lines, begin, end - 1)) return end - 1;
  return footerStart(lines, begin, end) ?? ruledStart(lines, begin, end) ?? closingStart(lines, begin, end, last);
}

/** Finds a drawn line with the words of a list's footer below it. */
function footerStart(lines: Lines, begin: number, end: number): number | null {
  for (let i = end - 1; i >= begin && i >= end - MAX_FOOTER_LINES; i -= 1) {
    const line = lines[i]!;
    // Three hyphens also separate sections of a text: below them, only the last two lines are a footer.
    if (
      line.length < 3 ||
      (line.length < 5 && end - i > 4) ||
      !isDrawn(line) ||
      !(isRule(line) || DRAWN_FOOTER.test(line))
    )
      continue;
    return lines.slice(i, Math.min(end, i + MAX_LINES_TO_FOOTER + 1)).some((below) => FOOTER.test(below!)) ? i : null;
  }
  return null;
}

/** Finds a drawn line with a name and related lines below it; the line below a heading does not count. */
function ruledStart(lines: Lines, begin: number, end: number): number | null {
  let below: string[] = [];
  for (let i = end - 1; i >= begin && i >= end - MAX_SEARCHED_LINES; i -= 1) {
    const line = lines[i]!;
    if (isRule(line)) {
      const above = lines[i - 1] ?? "";
      const heading = above !== "" && !/[.!?…,;:]$/.test(above) && Math.abs(above.length - line.length) <= 2;
      return !heading && isNameAndMore(below) ? i : null;
    }
    if (line !== "") below = [line, ...below];
    if (below.length > MAX_RULED_SIGNATURE_LINES) return null;
  }
  return null;
}

/**
 * Finds closing words with a name below. Above a quote they count only when separated from the name, because otherwise
 * they end an answer.
 */
function closingStart(lines: Lines, begin: number, end: number, last: boolean): number | null {
  let below: string[] = [];
  for (let i = end - 1; i >= begin && i >= end - MAX_SEARCHED_LINES; i -= 1) {
    const line = lines[i]!;
    if (below.length > 0 && CLOSING.test(line)) {
      if (!isName(below[0]!) || !isNameAndMore(below)) return null;
      // A title, a company or a number below the name never belongs to an answer.
      if (!last && below.length === 1 && (lines[i + 1] !== "" || /\p{L}\s+\p{L}/u.test(line))) return null;
      let start = i;
      while (start > begin && CLOSING.test(lines[start - 1]!)) start -= 1;
      return start;
    }
    if (line !== "") below = [line, ...below];
    if (below.length > MAX_NAME_LINES) return null;
  }
  return null;
}

/** True for "-Bo", "--Bo Berg": neither a list item nor the author of a citation above. */
function isDashedName(lines: Lines, begin: number, at: number): boolean {
  const line = lines[at]!;
  const mark = DASHED_NAME.exec(line)?.[0];
  if (mark === undefined || line.length > 60) return false;
  const name = line.slice(mark.length);
  if (!isName(name) || name.split(/\s+/).length > MAX_DASHED_WORDS) return false;
  let above = at - 1;
  while (above >= begin - 1 && above > 0 && lines[above] === "") above -= 1;
  const before = lines[above] ?? "";
  if (/[:;,"”»’'」]$/.test(before)) return false;
  if (SMALL_NAME.test(name) && !/[.!?…)。！？]$/.test(before)) return false;
  for (let i = at - 1, seen = 0; i >= 0 && i >= at - 6 && seen < 3; i -= 1) {
    if ((lines[i] ?? "") === "") continue;
    seen += 1;
    if (LISTED.test(lines[i]!) && !isRule(lines[i]!)) return false;
  }
  return !isVerse(lines, at);
}

/** True when at least three short capitalized lines are directly above, not all of them sentences. */
function isVerse(lines: Lines, at: number): boolean {
  let n = 0;
  let open = false;
  for (let i = at - 1; i >= 0 && lines[i] !== "" && lines[i] !== null; i -= 1) {
    if (lines[i]!.length > 60 || !/^["“„]?\p{Lu}/u.test(lines[i]!)) return false;
    open ||= n > 0 && !/[.!?…]["”]?$/.test(lines[i]!);
    n += 1;
  }
  return n >= 3 && open;
}

const isName = (line: string): boolean =>
  line.length <= 60 && (NAME.test(line) || SMALL_NAME.test(line) || NAME_WITHOUT_CAPITALS.test(line));

function isNameAndMore(lines: readonly string[]): boolean {
  if (lines.length === 0 || lines.length > MAX_RULED_SIGNATURE_LINES) return false;
  return (isName(lines[0]!) || (lines.length > 1 && CONTACT.test(lines[0]!))) && lines.every(isSignatureLine);
}

function isSignatureLine(line: string): boolean {
  if (line.length > 90) return false;
  if (isName(line) || CONTACT.test(line) || CLOSING.test(line) || isLastTagLine(line)) return true;
  return line.split(/\s+/).length <= 8 && !/[.?!:;,]$/.test(line);
}

function skipBlank(lines: Lines, start: number, end: number): number {
  let i = start;
  while (i < end && lines[i] === "") i += 1;
  return i;
}

/**
 * Returns, for each line, how many non-blank lines that are not rules or tag lines follow in the same run of own lines.
 */
function remainingInRun(lines: ReadonlyArray<string | null>, tags: readonly boolean[]): number[] {
  const left = new Array<number>(lines.length).fill(0);
  let n = 0;
  for (let i = lines.length - 1; i >= 0; i -= 1) {
    const line = lines[i]!;
    left[i] = line === null ? 0 : n;
    if (line === null) n = 0;
    else if (line !== "" && !tags[i] && !isRule(line)) n += 1;
  }
  return left;
}
