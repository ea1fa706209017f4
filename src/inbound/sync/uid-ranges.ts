/** UIDs as ranges, so that a folder of a million messages takes a handful of numbers. */

/** First and last UID, both included. */
export type Range = readonly [first: number, last: number];

/** Returns the ranges of a sorted list without duplicates. */
export function rangesOf(uids: readonly number[]): Range[] {
  const ranges: [number, number][] = [];
  for (const uid of uids) {
    const last = ranges.at(-1);
    if (last && uid <= last[1] + 1) last[1] = Math.max(last[1], uid);
    else ranges.push([uid, uid]);
  }
  return ranges;
}

/** Parses "1:5,9,12:10" (RFC 9051 §9, sequence-set). Invalid ranges are left out. */
export function readRanges(text: string): Range[] {
  const ranges = text.split(",").flatMap((part): Range[] => {
    const match = /^(\d{1,10})(?::(\d{1,10}))?$/.exec(part.trim());
    if (!match) return [];
    const [a, b] = [Number(match[1]), Number(match[2] ?? match[1])];
    return [[Math.min(a, b), Math.max(a, b)]];
  });
  const merged: [number, number][] = [];
  for (const [first, last] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const before = merged.at(-1);
    if (before && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else merged.push([first, last]);
  }
  return merged;
}

/** Counts the numbers on the left, and those on one side only. Both sides are sorted and do not overlap. */
export function countDifferences(
  left: readonly Range[],
  right: readonly Range[],
): { left: number; onlyLeft: number; onlyRight: number } {
  const size = (ranges: readonly Range[]) => ranges.reduce((sum, [first, last]) => sum + last - first + 1, 0);
  let both = 0;
  for (let i = 0, j = 0; i < left.length && j < right.length; ) {
    const [a, b] = [left[i]!, right[j]!];
    both += Math.max(0, Math.min(a[1], b[1]) - Math.max(a[0], b[0]) + 1);
    if (a[1] < b[1]) i++;
    else j++;
  }
  const total = size(left);
  return { left: total, onlyLeft: total - both, onlyRight: size(right) - both };
}

/** Splits a range into pieces of at most `width` numbers, lazily, because a server may report ranges of billions. */
export function* slicesOf([first, last]: Range, width: number): Generator<Range> {
  for (let low = first; low <= last; low += width) yield [low, Math.min(last, low + width - 1)];
}
