import { lazy } from "../../kernel/lazy.ts";
import { bareWord, type Language, languages, type Part, scaleOf } from "./number-lexicon.ts";
import { Reading, rounded } from "./numeral-reading.ts";

/**
 * A number in a text in any notation: digits, words of ten languages, Roman or Chinese numerals, with scales ("82k",
 * "0.082 million"). The text is read in one pass, in linear time.
 */
export interface Numeral {
  start: number;
  end: number;
  /** The most likely value first; "82.000" is also 82. */
  values: readonly [number, ...number[]];
  form: "figures" | "words" | "roman";
  /** False for "a million" and "mille", which may be figures of speech unless something else shows a real count. */
  exact: boolean;
  /** The digits as read aloud: "00028" keeps its zeros, "forty-seven" is "47". */
  digits: string;
}

const GROUPS = "\\d{1,3}(?:([.,'’·٬\\u00a0\\u202f ])\\d{3})(?:\\1\\d{3}){0,5}(?!\\d)(?:[.,]\\d{1,2}(?!\\d))?";
const PLAIN = "\\d+(?:[.,]\\d+)?";
const EXPONENT = "(?:e\\+?(\\d{1,2})\\b|\\s?[×x*·]\\s?10\\s?(?:\\^|\\*\\*)\\s?(\\d{1,2})\\b)?";
const FIGURES = new RegExp(`0x([0-9a-f]{1,12})\\b|0b([01]{1,48})\\b|(${GROUPS}|${PLAIN})${EXPONENT}`, "iy");
const CHINESE =
  /\d{0,18}(?:\.\d{1,6})?[〇零一二三四五六七八九十百千万萬亿億兆两兩][〇零一二三四五六七八九十百千万萬亿億兆两兩\d点點]*/uy;
const CHINESE_SCALES = /[〇零百千万萬亿億兆]+/uy;
/** A letter of a Roman numeral; a bar or macron over it means thousands. */
const ROMAN_LETTER = "[IVXLCDMĪ][\\u0304\\u0305]?";
const ROMAN = new RegExp(`${ROMAN_LETTER}(?:[ .-]${ROMAN_LETTER}){2,23}|(?:${ROMAN_LETTER})+`, "iuy");
const ROMAN_WORD = new RegExp(`(?:${ROMAN_LETTER})+`, "iuy");
/** Words, units and abbreviations that look like Roman numerals. */
const NOT_ROMAN = /^(?:[dmclv]i|mix|dix|mmm|[mcd]m|[mcd]l|xl|cv|cd|dc|cc|mm)$/;
/** Chinese has no spaces between words, so each of its characters may start a number. */
const WORD = /(?:[\p{L}--\p{Script=Han}]\p{M}*)+/vy;
const BEGIN = /[\p{L}\p{Nd}〇]/gu;
/**
 * Characters allowed between the parts of one number: spaces, a line break, dashes, table marks, and a comma, which
 * counts only after a scale ("two thousand, five hundred").
 */
const GAP = /,?[\s\u00a0\u202f\-\u2010-\u2015/|()[\]"“”]{1,6}/uy;
/** The longest German number word below a million has 67 characters. */
const LONGEST_WORD_CHARS = 100;
const MAX_PARTS = 40;

interface NumberWord {
  /** Parts by language; null where the word is not a number in that language. */
  parts: readonly (readonly Part[] | null)[];
  scale: number | undefined;
}

interface Token extends NumberWord {
  start: number;
  end: number;
  /** Set for digits. */
  figures?: readonly [number, ...number[]];
  raw: string;
  isAfterComma?: boolean;
}

const noParts = lazy((): readonly null[] => languages().map(() => null));

/** Returns the numbers of a text in order. */
export function numeralsOf(text: string): Numeral[] {
  const found: Numeral[] = [];
  const known = new Map<string, NumberWord | null>();
  let run: Token[] = [];
  const flush = () => {
    if (run.length > 0) found.push(...numbersOf(run));
    run = [];
  };
  BEGIN.lastIndex = 0;
  for (let at = 0; ; ) {
    BEGIN.lastIndex = at;
    const begin = BEGIN.exec(text)?.index;
    if (begin === undefined) break;
    const token = romanAt(text, begin) ?? tokenAt(text, begin, known);
    if (token === null) {
      flush();
      // Characters that form no number are skipped as a run. Otherwise each would be read to the end of the run again.
      at =
        endOf(WORD, text, begin) ?? Math.max(begin + charLength(text, begin), endOf(CHINESE_SCALES, text, begin) ?? 0);
      continue;
    }
    const last = run.at(-1)?.end;
    if (last !== undefined && last !== begin && endOf(GAP, text, last) !== begin) flush();
    run.push(last !== undefined && text[last] === "," ? { ...token, isAfterComma: true } : token);
    at = token.end;
  }
  flush();
  return found;
}

/** A search that starts inside a surrogate pair would find the same character again, without end. */
const charLength = (text: string, at: number): number => (text.codePointAt(at)! > 0xffff ? 2 : 1);

function endOf(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  return match ? at + match[0].length : null;
}

function tokenAt(text: string, at: number, known: Map<string, NumberWord | null>): Token | null {
  const code = text.charCodeAt(at);
  const isDigit = code >= 48 && code <= 57;
  if (isDigit || code >= 0x3007) {
    CHINESE.lastIndex = at;
    const chinese = CHINESE.exec(text)?.[0];
    if (chinese) {
      const value = chineseValue(chinese);
      if (value === null) return null;
      return {
        start: at,
        end: at + chinese.length,
        figures: [value],
        raw: chinese,
        parts: noParts(),
        scale: undefined,
      };
    }
  }
  FIGURES.lastIndex = at;
  const figures = isDigit ? FIGURES.exec(text) : null;
  if (figures) {
    const values = figuresValues(figures);
    return {
      start: at,
      end: at + figures[0].length,
      figures: values,
      raw: figures[0],
      parts: noParts(),
      scale: undefined,
    };
  }
  const end = endOf(WORD, text, at);
  if (end === null || end - at > LONGEST_WORD_CHARS) return null;
  const raw = text.slice(at, end);
  let word = known.get(raw);
  if (word === undefined) {
    word = wordOf(raw);
    known.set(raw, word);
  }
  return word && { start: at, end, raw, ...word };
}

/** Parses a word as a number in each language; null if it is a number in none. */
function wordOf(raw: string): NumberWord | null {
  const word = bareWord(raw);
  const parts = languages().map((language) => partsOf(language, word));
  const scale = scaleOf(word);
  return scale === undefined && parts.every((found) => found === null) ? null : { parts, scale };
}

/** Returns the number parts of a word in one language. An ordinal has the parts of its cardinal, but inexact like "a". */
function partsOf(language: Language, word: string): readonly Part[] | null {
  const parts = cardinalParts(language, word);
  if (parts) return parts;
  const rule = language.ordinals.find(([ending]) => ending.test(word));
  if (!rule) return null;
  const cardinal = bareWord(word.replace(rule[0], rule[1]));
  if (cardinal === "") return null;
  const found = cardinalParts(language, cardinal);
  return found?.map((part) => (part.kind === "unit" ? { ...part, oneLike: true } : part)) ?? null;
}

function cardinalParts({ words, pieces }: Language, word: string): readonly Part[] | null {
  const whole = words.get(word);
  if (whole || !pieces) return whole ?? null;
  const parts: Part[] = [];
  for (let at = 0; at < word.length; ) {
    pieces.lastIndex = at;
    const piece = pieces.exec(word)?.[0];
    if (piece === undefined) return null;
    // Within a word, "and" adds no information.
    parts.push(...words.get(piece)!.filter(({ kind }) => kind !== "join"));
    at += piece.length;
  }
  return parts;
}

/** Returns the values of digits. A mark before three digits groups thousands, unless the number starts with zero. */
function figuresValues(match: RegExpExecArray): readonly [number, ...number[]] {
  const [, hex, binary, figures, , exponent, power] = match;
  if (hex) return [Number.parseInt(hex, 16)];
  if (binary) return [Number.parseInt(binary, 2)];
  const times = 10 ** Number(exponent ?? power ?? 0);
  const decimal = (text: string) => {
    const mark = Math.max(text.lastIndexOf("."), text.lastIndexOf(","));
    const whole = (mark < 0 ? text : text.slice(0, mark)).replace(/\D/g, "");
    return Number(`${whole}.${mark < 0 ? "0" : text.slice(mark + 1)}`);
  };
  const single = /^\d{1,3}[.,]\d{3}$/.test(figures!);
  if (!single) return [rounded((grouped(figures!) ?? decimal(figures!)) * times)];
  const asGroup = Number(figures!.replace(/\D/g, "")) * times;
  const asDecimal = rounded(decimal(figures!) * times);
  return /^0/.test(figures!) ? [asDecimal] : [asGroup, asDecimal];
}

/** Parses "1.234.567,5" by its groups; null if nothing is grouped. */
function grouped(figures: string): number | null {
  const match = /^(\d{1,3}(?:[.,'’\u00a0\u202f ]\d{3})+)(?:[.,](\d{1,2}))?$/.exec(figures);
  return match ? Number(`${match[1]!.replace(/\D/g, "")}.${match[2] ?? "0"}`) : null;
}

const CHINESE_DIGITS = new Map([..."〇零一二三四五六七八九"].map((char, i) => [char, Math.max(0, i - 1)]));
for (const two of "两兩") CHINESE_DIGITS.set(two, 2);
const CHINESE_SMALL = new Map([
  ["十", 10],
  ["百", 100],
  ["千", 1000],
]);
const CHINESE_LARGE = new Map([
  ["万", 1e4],
  ["萬", 1e4],
  ["亿", 1e8],
  ["億", 1e8],
  ["兆", 1e12],
]);

/** Parses "八万二千", "8万2千", "八点二万" and single digits; null for characters that are no number here ("万一", "千"). */
function chineseValue(text: string): number | null {
  if (!/[一二三四五六七八九两兩\d]|^十/.test(text) || /^[百千万萬亿億兆]/.test(text)) return null;
  if (!/[十百千万萬亿億兆]/.test(text)) {
    return Number([...text].map((char) => CHINESE_DIGITS.get(char) ?? char).join(""));
  }
  let total = 0;
  let section = 0;
  let digits = "";
  let last = 10;
  for (const char of text) {
    const small = CHINESE_SMALL.get(char);
    const large = CHINESE_LARGE.get(char);
    if (small) section += (digits === "" ? 1 : Number(digits)) * small;
    else if (large) {
      total += (section + Number(digits || 0)) * large;
      section = 0;
      last = large;
    } else {
      digits += CHINESE_DIGITS.get(char) ?? (/[点點]/.test(char) ? "." : char);
      continue;
    }
    digits = "";
  }
  // A final digit without a scale has the next lower one: "八万二" is 82,000.
  const isShort = /[千万萬亿億兆百][一二三四五六七八九2-9]$/u.test(text);
  const lower = section === 0 ? last / 10 : section % 1_000 === 0 ? 100 : section % 100 === 0 ? 10 : 1;
  return total + section + Number(digits || 0) * (isShort ? lower : 1);
}

function romanAt(text: string, at: number): Token | null {
  if (!/[IVXLCDMĪ]/iu.test(text[at]!) || (at > 0 && /[\p{L}\p{Nd}]/u.test(text[at - 1]!))) return null;
  for (const pattern of [ROMAN, ROMAN_WORD]) {
    pattern.lastIndex = at;
    const raw = pattern.exec(text)?.[0];
    if (!raw || raw.length < 2) return null;
    if (/[\p{L}\p{M}\p{Nd}]/u.test(text[at + raw.length] ?? " ") || NOT_ROMAN.test(raw.toLowerCase())) continue;
    const value = romanValue(raw.replace(/[ .-]/g, ""));
    if (value !== null)
      return { start: at, end: at + raw.length, figures: [value], raw, parts: noParts(), scale: undefined };
  }
  return null;
}

const ROMAN_FORM = /^M{0,9}(?:CM|CD|D?C{0,4})(?:XC|XL|L?X{0,4})(?:IX|IV|V?I{0,4})$/;
const ROMAN_VALUES: Readonly<Record<string, number>> = { I: 1, V: 5, X: 10, L: 50, C: 100, D: 500, M: 1000 };

/** Returns the value of a Roman numeral, or null. A bar over a letter (U+0304, U+0305) means thousands. */
export function romanValue(text: string): number | null {
  const letters = text
    .normalize("NFD")
    .toUpperCase()
    .replace(/\u0304/g, "\u0305");
  const barred = /^(?:[IVXLCDM]\u0305)*/u.exec(letters)![0];
  const high = barred.replace(/\u0305/gu, "");
  const low = letters.slice(barred.length);
  if (high + low === "" || !ROMAN_FORM.test(high) || !ROMAN_FORM.test(low)) return null;
  const sum = (letters: string) =>
    [...letters].reduce((total, letter, i) => {
      const value = ROMAN_VALUES[letter]!;
      return total + (value < (ROMAN_VALUES[letters[i + 1] ?? ""] ?? 0) ? -value : value);
    }, 0);
  return sum(high) * 1_000 + sum(low);
}

/** Parses the numbers in a run of adjacent tokens. At each position, the language that reads furthest wins. */
function numbersOf(run: readonly Token[]): Numeral[] {
  const found: Numeral[] = [];
  for (let i = 0; i < run.length; ) {
    let best: { next: number; numeral: Numeral } | null = null;
    // Digits before a word that is not a number in a language read the same in all such languages.
    let isRead = false;
    for (const [index, language] of languages().entries()) {
      const isPlain = run[i]!.figures !== undefined && !run[i + 1]?.parts[index];
      if (isPlain ? isRead : run[i]!.figures === undefined && run[i]!.parts[index] === null) continue;
      isRead ||= isPlain;
      const read = readAt(run, i, index, language);
      if (read && (best === null || read.next > best.next)) best = read;
    }
    if (best) found.push(best.numeral);
    i = best?.next ?? i + 1;
  }
  return found;
}

/** Parses one number, starting at a token, as far as a language can read it. */
function readAt(
  run: readonly Token[],
  from: number,
  index: number,
  language: Language,
): { next: number; numeral: Numeral } | null {
  const reading = new Reading(language);
  let next = from;
  let isJoined = false;
  for (let i = from; i < run.length && i < from + MAX_PARTS; i++) {
    const token = run[i]!;
    const parts = token.parts[index];
    if (token.isAfterComma && i > from && !reading.endsWithScale) break;
    if (token.figures) {
      if (!reading.takeFigures(token.figures)) break;
    } else if (!parts) {
      // A scale of any language, as in "82k".
      if (token.scale === undefined || !reading.isBegun || reading.hasScale || isJoined) break;
      reading.multiply(token.scale);
    } else if (
      reading.isBegun &&
      parts.every((part) => isBetween(part) || (part.kind === "of" && reading.isFraction))
    ) {
      isJoined = true;
      continue;
    } else if (!parts.every((part, at) => reading.take(part, isJoined || at > 0))) {
      break;
    }
    isJoined = false;
    next = i + 1;
  }
  if (next === from) return null;
  const [first, last] = [run[from]!, run[next - 1]!];
  const { values } = reading;
  const isFigures = first.figures !== undefined;
  const digits = isFigures && next === from + 1 && /^\d+$/.test(first.raw) ? first.raw : String(values[0]);
  const isRoman = isFigures && !reading.hasScale && /^[\p{L}--\p{Script=Han}]/v.test(first.raw);
  const numeral: Numeral = {
    start: first.start,
    end: last.end,
    values,
    form: isRoman ? "roman" : isFigures ? "figures" : "words",
    exact: reading.isExact,
    digits: digits.replace(/\D/g, ""),
  };
  return { next, numeral };
}

/** "and" in "two hundred and five", "and a" in "two and a half". */
const isBetween = (part: Part): boolean => part.kind === "join" || (part.kind === "unit" && part.article);
