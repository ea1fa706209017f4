import { expect, test } from "bun:test";
import { both, complement, type DocumentSet, either, listed } from "./document-set.ts";

const TOTAL = 12;

/** A set for each number: its bits are documents; the highest says that they are excluded. */
function setOf(bits: number): DocumentSet {
  const documents = Array.from({ length: TOTAL }, (_, i) => i).filter((i) => bits & (1 << i));
  return { documents: Int32Array.from(documents), excluded: (bits & (1 << TOTAL)) !== 0 };
}

const members = (set: DocumentSet): Set<number> => new Set(listed(set, TOTAL, null));

test("sets of documents combine as sets do, whether they list documents or exclude them", () => {
  let state = 7;
  const next = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state >>> 8;
  };
  for (let turn = 0; turn < 2_000; turn++) {
    const [a, b] = [setOf(next() & 0x1fff), setOf(next() & 0x1fff)];
    const [left, right] = [members(a), members(b)];
    expect(members(both(a, b))).toEqual(left.intersection(right));
    expect(members(either(a, b))).toEqual(left.union(right));
    const rest = Array.from({ length: TOTAL }, (_, i) => i).filter((i) => !left.has(i));
    expect([...members(complement(a))]).toEqual(rest);
  }
});

test("dead documents are not among all others", () => {
  const dead = new Uint8Array(TOTAL);
  dead[3] = 1;
  expect([...listed({ documents: Int32Array.of(0, 1), excluded: true }, 6, dead)]).toEqual([2, 4, 5]);
});
