/** Longer names are unlikely to be typing errors, and comparing them takes time. */
const LONGEST_CHARS = 64;
const SHORTEST_PART_CHARS = 4;

/**
 * Returns the name in `known` that `name` was probably meant to be, or null. A match has the same letters in another
 * case or with other separators, a few slips (one in three characters at most, never all of them), or is part of a
 * longer name.
 */
export function nearestName(name: string, known: Iterable<string>): string | null {
  if (name.length > LONGEST_CHARS) return null;
  const given = plain(name);
  let best: string | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    const wanted = plain(candidate);
    const slips = distance(given, wanted);
    const longest = Math.max(given.length, wanted.length);
    const isNear = slips < longest && slips <= Math.max(1, Math.floor(longest / 3));
    if ((isNear || isPart(given, wanted)) && slips < least) [best, least] = [candidate, slips];
  }
  return best;
}

const plain = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

function isPart(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return short.length >= SHORTEST_PART_CHARS && long.includes(short);
}

/**
 * Returns how many characters must be added, removed, replaced or swapped with their neighbor (optimal string
 * alignment).
 */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      row[j] = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1));
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) row[j] = Math.min(row[j]!, before[j - 2]! + 1);
    }
    [before, last] = [last, row];
  }
  return last[b.length]!;
}
