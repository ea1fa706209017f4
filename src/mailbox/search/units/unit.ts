/** A part of a text that stands for an amount, a date or a long number. */
export interface Unit {
  /** Offsets into the text that was given; `end` is exclusive. */
  start: number;
  end: number;
  /**
   * Index terms. Most begin with a mark, so that none of them is a word: `$8.99usd` for an amount, `@0312` for a day of
   * the year, `@m03` for a month, `@2026-03` and `@2026-03-12` where the year is known. A long number is its digits, which are
   * a word where it is written without spaces.
   */
  terms: string[];
}

/** Where in a text units are being read. */
export interface Place {
  /** End of the last unit: the next one does not begin before it. */
  floor: number;
  /** Start of a currency in the last unit that may also belong to the next number; -1 where there is none. */
  sharedFrom: number;
  isQuery: boolean;
}
