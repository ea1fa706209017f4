import { expect, test } from "bun:test";
import { allOf, anyOf, complement, type DocumentSet, listed } from "./document-set.ts";

const TOTAL = 12;

/** Returns a set for each number: its bits are documents, and the highest bit says that they are excluded. */
function setOf(bits: number): DocumentSet {
  const documents = Array.from({ length: TOTAL }, (_, i) => i).filter((i) => bits & (1 << i));
  return { documents: Int32Array.from(documents), excluded: (bits & (1 << TOTAL)) !== 0 };
}

const members = (set: DocumentSet): Set<number> => new Set(listed(set, TOTAL, null));

test("sets of documents combine like sets, whether they list documents or exclude them", () => {
  let state = 7;
  const next = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state >>> 8;
  };
  for (let turn = 0; turn < 2_000; turn++) {
    const sets = Array.from({ length: next() % 5 }, () => setOf(next() & 0x1fff));
    const every = Array.from({ length: TOTAL }, (_, i) => i);
    const all = every.filter((i) => sets.every((set) => members(set).has(i)));
    const any = every.filter((i) => sets.some((set) => members(set).has(i)));
    expect([...members(allOf(sets))]).toEqual(all);
    expect([...members(anyOf(sets))]).toEqual(any);
    for (const set of sets) {
      const rest = every.filter((i) => !members(set).has(i));
      expect([...members(complement(set))]).toEqual(rest);
    }
  }
});

test("dead documents are left out when an excluding set is listed", () => {
  const dead = new Uint8Array(TOTAL);
  dead[3] = 1;
  expect([...listed({ documents: Int32Array.of(0, 1), excluded: true }, 6, dead)]).toEqual([2, 4, 5]);
});
