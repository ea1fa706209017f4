/** A part of a text that is an amount, a date or a long number. */
export interface Unit {
  /** Offsets in the given text; `end` is exclusive. */
  start: number;
  end: number;
  /**
   * Index terms. Most begin with a mark, so that none of them equals a word: `$8.99usd` for an amount, `@0312` for a
   * day of the year, `@m03` for a month, `@2026-03` and `@2026-03-12` if the year is known. A long number is indexed as
   * its digits, which equal the word if it is written without spaces.
   */
  terms: string[];
}

/** Position in a text during reading. */
export interface UnitScan {
  /** End of the last unit; the next one must not start before it. */
  floor: number;
  /** Start of a currency in the last unit that may also belong to the next number; -1 if there is none. */
  sharedFrom: number;
  isQuery: boolean;
}
