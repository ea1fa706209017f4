/**
 * The sorted dictionary of the terms of a mailbox: words as they were written, folded (see fold.ts). What a term costs to
 * look at decides how the functions of this folder search: `count` about 10 µs, a visited term about 0.1 µs.
 */
export interface Dictionary {
  /** Messages that have exactly this term (an upper bound); 0: not there. */
  count(term: string): number;
  /** Terms that begin with `prefix`, in code-unit order, with counts; `visit` returns false to stop. */
  range(prefix: string, context: RequestContext): void;
  /** Terms of at least 8 letters that end with `suffix` (4 letters or more). */
  ending(suffix: string, context: RequestContext): void;
  /**
   * All terms in order, leaving out blocks: `mayHold(first, next)` is asked for each block of some 1,500 terms with its
   * first term and that of the next block (null: the end), and answers false when no term in between can be wanted.
   */
  scan(mayHold: (first: string, next: string | null) => boolean, context: RequestContext): void;
  /** All messages. */
  readonly size: number;
}

/** Receives a term and its count; returns false to stop. */
export type RequestContext = (term: string, count: number) => boolean | undefined;

/** A term of the dictionary that stands for a word of the query, and what an occurrence counts. 1: the word itself. */
export interface WeightedTerm {
  term: string;
  weight: number;
}
