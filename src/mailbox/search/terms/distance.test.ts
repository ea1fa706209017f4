import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { NearWords, typingCost } from "./distance.ts";

/** Returns the Damerau-Levenshtein distance (optimal string alignment), computed with the full table. */
function distanceOf(a: string, b: string): number {
  const table = Array.from({ length: a.length + 1 }, (_, i) => Array.from({ length: b.length + 1 }, (_, j) => i + j));
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const replaced = table[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      let least = Math.min(table[i - 1]![j]! + 1, table[i]![j - 1]! + 1, replaced);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        least = Math.min(least, table[i - 2]![j - 2]! + 1);
      }
      table[i]![j] = least;
    }
  }
  return table[a.length]![b.length]!;
}

const letters = fc.stringMatching(/^[abc]{0,7}$/);
const word = fc.stringMatching(/^[abc]{4,9}$/);

describe("near words of a sorted list", () => {
  test("the distance of terms with the same first letters equals that of the full table", () => {
    fc.assert(
      fc.property(word, fc.array(letters, { maxLength: 30 }), (asked, ends) => {
        const near = new NearWords(asked, 2);
        for (const term of ends.map((end) => asked.slice(0, 3) + end).sort()) {
          expect(near.distance(term)).toBe(Math.min(3, distanceOf(asked, term)));
        }
      }),
      { seed: 3, numRuns: 300 },
    );
  });

  test("the distance of any near term equals that of the full table, in any order of terms", () => {
    fc.assert(
      fc.property(word, fc.array(letters, { maxLength: 40 }), (asked, terms) => {
        const near = new NearWords(asked, 2);
        for (const term of terms) {
          const found = near.distance(term);
          if (found < near.far) expect(found).toBe(distanceOf(asked, term));
        }
      }),
      { seed: 4, numRuns: 300 },
    );
  });

  test("no block that contains a near word is skipped", () => {
    fc.assert(
      fc.property(word, fc.array(letters, { minLength: 2, maxLength: 60 }), (asked, ends) => {
        const terms = [...new Set(ends.flatMap((end) => [end, asked.slice(0, 2) + end]))].sort();
        const plain = new NearWords(asked, 2);
        const near = terms.filter((term) => plain.distance(term) < plain.far);
        const blocks = new NearWords(asked, 2);
        const found: string[] = [];
        for (let at = 0; at < terms.length; at += 3) {
          if (!blocks.mayHold(terms[at]!, terms[at + 3] ?? null)) continue;
          found.push(...terms.slice(at, at + 3).filter((term) => blocks.distance(term) < blocks.far));
        }
        expect(found).toEqual(near);
      }),
      { seed: 5, numRuns: 1_000 },
    );
  });
});

test("swaps, doubled letters and neighboring keys cost less than other errors, and errors in the first letter more", () => {
  const cost = (typed: string) => typingCost(typed, "invoice");
  expect(cost("invoice")).toBe(0);
  for (const likely of ["inovice", "invvoice", "invoicw"]) expect(cost(likely)).toBeLessThan(cost("invozce"));
  expect(cost("xnvoice")).toBeGreaterThan(cost("invoixe"));
});
