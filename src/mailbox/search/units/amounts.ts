import {
  COMMA,
  DOT,
  HYPHEN,
  isApostrophe,
  isCapital,
  isDash,
  isDigit,
  isLetter,
  isSpace,
  SLASH,
  skipSpaces,
  skipSpacesBack,
  wordEnd,
  wordStart,
} from "./characters.ts";
import { decimalForms, type Figures, numberAt, shortest } from "./figures.ts";
import {
  currencyOfCharacter,
  currencyOfCountry,
  currencyOfSign,
  powerOfCharacter,
  relatedCurrencies,
  unitDefinition,
} from "./lexicon.ts";
import type { Unit, UnitScan } from "./unit.ts";

/** A currency next to a number. */
interface Currency {
  code: string;
  start: number;
  end: number;
  /** True for a sign or code that may also belong to a number after it. */
  isPrefix: boolean;
  /** True for "$", "¥" and "kr", which a code can make precise: "$5 CAD". */
  isVague: boolean;
  /** True for "Fr.", which is also short for Friday: the amount must have two decimals. */
  needsDecimals: boolean;
}

const DOLLAR = 0x24;
const WORDS_BEFORE_CURRENCY = new Set(["of", "de", "d", "di"]);

/**
 * Returns the currency that ends directly before a number, or one or two spaces before it: "€", "US$", "EUR", "Rs.".
 */
export function currencyBefore(text: string, at: number, scan: UnitScan): Currency | null {
  const { floor } = scan;
  let end = skipSpacesBack(text, at, floor);
  if (end <= floor) return null;
  const last = text.charCodeAt(end - 1);
  const sign = currencyOfSign(last);
  if (sign !== undefined) return signBefore(text, sign, end, floor);
  const isDotted = last === DOT;
  if (isDotted) end--;
  const start = wordStart(text, end, floor);
  if (start === end || isDigit(text.charCodeAt(start - 1)) || !isClear(text.charCodeAt(start - 1))) return null;
  if (isDotted && end - start === 2 && text.slice(start, end).toLowerCase() === "fr") {
    return {
      code: "chf",
      start,
      end,
      isPrefix: true,
      isVague: false,
      needsDecimals: true,
    };
  }
  return currencyWord(text, start, end, scan.isQuery, true);
}

/**
 * Returns false for a word within an identifier, a link or encoded data ("x_eur5", "?sum=eur5", "0o+CZK3"), which is
 * not a currency.
 */
function isClear(before: number): boolean {
  return before !== 0x5f && before !== 0x40 && before !== 0x3d && before !== 0x2b && before !== SLASH;
}

function signBefore(text: string, sign: string, end: number, floor: number): Currency {
  let start = end - 1;
  let code = sign;
  let isVague = sign === "yen";
  if (text.charCodeAt(start) === DOLLAR || isVague) {
    isVague = true;
    let first = start;
    while (first > floor && start - first < 3 && isCapital(text.charCodeAt(first - 1))) first--;
    const national = isLetter(text.charCodeAt(first - 1)) ? undefined : currencyOfCountry(text.slice(first, start));
    if (national !== undefined) {
      code = national;
      start = first;
      isVague = false;
    }
  }
  return { code, start, end, isPrefix: true, isVague, needsDecimals: false };
}

function currencyWord(text: string, start: number, end: number, isQuery: boolean, isBefore: boolean): Currency | null {
  const definition = unitDefinition(text, start, end);
  if (definition?.kind !== "currency" || (isBefore && !definition.isPrefix)) return null;
  if (definition.needsCapitals && !isQuery && !isCapital(text.charCodeAt(end - 1))) return null;
  const { code, isPrefix } = definition;
  return {
    code,
    start,
    end,
    isPrefix,
    isVague: code === "kr",
    needsDecimals: false,
  };
}

/** Returns the currency that starts exactly here: "€", "CA$", "euros", "円". */
function currencyAt(text: string, at: number, isQuery: boolean): Currency | null {
  const first = text.charCodeAt(at);
  const sign = currencyOfSign(first);
  if (sign !== undefined) {
    const isVague = first === DOLLAR || sign === "yen";
    return {
      code: sign,
      start: at,
      end: at + 1,
      isPrefix: true,
      isVague,
      needsDecimals: false,
    };
  }
  const character = currencyOfCharacter(first);
  if (character !== undefined) {
    return {
      code: character,
      start: at,
      end: at + 1,
      isPrefix: false,
      isVague: false,
      needsDecimals: false,
    };
  }
  const end = wordEnd(text, at);
  if (end === at) return null;
  if (text.charCodeAt(end) === DOLLAR && end - at <= 3) {
    const national = currencyOfCountry(text.slice(at, end));
    if (national !== undefined) {
      return {
        code: national,
        start: at,
        end: end + 1,
        isPrefix: true,
        isVague: false,
        needsDecimals: false,
      };
    }
  }
  return currencyWord(text, at, end, isQuery, isDigit(text.charCodeAt(end)));
}

/** The scale and the currency after the number of an amount. */
interface Tail {
  power: number;
  /** Null if only a scale follows; the number is an amount if a currency precedes it. */
  currency: Currency | null;
  end: number;
}

/** Returns the scale and the currency after a number. Reads "-" and "--" as no cents, as in "8.200,-- €". */
function tailOf(text: string, at: number, isQuery: boolean): Tail {
  const after = skipCentDashes(text, at);
  const start = skipSpaces(text, after);
  const none: Tail = { power: 0, currency: null, end: after };
  const direct = currencyAt(text, start, isQuery);
  if (direct) return { power: 0, currency: direct, end: direct.end };
  const character = powerOfCharacter(text.charCodeAt(start));
  if (character > 0) return scaled(text, start + 1, character, isQuery);
  const end = wordEnd(text, start);
  const meaning = unitDefinition(text, start, end);
  if (meaning?.kind !== "scale" || isDigit(text.charCodeAt(end))) return none;
  if (meaning.code !== null) {
    const { code } = meaning;
    const currency = {
      code,
      start,
      end,
      isPrefix: false,
      isVague: false,
      needsDecimals: false,
    };
    return { power: meaning.power, currency, end };
  }
  const isBeforeSign = currencyOfSign(text.charCodeAt(end)) !== undefined;
  if (meaning.isShort && start !== at && !isBeforeSign) return none;
  return scaled(text, end, meaning.power, isQuery);
}

/** Returns what follows a scale: "Mio. Euro", "millions d'euros". */
function scaled(text: string, end: number, power: number, isQuery: boolean): Tail {
  let at = text.charCodeAt(end) === DOT && !isDigit(text.charCodeAt(end + 1)) ? end + 1 : end;
  at = skipSpaces(text, at);
  const word = wordEnd(text, at);
  if (word > at && word - at <= 2 && WORDS_BEFORE_CURRENCY.has(text.slice(at, word).toLowerCase())) {
    at = isApostrophe(text.charCodeAt(word)) ? word + 1 : skipSpaces(text, word);
  }
  const currency = currencyAt(text, at, isQuery);
  return { power, currency, end: currency?.end ?? end };
}

function skipCentDashes(text: string, at: number): number {
  const mark = text.charCodeAt(at);
  if ((mark !== COMMA && mark !== DOT) || !isDash(text.charCodeAt(at + 1))) return at;
  return isDash(text.charCodeAt(at + 2)) ? at + 3 : at + 2;
}

/** Returns true for "5 €20", "12 $500" and "4711 EUR500": the currency touches the next number. */
function belongsToNext(text: string, currency: Currency): boolean {
  return currency.isPrefix && isDigit(text.charCodeAt(currency.end));
}

/** Returns whether a currency after a number may belong to a number that follows it: "12 EUR 500". */
function isBetweenNumbers(text: string, numberEnd: number, currency: Currency): boolean {
  if (!currency.isPrefix || numberEnd === currency.start) return false;
  return isDigit(text.charCodeAt(skipSpaces(text, currency.end)));
}

/** Returns the amount of a number after its currency. @returns null if the figures are not a number */
export function amountAfterCurrency(text: string, figures: Figures, before: Currency, scan: UnitScan): Unit | null {
  const isSpelled = before.needsDecimals && figures.count > 1 && figures.length(figures.count - 1) === 2;
  const isWhole = before.needsDecimals && skipCentDashes(text, figures.end) !== figures.end;
  if (before.needsDecimals && !isSpelled && !isWhole) return null;
  let { code } = before;
  const { power, currency, end: tailEnd } = tailOf(text, figures.end, scan.isQuery);
  let end = tailEnd;
  if (currency) {
    const isNext = belongsToNext(text, currency) || isBetweenNumbers(text, figures.end, currency);
    const isPrecise = !isNext && before.isVague && currency.isPrefix && !currency.isVague;
    if (isPrecise) code = currency.code;
    else if (isNext || currency.code !== code) end = power > 0 ? currency.start : figures.end;
  }
  // "rs7DRx" is encoded data.
  const isCode = isLetter(text.charCodeAt(before.end - 1));
  if (isCode && end === figures.end && isLetter(text.charCodeAt(end))) return null;
  // A currency that the previous unit includes is not covered twice.
  const start = before.start < scan.floor ? figures.starts[0]! : before.start;
  return amount(text, figures, { start, end: trimmed(text, figures.end, end) }, power, code, scan);
}

/** Returns the amount of a number before its currency. @returns null if there is none */
export function amountBeforeCurrency(text: string, figures: Figures, scan: UnitScan): Unit | null {
  const { power, currency, end } = tailOf(text, figures.end, scan.isQuery);
  if (!currency) return null;
  const { code, start } = currency;
  if (belongsToNext(text, currency)) {
    const cents = centsAfter(text, figures, currency);
    if (cents === null || power > 0) return null;
    const form = shortest(figures.digits(text, 0), cents, 0);
    const unit = {
      start: figures.starts[0]!,
      end: currency.end + cents.length,
    };
    return form === null ? null : { ...unit, terms: termsOf([form], code, scan.isQuery) };
  }
  const unit = amount(text, figures, { start: figures.starts[0]!, end }, power, code, scan);
  if (unit && isBetweenNumbers(text, figures.end, currency)) scan.sharedFrom = start;
  return unit;
}

/** Returns the cents of "12€50"; null if the digits after the sign are another number. */
function centsAfter(text: string, figures: Figures, currency: Currency): string | null {
  const { end } = currency;
  if (figures.count !== 1 || figures.end !== currency.start || currencyOfSign(text.charCodeAt(end - 1)) === undefined) {
    return null;
  }
  const isTwoDigits = isDigit(text.charCodeAt(end + 1)) && !isDigit(text.charCodeAt(end + 2));
  return isTwoDigits ? text.slice(end, end + 2) : null;
}

/** Returns where a unit ends, without trailing spaces. */
function trimmed(text: string, least: number, end: number): number {
  let at = Math.max(least, end);
  while (at > least && isSpace(text.charCodeAt(at - 1))) at--;
  return at;
}

function amount(
  text: string,
  figures: Figures,
  span: { start: number; end: number },
  power: number,
  code: string,
  scan: UnitScan,
): Unit | null {
  const forms = formsOf(text, figures, power);
  return forms.length === 0 ? null : { ...span, terms: termsOf(forms, code, scan.isQuery) };
}

/** Returns the forms of a number, or of both ends of a range ("10-20 €"). */
function formsOf(text: string, figures: Figures, power: number): string[] {
  const last = figures.count - 1;
  let hyphen = -1;
  for (let run = 0; run < last; run++) {
    if (figures.marks[run] !== HYPHEN) continue;
    if (hyphen >= 0) return [];
    hyphen = run;
  }
  if (hyphen < 0) return decimalForms(text, figures, 0, last, power);
  const from = decimalForms(text, figures, 0, hyphen, power);
  const to = decimalForms(text, figures, hyphen + 1, last, power);
  // "2024-0042" is an order number, and a range does not decrease.
  const isPadded = numberAt(text, figures.starts[hyphen + 1]!, figures.starts[hyphen + 1]! + 1) === 0;
  const isRange = from.length > 0 && to.length > 0 && !isPadded && Number(from[0]) < Number(to[0]);
  return isRange ? [...from, ...to] : [];
}

function termsOf(forms: readonly string[], code: string, isQuery: boolean): string[] {
  const codes = isQuery ? [code, ...relatedCurrencies(code)] : [code];
  return codes.flatMap((each) => forms.map((form) => `$${form}${each}`));
}
