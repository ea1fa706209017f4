import type { Unit } from "./unit.ts";

/** Numbers in groups: of telephones, accounts, orders. With a plus sign, also in one run. */
const GROUPED = /(?:\+ ?|(?<![\d.,:])\()?(?<![\d.,:])\d+(?:(?: ?[-–./] ?| ?\) ?| ?\( ?|[ \u00a0\u202f])\d+)*/g;
const GROUP = /\d+/g;
/** In a query, letters directly in front of a number belong to it: "PO4500038812". */
const LETTERS_BEFORE = /[a-z]+$/i;
const MAX_LETTERS_BEFORE = 4;
const MIN_DIGITS = 7;
const MAX_DIGITS = 24;
const MAX_GROUPS = 8;
/** A sequence of single digits is not a number. */
const SHORTEST_GROUPS = 2;
const ADDRESS = /^\d{1,3}(?:\.\d{1,3}){3}$/;
/** Country codes of two digits (ITU-T E.164). Those that begin with 1 or 7 have one digit, all others three. */
const COUNTRY_CODE = /^(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})/;
/** Maximum number of grouped numbers read from one text. */
const MAX_NUMBERS = 500;

/**
 * Returns the numbers of a text that are written in groups, as one run of digits: `02079460958` for "020 7946 0958". A
 * telephone number with a country code is also returned as it is dialed within the country. In a query, numbers that
 * are one run are included.
 * @param taken amounts and dates of the text, in order; these are not returned
 */
export function groupedNumbers(text: string, taken: readonly Unit[], isQuery: boolean): Unit[] {
  const found: Unit[] = [];
  let next = 0;
  for (const { 0: whole, index } of text.matchAll(GROUPED)) {
    const isInternational = whole.startsWith("+");
    const groups = whole.match(GROUP)!;
    if (groups.length === 1 && !isInternational && !isQuery) continue;
    const end = index + whole.length;
    while (next < taken.length && taken[next]!.end <= index) next++;
    if (next < taken.length && taken[next]!.start < end) continue;
    const digits = groups.join("");
    if (digits.length < MIN_DIGITS || digits.length > MAX_DIGITS || groups.length > MAX_GROUPS) continue;
    if (digits.length < groups.length * SHORTEST_GROUPS || ADDRESS.test(whole)) continue;
    const floor = Math.max(0, index - MAX_LETTERS_BEFORE, taken[next - 1]?.end ?? 0);
    const letters = isQuery ? (LETTERS_BEFORE.exec(text.slice(floor, index))?.[0].length ?? 0) : 0;
    const terms = isInternational ? [nationalOf(whole), digits] : [digits];
    found.push({ start: index - letters, end, terms: [...new Set(terms)] });
    if (found.length >= MAX_NUMBERS) break;
  }
  return found;
}

/** Returns "+49 (0)171 2345678" as it is dialed in Germany. In North America, no prefix is added. */
function nationalOf(international: string): string {
  const digits = international.replace(/\( ?0 ?\)/, "").replace(/\D/g, "");
  const code = COUNTRY_CODE.exec(digits)?.[0] ?? "";
  const national = digits.slice(code.length);
  return code === "1" || national.startsWith("0") ? national : `0${national}`;
}
