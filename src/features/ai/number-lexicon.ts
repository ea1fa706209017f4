import { lazy } from "../../kernel/lazy.ts";
import { NUMBER_WORDS } from "./number-words.ts";

/** The meaning of number words in ten languages. Accents are ignored. */

export type Part =
  /**
   * Added to the part before it: 1 to 90, and words such as "doscientos". `oneLike`: one, but also an article ("un").
   * `article`: only an article ("a").
   */
  | { kind: "unit"; value: number; oneLike: boolean; article: boolean }
  | { kind: "hundred" }
  /** Multiplies the parts before it by a thousand or more. */
  | { kind: "scale"; value: number; plain: boolean }
  /** "and", "und", "et": part of a number only between two of its other parts. */
  | { kind: "join" }
  | { kind: "half" }
  /** "quarter": multiplies the part before it, or is added to it after "and". */
  | { kind: "quarter" }
  /** "of" in "a quarter of a million". */
  | { kind: "of" }
  | { kind: "point" };

export interface Language {
  words: ReadonlyMap<string, readonly Part[]>;
  /** Units precede tens, as in "zweiundachtzig". */
  unitsFirst: boolean;
  /** Values up to 19 are added to sixty and eighty: "soixante-dix-sept", "quatre-vingts". */
  vigesimal: boolean;
  /** Greedy pieces of a compound word, longest first; null if the language writes numbers as separate words. */
  pieces: RegExp | null;
  ordinals: readonly (readonly [RegExp, string])[];
  /** The words of 0 to 9. */
  figures: readonly string[];
}

const units = (text: string) => text.split(" ");

/** Returns a word in lower case without accents: "Tweeën" becomes "tweeen". */
export const bareWord = (word: string): string =>
  word.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "").normalize("NFC");

/** Scales that follow digits in many languages. */
const SCALES: Readonly<Record<string, number>> = {
  k: 1e3,
  tsd: 1e3,
  tusen: 1e3,
  tusind: 1e3,
  tys: 1e3,
  tysiecy: 1e3,
  tysiace: 1e3,
  tisic: 1e3,
  ezer: 1e3,
  тыс: 1e3,
  тысяч: 1e3,
  тысячи: 1e3,
  тисяч: 1e3,
  lakh: 1e5,
  lakhs: 1e5,
  mio: 1e6,
  mln: 1e6,
  mn: 1e6,
  mill: 1e6,
  crore: 1e7,
  crores: 1e7,
  bn: 1e9,
  mrd: 1e9,
  млн: 1e6,
  млрд: 1e9,
  mld: 1e9,
};

/** Returns the scale of a word in any language. It applies after digits only: "82 Tsd.", "3 lakh". */
export const scaleOf = (word: string): number | undefined => SCALES[word];

/** Returns the words for numbers of each language. */
export const languages = lazy((): readonly Language[] => NUMBER_WORDS.map(languageOf));

function languageOf(source: (typeof NUMBER_WORDS)[number]): Language {
  const words = new Map<string, readonly Part[]>();
  const add = (list: string, part: Part | ((word: string) => Part)) => {
    for (const word of list.split(/[ |]/))
      if (word !== "" && word !== "-") words.set(bareWord(word), [typeof part === "function" ? part(word) : part]);
  };
  const articles = new Set(units(source.article));
  const unit = (value: number) => (word: string) =>
    ({ kind: "unit", value, oneLike: value === 1 && articles.has(word), article: false }) as const;
  units(source.low).forEach((word, value) => {
    add(word, unit(value));
  });
  units(source.tens).forEach((word, i) => {
    add(word, unit((i + 1) * 10));
  });
  for (const [word, value] of Object.entries(source.more ?? {})) {
    add(word, unit(value));
    // Feminine forms: "doscientas", "duzentas".
    if (/os$/.test(word)) add(word.replace(/os$/, "as"), unit(value));
  }
  for (const word of articles) {
    if (!words.has(word)) add(word, { kind: "unit", value: 1, oneLike: true, article: true });
  }
  add(source.hundred, { kind: "hundred" });
  add(source.thousand, { kind: "scale", value: 1e3, plain: true });
  add(source.million, { kind: "scale", value: 1e6, plain: true });
  add(source.billion, { kind: "scale", value: 1e9, plain: true });
  add(source.join, { kind: "join" });
  add(source.half, { kind: "half" });
  add(source.quarter, { kind: "quarter" });
  add(source.of, { kind: "of" });
  add(source.point, { kind: "point" });
  const pieces = [...words.keys()].filter((word) => source.compound !== "long" || word.length > 2);
  const longestFirst = pieces.sort((a, b) => b.length - a.length);
  return {
    words,
    unitsFirst: source.unitsFirst ?? false,
    vigesimal: source.vigesimal ?? false,
    pieces: source.compound ? new RegExp(longestFirst.join("|"), "y") : null,
    ordinals: source.ordinals,
    figures: units(source.low)
      .slice(0, 10)
      .map((word) => bareWord(word.split("|")[0]!)),
  };
}
