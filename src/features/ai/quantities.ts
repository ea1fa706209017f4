import { CURRENCY_CODES, currencyOf } from "../../ml/extract/amounts.ts";
import { rounded } from "./numeral-reading.ts";
import { type Numeral, numeralsOf } from "./numerals.ts";

/** A number in a text and what it counts. */
export interface Quantity {
  text: string;
  start: number;
  end: number;
  /** The most likely value. */
  value: number;
  /** All values that the notation may mean: "82.000" is also 82. */
  values: readonly [number, ...number[]];
  /** "%", a currency, or null if the text gives none. */
  unit: string | null;
  /** Whether it is an amount: money, a share, or a number of at least a thousand that is not a year. */
  isAmount: boolean;
  /** Whether a word follows that names what is counted: "ten minutes". */
  countsThings: boolean;
  digits: string;
}

const PERCENT =
  /^[\s\u00a0\u202f()[\]"|-]{0,4}(?:%|٪|℅|per[ -]?\s?cent(?:age points?)?\b|percentage points?\b|pct\b|pp\b|p\.\s?[cp]\.|perc\.|prozent\p{L}*|prosent\b|v\.?\s?H\b|vom hundert\b|pour ?cents?\b|p(?:our|\.) ?100\b|por ?cien(?:to)?\b|per ?cento\b|por ?cento\b|procent(?:a|o|ů|en)?\b|процент\p{L}*|hundredths?\b|hundertstel\b|centi[eè]mes?\b|cent[ée]sim[ao]s?\b|centesimi\b|honderdste\b|[\s]?[/⁄]\s?100\b|(?:per|in|out of|of|sur|von|su|de cada|em cada) (?:a |one |every |ein |una? )?(?:hundred|hundert|cent|cien|cento|cem|100)\b)/iu;
const BASIS_POINTS = /^[\s\u00a0\u202f]?(?:bps?|basis points?|basispunkte?n?)\b/iu;
const PER_MILLE = /^[\s\u00a0\u202f]?(?:‰|per mille?\b|promille\b|pour mille\b|por mil\b)/iu;
const MONEY_AFTER = new RegExp(
  `^[\\s\\u00a0\\u202f-]?(?:of |de |d'|di |US |U\\.S\\. |American |Canadian |Australian |Swiss |Schweizer )?(?:US|CA|AU|[AC])?(\\p{Sc}|zł|円|元|원|(?:${CURRENCY_CODES})(?!\\p{L})|\\p{L}+)`,
  "iu",
);
const MONEY_BEFORE = new RegExp(
  `(\\p{Sc}|zł|(?<![\\p{L}\\p{N}])(?:${CURRENCY_CODES}|euros?|dollars?|sfr(?=\\.)))\\.?[\\s\\u00a0\\u202f]?$`,
  "iu",
);
/** Prefixes of names such as "eth0" and "RS232". */
const ATTACHED_NAME = /^(?:rs|eth)$/i;
const LONGEST_UNIT_CHARS = 32;
const LONGEST_SIGN_CHARS = 9;
/** "5m" and "5 m" are meters, unless a currency is present. */
const SHORT_SCALE = /^\s?(m|b)\b/i;
const THING_FOLLOWS = /^[\s\u00a0\u202f-]\p{L}/u;
const SHARE_FOLLOWS =
  /^[\s\u00a0\u202f](?:off|less|discount|reduction|rabatt|weniger|de moins|menos|di meno|korting)\b/iu;

/** Shares that have a name. */
const SHARES =
  /\b(?:(half|halb\p{L}*|die hälfte|la moitié|moitié|la mitad|mitad|la metà|metà|metade|helft)|(?:a |one )?(quarter|viertel|un quart|un cuarto|un quarto|kwart)|(three quarters|drei ?viertel|trois quarts|tres cuartos|tre quarti|driekwart)|(?:a |one )?(third|drittel|un tiers|un tercio|un terzo|um terço|derde)|(two thirds|zwei ?drittel|deux tiers|dos tercios|due terzi)|(?:a |one )?(fifth|fünftel)|(?:a |one )?(tenth|zehntel))(?!\p{L})/giu;
const SHARE_VALUES: readonly number[] = [50, 25, 75, 100 / 3, 200 / 3, 20, 10];

const FIRST_YEAR = 1900;
const LAST_YEAR = 2100;

/** A number given digit by digit. */
export type Spelled = Pick<Quantity, "text" | "start" | "end" | "value">;

/** Returns all numbers of a text with what they count, in order, and those given digit by digit. */
export function numbersIn(text: string): { quantities: Quantity[]; spelled: Spelled[] } {
  const numerals = numeralsOf(text);
  return { quantities: numerals.map((numeral) => quantity(text, numeral)), spelled: spelledNumbers(text, numerals) };
}

/** Returns all numbers of a text with what they count, in order. Days, times of day and addresses are not excluded. */
export function quantitiesOf(text: string): Quantity[] {
  return numeralsOf(text).map((numeral) => quantity(text, numeral));
}

/** Whether the number is a part of a name such as "GB29", "v2" or "ISO-8859". */
const isPartOfName = (text: string, { start, form }: Numeral): boolean =>
  form === "figures" && start > 0 && /(?:[\p{L}\p{N}]|\p{Lu}-)$/u.test(text.slice(Math.max(0, start - 2), start));

/** Returns the shares that have a name, in percent: "half", "a quarter". They are too common to be amounts alone. */
export function sharesOf(text: string): number[] {
  return [...text.matchAll(SHARES)].map(
    (match) => SHARE_VALUES[match.slice(1).findIndex((word) => word !== undefined)]!,
  );
}

function quantity(text: string, numeral: Numeral): Quantity {
  const { start, end, values, form, exact, digits } = numeral;
  const after = text.slice(end, end + LONGEST_UNIT_CHARS);
  const made = (
    more: Pick<Quantity, "values" | "unit" | "isAmount" | "countsThings"> & Partial<Quantity>,
  ): Quantity => {
    const span = { start, end, ...more };
    return { ...span, text: text.slice(span.start, span.end), value: more.values[0], digits };
  };

  const percent = PERCENT.exec(after);
  const mille = PER_MILLE.exec(after);
  const share = percent ?? mille ?? BASIS_POINTS.exec(after);
  const parts = percent ? 1 : mille ? 10 : 100;
  if (share) {
    // "12.500 %" has three decimals: no share is twelve thousand of a hundred.
    const shares = values.map((value) => rounded(value / parts)).sort((a, b) => a - b);
    const known = { unit: "%", isAmount: exact || values[0] > 1, countsThings: false };
    return made({ ...known, values: shares as [number, ...number[]], end: end + share[0].length });
  }

  const [value] = values;
  // "a real difference", "my first dollar": one of something is not an amount.
  const isOne = !exact && value < 100;
  const short = SHORT_SCALE.exec(after);
  const times = short ? (/m/i.test(short[1]!) ? 1e6 : 1e9) : 1;
  const scaled = values.map((value) => rounded(value * times)) as [number, ...number[]];
  const scaleEnd = end + (short?.[0].length ?? 0);
  const before = MONEY_BEFORE.exec(text.slice(Math.max(0, start - LONGEST_SIGN_CHARS), start));
  const suffix = MONEY_AFTER.exec(text.slice(scaleEnd, scaleEnd + LONGEST_UNIT_CHARS));
  const money = { values: scaled, isAmount: !isOne, countsThings: false };
  const isName = before !== null && (form === "words" ? /^(?:euro|dollar)s?$/i : ATTACHED_NAME).test(before[0]);
  const currencyBefore = before && !isName && currencyOf(before[1]!);
  if (currencyBefore) {
    return made({ ...money, unit: currencyBefore, start: start - before[0].length, end: scaleEnd });
  }
  const currencyAfter = suffix && currencyOf(suffix[1]!);
  if (currencyAfter) return made({ ...money, unit: currencyAfter, end: scaleEnd + suffix[0].length });

  const written = text.slice(start, end);
  const isYear = /^\d{4}$/.test(written) && value >= FIRST_YEAR && value <= LAST_YEAR;
  // "3M" and "2.5 M" are millions; "5 m" is a length.
  const isScaled = short !== null && (/^[MB]$/.test(short[0]) || (/^\s[MB]$/.test(short[0]) && value % 1 !== 0));
  const isLarge = exact && form !== "roman" && value >= 1_000 && !isYear;
  return made({
    values: isScaled ? scaled : short ? [...values, ...scaled] : values,
    unit: null,
    isAmount: (isScaled || isLarge) && !isPartOfName(text, numeral),
    countsThings: THING_FOLLOWS.test(after) && !SHARE_FOLLOWS.test(after),
  });
}

/** Shorter digit sequences usually mean something else. */
const SHORTEST_SPELLED_DIGITS = 5;

/** Returns the numbers given digit by digit or in pairs: "eight two zero zero zero", "8-2-0-0-0". */
function spelledNumbers(text: string, numerals: readonly Numeral[]): Spelled[] {
  const found: Spelled[] = [];
  let run: Numeral[] = [];
  const end = () => {
    const digits = run.map((numeral) => numeral.digits).join("");
    if (run.length > 2 && digits.length >= SHORTEST_SPELLED_DIGITS) {
      const span = { start: run[0]!.start, end: run.at(-1)!.end };
      found.push({ ...span, text: text.slice(span.start, span.end), value: Number(digits) });
    }
    run = [];
  };
  for (const numeral of numerals) {
    const last = run.at(-1);
    if (last && !/^[ \n./-]$/.test(text.slice(last.end, numeral.start))) end();
    if (numeral.exact && numeral.digits.length <= 2 && numeral.form !== "roman") run.push(numeral);
    else end();
  }
  end();
  return found;
}
