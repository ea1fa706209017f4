/**
 * The sorted dictionary of the terms of a mailbox: words as written, folded (see fold.ts). The cost of examining terms
 * decides how the functions of this folder search: `count` takes about 10 µs, a visited term about 0.1 µs.
 */
export interface Dictionary {
  /** Returns the number of messages that have exactly this term (an upper bound); 0: none. */
  count(term: string): number;
  /** Visits terms that begin with `prefix`, in code-unit order, with counts; `visit` returns false to stop. */
  range(prefix: string, visit: TermVisitor): void;
  /** Visits terms of at least 8 letters that end with `suffix` (4 letters or more). */
  ending(suffix: string, visit: TermVisitor): void;
  /**
   * Visits all terms in order, except for skipped blocks. `mayHold(first, next)` is called for each block of some 1,500
   * terms with its first term and that of the next block (null: the end), and returns false if no term in between can
   * be wanted.
   */
  scan(mayHold: (first: string, next: string | null) => boolean, visit: TermVisitor): void;
  /** Number of all messages. */
  readonly size: number;
}

/** Receives a term and its count; returns false to stop. */
export type TermVisitor = (term: string, count: number) => boolean | undefined;

/**
 * A term of the dictionary that stands for a word of the query, and the weight of an occurrence. 1: the word itself.
 */
export interface WeightedTerm {
  term: string;
  weight: number;
}
