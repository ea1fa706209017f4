import { compoundsWithUnknown, joined, longerWith, partsOf, splitAfterLetter } from "./terms/compounds.ts";
import type { Dictionary, WeightedTerm } from "./terms/dictionary.ts";
import { formsOf } from "./terms/forms.ts";
import { correctionOf } from "./terms/spelling.ts";

/** A word of a query that was searched for in another spelling. */
export interface Correction {
  from: string;
  to: string;
}

/** The terms that a plain word of a query is searched by. */
interface WordTerms {
  terms: WeightedTerm[];
  correction: Correction | null;
  /** Words whose forms must all occur instead: the parts of a compound that no message has. */
  parts: string[] | null;
  /** Words that may be side by side instead: "e ticket" for "eticket". */
  phrase: string[] | null;
}

/** Words that are corrected, and words that are tried. Each try can visit 200,000 terms of the dictionary. */
const MAX_CORRECTED = 3;
export const MAX_TRIED = 4;
/** Weight of a frequent neighbor of a rare word. */
const NEIGHBOR_WEIGHT = 0.4;
/**
 * In a mailbox without compounds such as those of German, compounds are searched for only if a word is rarer than this.
 */
const FEW = 5;
const COMPOUNDING_WEIGHT = 0.4;
const SHORTEST_COMPOUNDED = 5;

/** Finds the terms of the words of one query. */
export class QueryTerms {
  #corrections = 0;
  #tried = 0;

  /** @param corrects whether words without matches are tried in another spelling */
  constructor(
    private readonly dictionary: Dictionary,
    private readonly corrects = true,
  ) {}

  /** @param word plain, folded */
  of(word: string): WordTerms {
    const { dictionary } = this;
    const terms = formsOf(word, dictionary);
    const count = terms.reduce((sum, { term }) => sum + dictionary.count(term), 0);
    const found: WordTerms = {
      terms: this.#withLonger(word, terms, count),
      correction: null,
      parts: null,
      phrase: null,
    };
    if (count > FEW || found.terms.length > terms.length) return found;
    if (count === 0) {
      const parts = partsOf(word, dictionary);
      if (parts) return { ...found, parts };
      const longer = compoundsWithUnknown(word, dictionary);
      if (longer.length > 0) return { ...found, terms: [...terms, ...longer] };
      found.phrase = splitAfterLetter(word, dictionary);
    }
    if (!this.corrects || this.#corrections >= MAX_CORRECTED || this.#tried >= MAX_TRIED) return found;
    this.#tried++;
    const better = correctionOf(word, dictionary, terms);
    if (!better) return found;
    this.#corrections++;
    const forms = formsOf(better.term, dictionary);
    if (better.kind === "replace") {
      return { ...found, terms: forms, correction: { from: word, to: better.term } };
    }
    const also = forms.map(({ term, weight }) => ({ term, weight: weight * NEIGHBOR_WEIGHT }));
    return { ...found, terms: [...found.terms, ...also] };
  }

  /** Returns the terms for two words written as one: "note book" finds "notebook". */
  joined(first: string, second: string): WeightedTerm[] {
    return joined(first, second, this.dictionary);
  }

  #withLonger(word: string, terms: WeightedTerm[], count: number): WeightedTerm[] {
    if (word.length < SHORTEST_COMPOUNDED) return terms;
    const known = new Set(terms.map(({ term }) => term));
    const longer = longerWith(word, this.dictionary, terms).filter(
      ({ term, weight }) => !known.has(term) && (weight >= COMPOUNDING_WEIGHT || count < FEW),
    );
    return [...terms, ...longer];
  }
}
