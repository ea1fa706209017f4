import type { Dictionary, TermVisitor } from "../../src/mailbox/search/terms/dictionary.ts";

/** Terms of a block of the sealed dictionary. */
const BLOCK_TERMS = 1_500;
const SHORTEST_BY_ENDING = 8;

/** A dictionary in memory. `visited` and `counted` sum the lookups. */
export class MemoryDictionary implements Dictionary {
  visited = 0;
  counted = 0;
  readonly #terms: string[];
  readonly #counts: Map<string, number>;
  #backward: { reversed: string; term: string }[] | null = null;

  constructor(
    counts: Iterable<readonly [string, number]>,
    readonly size = 1_000,
  ) {
    this.#counts = new Map(counts);
    this.#terms = [...this.#counts.keys()].sort(byCodeUnits);
  }

  count(term: string): number {
    this.counted++;
    return this.#counts.get(term) ?? 0;
  }

  range(prefix: string, context: TermVisitor): void {
    const terms = this.#terms;
    for (let i = firstAtLeast(terms.length, (at) => terms[at]! >= prefix); i < terms.length; i++) {
      const term = terms[i]!;
      if (!term.startsWith(prefix)) return;
      if (this.#visit(term, context) === false) return;
    }
  }

  ending(suffix: string, context: TermVisitor): void {
    this.#backward ??= this.#terms
      .filter((term) => term.length >= SHORTEST_BY_ENDING)
      .map((term) => ({ reversed: reverse(term), term }))
      .sort((a, b) => byCodeUnits(a.reversed, b.reversed));
    const backward = this.#backward;
    const wanted = reverse(suffix);
    for (let i = firstAtLeast(backward.length, (at) => backward[at]!.reversed >= wanted); i < backward.length; i++) {
      if (!backward[i]!.reversed.startsWith(wanted)) return;
      if (this.#visit(backward[i]!.term, context) === false) return;
    }
  }

  scan(mayHold: (first: string, next: string | null) => boolean, context: TermVisitor): void {
    const terms = this.#terms;
    for (let start = 0; start < terms.length; start += BLOCK_TERMS) {
      const end = Math.min(start + BLOCK_TERMS, terms.length);
      if (!mayHold(terms[start]!, terms[end] ?? null)) continue;
      for (let i = start; i < end; i++) if (this.#visit(terms[i]!, context) === false) return;
    }
  }

  #visit(term: string, context: TermVisitor): boolean | undefined {
    this.visited++;
    return context(term, this.#counts.get(term)!);
  }
}

/** A dictionary of the words of a text, separated by blanks; `word:12` is in 12 messages, others in 10. */
export function dictionaryOf(text: string, size = 1_000): MemoryDictionary {
  const counts = text
    .split(/\s+/)
    .filter((word) => word !== "")
    .map((word) => {
      const [term, count] = word.split(":");
      return [term!, count === undefined ? 10 : Number(count)] as const;
    });
  return new MemoryDictionary(counts, size);
}

function firstAtLeast(length: number, holds: (at: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Sorts by code units, as the sealed dictionary does. */
function reverse(text: string): string {
  let reversed = "";
  for (let i = text.length - 1; i >= 0; i--) reversed += text[i];
  return reversed;
}
