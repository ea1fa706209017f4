import { languages } from "./number-lexicon.ts";
import { numeralsOf, romanValue } from "./numerals.ts";
import { plainNumbers } from "./plain-numbers.ts";

/**
 * Detects an obfuscated secret in a text. Some obfuscations are undone in the text; for the others, the obfuscated
 * form of the secret is computed and searched for. Each reads the text once, in linear time. A secret that is
 * paraphrased cannot be found this way; docs/ai.md lists what remains undetected.
 */

/** Normalizes characters that mean the same: "Ｅ", "𝐞" and "e" look alike to a reader, and "٣" is "3" to a bank. */
export function normalizeCharacters(text: string): string {
  const powers = text.replace(KEYCAPS, "").replace(POWER_OF_TEN, (power) => `^${power.normalize("NFKC")}`);
  const fractions = powers.replace(/(?<=(\p{Nd})?)[¼½¾]/gu, (char, whole) => `${whole ? "" : "0"}${FRACTIONS[char]}`);
  return fractions.normalize("NFKC").replace(/(?![0-9])\p{Nd}/gu, digitOf);
}

/** Combining mark of framed digits such as "8️⃣". */
const KEYCAPS = /\u20e3/g;
const POWER_OF_TEN = /(?<=[^\d.,]10)[⁰¹²³⁴-⁹]{1,2}/gu;
const FRACTIONS: Readonly<Record<string, string>> = { "¼": ".25", "½": ".5", "¾": ".75" };

/** Returns the ASCII digit. Decimal digits form runs of ten that start at their zero (Unicode, 4.6). */
function digitOf(char: string): string {
  const code = char.codePointAt(0)!;
  let zero = code;
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
  return String(code - zero);
}

/** Returns only the letters and digits, in lower case. */
export function lettersAndDigits(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}

/** Without spaces, any text contains shorter runs of letters by chance. */
const SHORTEST_CHARS = 6;
/** Minimum length of digits said one by one, and of words written backwards, to rule out chance. */
const SHORTEST_SPELLED = 4;

/** Finds values in a text, in plain form and in every known obfuscation. */
export class ObfuscatedText {
  readonly #readings: readonly string[];
  readonly #spelled: readonly DigitRun[];
  readonly #words: ReadonlySet<string>;

  constructor(private readonly text: string) {
    const plain = plainNumbers(text);
    const figures = [withFigures(plain), withRomanFigures(plain)];
    this.#readings = readings(text, figures);
    this.#spelled = figures.flatMap(digitRuns);
    this.#words = new Set((text.match(/\S+/gu) ?? []).map(lettersAndDigits));
  }

  /**
   * Whether the text contains a value: in any obfuscation if it has at least six letters and digits, or as a number or
   * backwards if it has four or five.
   */
  contains(value: string): boolean {
    const letters = lettersAndDigits(normalizeCharacters(value));
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

  /** Whether the text contains a long run of digits of a value that was not said before. */
  containsPart(value: string, said: string): boolean {
    return partsOf(value).some((part) => !said.includes(part) && this.#says(this.#readings, part));
  }

  /** Returns the runs of words that the text contains disguised: read in another way than word by word. */
  runsIn(runs: Iterable<string>): ReadonlySet<string> {
    const byStart = Map.groupBy(runs, (run) => lettersAndDigits(run).slice(0, RUN_START_CHARS));
    const found = new Set<string>();
    if (byStart.size === 0) return found;
    for (const reading of [...this.#readings, ...piecedBase64(this.text)]) {
      for (let at = 0; at + RUN_START_CHARS <= reading.length; at++) {
        for (const run of byStart.get(reading.slice(at, at + RUN_START_CHARS)) ?? []) {
          if (reading.startsWith(lettersAndDigits(run), at)) found.add(run);
        }
      }
    }
    return found;
  }

  #says(readings: readonly string[], form: string): boolean {
    return readings.some((reading) => reading.includes(form));
  }
}

/** A run of words with fewer letters can occur without spaces by chance. */
const RUN_START_CHARS = 16;

/** Returns what a text reads as if base64 in it was split into pieces, from each of the four places where a group can begin. */
function piecedBase64(text: string): string[] {
  const runs = text.replace(/\s+/g, "").match(BASE64_RUN) ?? [];
  return runs.flatMap((run) =>
    [0, 1, 2, 3].map((from) => lettersAndDigits(Buffer.from(run.slice(from), "base64url").toString())),
  );
}

/** This many equal digits in a row are no coincidence. */
const PART_DIGITS = 7;
const MAX_PARTS = 100;

/** Returns all runs of PART_DIGITS digits in the numbers of a value. */
function partsOf(value: string): string[] {
  const numbers = (normalizeCharacters(value).match(/\d(?:[ ().\-/]{0,2}\d)*/g) ?? []).map((run) =>
    run.replace(/\D/g, ""),
  );
  return numbers
    .flatMap((digits) =>
      Array.from({ length: Math.max(0, digits.length - PART_DIGITS + 1) }, (_, i) => digits.slice(i, i + PART_DIGITS)),
    )
    .slice(0, MAX_PARTS);
}

/** Returns a number as it is, backwards, and with its groups of two or three digits in reverse order. */
function turned(digits: string): string[] {
  const groups = [/\d{1,2}(?=(?:\d{2})*$)/g, /\d{1,3}(?=(?:\d{3})*$)/g].map((group) => digits.match(group) ?? []);
  return [digits, backwards(digits), ...groups.map((list) => list.toReversed().join(""))];
}

/** Returns each digit as a word, without spaces, for every language: "foursevenoneone". */
const digitWords = (digits: string): string[] =>
  digits.length > LONGEST_SPELLED
    ? []
    : languages().map(({ figures }) => [...digits].map((d) => figures[Number(d)]).join(""));
const LONGEST_SPELLED = 40;

const SHORTEST_RUN_CHARS = 8;
const BASE64_RUN = new RegExp(`[A-Za-z0-9+/_-]{${SHORTEST_RUN_CHARS},}`, "g");
const HEX_RUN = /(?:[0-9a-f]{2}[\s:,-]?){4,}/gi;
/** Character codes in a row: "104, 117, 110, 116". */
const CODES_RUN = /\b\d{2,3}(?:[\s,;.-]{1,3}\d{2,3}){3,}\b/g;
/** A character by its code, as in HTML, URLs, mail (quoted-printable) and source code. */
const NUMBERED = /&#x([0-9a-f]{1,6});?|&#(\d{1,7});?|(?:%|=|\\x|0x)([0-9a-f]{2})|\\?u\+?\{?([0-9a-f]{4,6})\}?/gi;

/** Returns all readings of a text, squashed, one per entry. */
function readings(text: string, figures: readonly string[]): string[] {
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? [];
  const plain = lettersAndDigits(text);
  const numbered = text.replace(NUMBERED, (whole, hex, decimal, byte, point) => {
    const code = decimal ? Number(decimal) : Number.parseInt(hex ?? byte ?? point, 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
  const straight = [
    plain,
    lettersAndDigits(words.toReversed().join("")),
    initials(text, /[\p{L}\p{N}]+/gu),
    initials(text, /^[^\p{L}\p{N}\n]*[\p{L}\p{N}]/gmu),
    ...figures.map(lettersAndDigits),
    lettersAndDigits(numbered),
    latin(plain),
    leet(text),
    ...(text.match(BASE64_RUN) ?? []).map((run) => lettersAndDigits(Buffer.from(run, "base64url").toString())),
    ...(text.match(HEX_RUN) ?? []).map((run) => lettersAndDigits(fromHex(run.replace(/[^0-9a-f]/gi, "")))),
    ...(text.match(CODES_RUN) ?? []).map((run) => lettersAndDigits(String.fromCharCode(...numbersOf(run)))),
  ];
  const found = straight.filter((reading) => reading.length >= SHORTEST_CHARS);
  return [...found, ...found.map(backwards)];
}

export const backwards = (text: string): string => [...text].reverse().join("");

/** Replaces all numbers in words by digits: "X four seven" becomes "X 4 7", "forty-seven" becomes "47". */
function withFigures(text: string): string {
  let result = "";
  let at = 0;
  for (const { start, end, digits } of numeralsOf(text)) {
    result += `${text.slice(at, start)} ${digits} `;
    at = end;
  }
  return result + text.slice(at);
}

const ROMAN = /(?<![\p{L}\p{N}])(?:[IVXLCDM]\u0305?){1,24}(?![\p{L}\p{N}\p{M}])/giu;

/** Replaces Roman numerals by digits, including single letters and numerals written backwards. */
function withRomanFigures(text: string): string {
  return text.replace(ROMAN, (whole) => {
    const numeral = whole.toUpperCase();
    return String(romanValue(numeral) ?? romanValue(backwards(numeral)) ?? whole);
  });
}

const ROMAN_RUN =
  /(?<![\p{L}\p{N}])(?:[IVXLCDM]|\u0304|\u0305){1,24}(?:[ .-](?:[IVXLCDM]|\u0304|\u0305){1,24}){1,24}(?![\p{L}\p{N}])/giu;

/** Returns the values of Roman numerals with separated letters, forwards and backwards: "MMMM DCC XI". */
export function romanRuns(text: string): number[] {
  const runs = (text.match(ROMAN_RUN) ?? []).map((run) => run.replace(/[ .-]/g, ""));
  return runs.flatMap((run) => [romanValue(run), romanValue(backwards(run))]).filter((value) => value !== null);
}

/** Digits said one after the other, and the positions at which each digit or group starts and ends. */
interface DigitRun {
  digits: string;
  edges: ReadonlySet<number>;
}

/** Words between single digits, as in "four, then seven". */
const THEN = /^(?:then|and|dann|und|puis|et|luego|y|poi|e|depois|dan|en|first|next)$/;

/** Returns runs of digits. Anything but words may separate them: "4 7 1 1" is "4711". */
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

/** Whether whole groups of a run form these digits: "8,200.00" does not contain 82000. */
function holds({ digits, edges }: DigitRun, wanted: string): boolean {
  for (let at = digits.indexOf(wanted); at >= 0; at = digits.indexOf(wanted, at + 1))
    if (edges.has(at) && edges.has(at + wanted.length)) return true;
  return false;
}

const fromHex = (hex: string): string => Buffer.from(hex, "hex").toString();
/** The limit stays below the maximum number of arguments of a call. Any run that decodes to text is shorter. */
const numbersOf = (run: string): number[] => (run.match(/\d+/g) ?? []).slice(0, 2_000).map(Number);

/** Returns the first letters of words, which also undoes spelling alphabets ("Hotel, Uniform, November"), or of lines. */
function initials(text: string, units: RegExp): string {
  return lettersAndDigits(
    (text.match(units) ?? []).map((unit) => unit.replace(/^[^\p{L}\p{N}]+/u, "").slice(0, 1)).join(""),
  );
}

/** Returns the forms of a value that cannot be undone in the text, because spaces and other letters surround it. */
function obfuscations(value: string, letters: string): string[] {
  return [letters, leet(letters), latin(letters), rot13(letters), ...encodedForms(value, letters)];
}

function encodedForms(value: string, letters: string): string[] {
  const written = new Set([value, value.toLowerCase(), value.toUpperCase(), letters]);
  return [...written]
    .flatMap((text) => [...base64Forms(text), Buffer.from(text).toString("hex")])
    .map(lettersAndDigits);
}

/** Returns a text in base64 at each offset in a longer one (RFC 4648, section 4), without what its neighbors affect. */
function base64Forms(text: string): string[] {
  return [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]);
    const whole = Math.floor((bytes.length * 8) / 6);
    return bytes.toString("base64").slice(Math.ceil((before * 8) / 6), whole);
  });
}

const rot13 = (letters: string): string =>
  letters.replace(/[a-z]/g, (char) => String.fromCharCode(((char.charCodeAt(0) - 84) % 26) + 97));

/** Lower-case letters of other scripts that look like Latin ones (Unicode, UTS 39), each followed by its Latin letter. */
const LOOKS = pairs("аaеeоoрpсcуyхxіiјjѕsһhԁdԛqԝwкkмmтtвbнhαaεeιiκkνvοoρpτtυuχxγyηnβbıiɑaɡgℓl");
const latin = (text: string): string => text.replace(/[^\p{ASCII}]/gu, (char) => LOOKS.get(char) ?? char);

/** Digits and signs that replace letters. Each group maps to one letter. */
const LEET = pairs("0o1i|i!ili3e4a@a5s$s7t+t8b9g");
const leet = (text: string): string =>
  lettersAndDigits(text.toLowerCase().replace(/[01345789|!l@$+]/g, (char) => LEET.get(char)!));

function pairs(text: string): ReadonlyMap<string, string> {
  const chars = [...text];
  return new Map(chars.flatMap((char, i): [string, string][] => (i % 2 === 0 ? [[char, chars[i + 1]!]] : [])));
}
