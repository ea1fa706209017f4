import { LANGUAGES } from "./number-lexicon.ts";
import { numeralsOf, romanValue } from "./numerals.ts";
import { plainNumbers } from "./plain-numbers.ts";

/**
 * Ways in which a text can say something without spelling it. What must not be told is looked for in all of them: some are undone
 * in the text, and of the others it is known what the secret becomes. They read a text once each, so that their time grows
 * with it and not faster. What is put into other words altogether cannot be found so; docs/ai.md says what remains.
 */

/** One spelling of characters that mean the same: "Ｅ", "𝐞" and "e" look alike to a reader, and "٣" is "3" to a bank. */
export function sameCharacters(text: string): string {
  const powers = text.replace(KEYCAPS, "").replace(POWER_OF_TEN, (power) => `^${power.normalize("NFKC")}`);
  const fractions = powers.replace(/(?<=(\p{Nd})?)[¼½¾]/gu, (char, whole) => `${whole ? "" : "0"}${FRACTIONS[char]}`);
  return fractions.normalize("NFKC").replace(/(?![0-9])\p{Nd}/gu, digitOf);
}

/** "8️⃣" is a figure in a frame. */
const KEYCAPS = /\u20e3/g;
const POWER_OF_TEN = /(?<=[^\d.,]10)[⁰¹²³⁴-⁹]{1,2}/gu;
const FRACTIONS: Readonly<Record<string, string>> = { "¼": ".25", "½": ".5", "¾": ".75" };

/** Decimal digits come in runs of ten that begin at their zero (Unicode, 4.6). */
function digitOf(char: string): string {
  const code = char.codePointAt(0)!;
  let zero = code;
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
  return String(code - zero);
}

/** Letters and digits alone, lower case. */
export function squashed(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}

/** Fewer letters in a row are found in any text once its blanks are gone. */
const SHORTEST_CHARS = 6;
/** Digits that stand each for itself, and words of this length that are written backwards, are no part of a text by chance. */
const SHORTEST_SPELLED = 4;

/** What a text tells, read in every way that is known here. */
export class Telling {
  readonly #readings: readonly string[];
  readonly #spelled: readonly DigitRun[];
  readonly #words: ReadonlySet<string>;

  constructor(text: string) {
    const plain = plainNumbers(text);
    const figures = [withFigures(plain), withRomanFigures(plain)];
    this.#readings = readings(text, figures);
    this.#spelled = figures.flatMap(digitRuns);
    this.#words = new Set((text.match(/\S+/gu) ?? []).map(squashed));
  }

  /**
   * Whether the text tells a value: of six letters and digits at least in any disguise, or of four to five as a number or
   * backwards.
   */
  tells(value: string): boolean {
    const letters = squashed(sameCharacters(value));
    if (letters.length < SHORTEST_SPELLED) return false;
    if (/^\d+$/.test(letters) && letters.length <= LONGEST_SPELLED) {
      if (turned(letters).some((digits) => this.#spelled.some((run) => holds(run, digits)))) return true;
      if (digitWords(letters).some((words) => this.#says(this.#readings, words))) return true;
    }
    if (letters.length < SHORTEST_CHARS) {
      if (this.#words.has(backwards(letters))) return true;
      return encodedForms(value, letters).some(
        (form) => form.length >= SHORTEST_CHARS && this.#says(this.#readings, form),
      );
    }
    return obfuscations(value, letters).some(
      (form) => form.length >= SHORTEST_CHARS && this.#says(this.#readings, form),
    );
  }

  /** Whether the text tells so many digits of a value in a row that it is no chance, and that were not said. */
  tellsPart(value: string, said: string): boolean {
    return partsOf(value).some((part) => !said.includes(part) && this.#says(this.#readings, part));
  }

  #says(readings: readonly string[], form: string): boolean {
    return readings.some((reading) => reading.includes(form));
  }
}

/** As many digits in a row are not the same by chance. */
const PART_DIGITS = 7;
const MOST_PARTS = 100;

/** All runs of so many digits in the numbers of a value. */
function partsOf(value: string): string[] {
  const numbers = (sameCharacters(value).match(/\d(?:[ ().\-/]{0,2}\d)*/g) ?? []).map((run) => run.replace(/\D/g, ""));
  return numbers
    .flatMap((digits) =>
      Array.from({ length: Math.max(0, digits.length - PART_DIGITS + 1) }, (_, i) => digits.slice(i, i + PART_DIGITS)),
    )
    .slice(0, MOST_PARTS);
}

/** A number as it is, backwards, and with its groups of two or three digits in the other order. */
function turned(digits: string): string[] {
  const groups = [/\d{1,2}(?=(?:\d{2})*$)/g, /\d{1,3}(?=(?:\d{3})*$)/g].map((group) => digits.match(group) ?? []);
  return [digits, backwards(digits), ...groups.map((list) => list.toReversed().join(""))];
}

/** Digit for digit in words, without blanks: "foursevenoneone". */
const digitWords = (digits: string): string[] =>
  digits.length > LONGEST_SPELLED
    ? []
    : LANGUAGES.map(({ figures }) => [...digits].map((d) => figures[Number(d)]).join(""));
const LONGEST_SPELLED = 40;

const SHORTEST_RUN_CHARS = 8;
const BASE64_RUN = new RegExp(`[A-Za-z0-9+/_-]{${SHORTEST_RUN_CHARS},}`, "g");
const HEX_RUN = /(?:[0-9a-f]{2}[\s:,-]?){4,}/gi;
/** Numbers of characters, one behind the other: "104, 117, 110, 116". */
const CODES_RUN = /\b\d{2,3}(?:[\s,;.-]{1,3}\d{2,3}){3,}\b/g;
/** A character by its number, as in HTML, addresses, mail (quoted-printable) and programs. */
const NUMBERED = /&#x([0-9a-f]{1,6});?|&#(\d{1,7});?|(?:%|=|\\x|0x)([0-9a-f]{2})|\\?u\+?\{?([0-9a-f]{4,6})\}?/gi;

/** All that a text says in these ways, squashed, one reading per entry. */
function readings(text: string, figures: readonly string[]): string[] {
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? [];
  const plain = squashed(text);
  const numbered = text.replace(NUMBERED, (whole, hex, decimal, byte, point) => {
    const code = decimal ? Number(decimal) : Number.parseInt(hex ?? byte ?? point, 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
  const straight = [
    plain,
    squashed(words.toReversed().join("")),
    initials(text, /[\p{L}\p{N}]+/gu),
    initials(text, /^[^\p{L}\p{N}\n]*[\p{L}\p{N}]/gmu),
    ...figures.map(squashed),
    squashed(numbered),
    latin(plain),
    leet(text),
    ...(text.match(BASE64_RUN) ?? []).map((run) => squashed(Buffer.from(run, "base64url").toString())),
    ...(text.match(HEX_RUN) ?? []).map((run) => squashed(fromHex(run.replace(/[^0-9a-f]/gi, "")))),
    ...(text.match(CODES_RUN) ?? []).map((run) => squashed(String.fromCharCode(...numbersOf(run)))),
  ];
  const found = straight.filter((reading) => reading.length >= SHORTEST_CHARS);
  return [...found, ...found.map(backwards)];
}

export const backwards = (text: string): string => [...text].reverse().join("");

/** A text with figures for all numbers that are written in words: "X four seven" is "X 4 7", "forty-seven" is "47". */
function withFigures(text: string): string {
  let made = "";
  let at = 0;
  for (const { start, end, digits } of numeralsOf(text)) {
    made += `${text.slice(at, start)} ${digits} `;
    at = end;
  }
  return made + text.slice(at);
}

const ROMAN = /(?<![\p{L}\p{N}])(?:[IVXLCDM]\u0305?){1,24}(?![\p{L}\p{N}\p{M}])/giu;

/** A text with figures for Roman numerals, those of one letter and those that are written backwards too. */
function withRomanFigures(text: string): string {
  return text.replace(ROMAN, (whole) => {
    const numeral = whole.toUpperCase();
    return String(romanValue(numeral) ?? romanValue(backwards(numeral)) ?? whole);
  });
}

const ROMAN_RUN =
  /(?<![\p{L}\p{N}])(?:[IVXLCDM]|\u0304|\u0305){1,24}(?:[ .-](?:[IVXLCDM]|\u0304|\u0305){1,24}){1,24}(?![\p{L}\p{N}])/giu;

/** Values of Roman numerals whose letters stand apart, forwards and backwards: "MMMM DCC XI". */
export function romanRuns(text: string): number[] {
  const runs = (text.match(ROMAN_RUN) ?? []).map((run) => run.replace(/[ .-]/g, ""));
  return runs.flatMap((run) => [romanValue(run), romanValue(backwards(run))]).filter((value) => value !== null);
}

/** Digits that are said one after the other, and where each of them or each group begins and ends. */
interface DigitRun {
  digits: string;
  edges: ReadonlySet<number>;
}

/** "four, then seven" names one digit after the other. */
const THEN = /^(?:then|and|dann|und|puis|et|luego|y|poi|e|depois|dan|en|first|next)$/;

/** Runs of digits, whatever stands between them but words: "4 7 1 1" is "4711". */
function digitRuns(text: string): DigitRun[] {
  const runs: DigitRun[] = [];
  let run = "";
  let edges = [0];
  const end = () => {
    if (run.length >= SHORTEST_SPELLED) runs.push({ digits: run, edges: new Set(edges) });
    run = "";
    edges = [0];
  };
  for (const token of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    if (/^\d+$/.test(token)) {
      run += token;
      edges.push(run.length);
    } else if (!THEN.test(token)) end();
  }
  end();
  return runs;
}

/** Whether whole groups of a run make these digits: "8,200.00" does not hold 82000. */
function holds({ digits, edges }: DigitRun, wanted: string): boolean {
  for (let at = digits.indexOf(wanted); at >= 0; at = digits.indexOf(wanted, at + 1))
    if (edges.has(at) && edges.has(at + wanted.length)) return true;
  return false;
}

const fromHex = (hex: string): string => Buffer.from(hex, "hex").toString();
/** The longest run that is a text at all is short of what a call takes in arguments. */
const numbersOf = (run: string): number[] => (run.match(/\d+/g) ?? []).slice(0, 2_000).map(Number);

/** First letters of words, which also undoes spelling alphabets ("Hotel, Uniform, November"), or of lines. */
function initials(text: string, units: RegExp): string {
  return squashed((text.match(units) ?? []).map((unit) => unit.replace(/^[^\p{L}\p{N}]+/u, "").slice(0, 1)).join(""));
}

/** What a value becomes where it cannot be undone in the text, because blanks and other letters stand around it. */
function obfuscations(value: string, letters: string): string[] {
  return [letters, leet(letters), latin(letters), rot13(letters), ...encodedForms(value, letters)];
}

function encodedForms(value: string, letters: string): string[] {
  const written = new Set([value, value.toLowerCase(), value.toUpperCase(), letters]);
  return [...written].flatMap((text) => [...base64Forms(text), Buffer.from(text).toString("hex")]).map(squashed);
}

/** A text in base64, wherever it begins in a longer one (RFC 4648, section 4): what its neighbours change is left out. */
function base64Forms(text: string): string[] {
  return [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]);
    const whole = Math.floor((bytes.length * 8) / 6);
    return bytes.toString("base64").slice(Math.ceil((before * 8) / 6), whole);
  });
}

const rot13 = (letters: string): string =>
  letters.replace(/[a-z]/g, (char) => String.fromCharCode(((char.charCodeAt(0) - 84) % 26) + 97));

/** Small letters of other scripts that look like Latin ones (Unicode, UTS 39), and those. */
const LOOKS = pairs("аaеeоoрpсcуyхxіiјjѕsһhԁdԛqԝwкkмmтtвbнhαaεeιiκkνvοoρpτtυuχxγyηnβbıiɑaɡgℓl");
const latin = (text: string): string => text.replace(/[^\p{ASCII}]/gu, (char) => LOOKS.get(char) ?? char);

/** Digits and signs that are written for letters, each class as one letter. */
const LEET = pairs("0o1i|i!ili3e4a@a5s$s7t+t8b9g");
const leet = (text: string): string =>
  squashed(text.toLowerCase().replace(/[01345789|!l@$+]/g, (char) => LEET.get(char)!));

function pairs(text: string): ReadonlyMap<string, string> {
  const chars = [...text];
  return new Map(chars.flatMap((char, i): [string, string][] => (i % 2 === 0 ? [[char, chars[i + 1]!]] : [])));
}
