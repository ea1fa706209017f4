import { expect, test } from "bun:test";
import fc from "fast-check";
import { FIELD_COUNT } from "../fields.ts";
import { asBuffer, ByteReader, ByteWriter, textAt } from "./bytes.ts";
import { DictionaryBlock, DictionaryBlockWriter, type Entry } from "./dictionary-block.ts";
import { BLOCK_BYTES, blockId, blockRange, readRange, STREAMS, StreamWriter } from "./format.ts";
import { addPostings, PositionsReader, PostingsReader, PostingsWriter } from "./postings.ts";
import { MemoryBlocks } from "./store.ts";

const numbers = fc.oneof(
  fc.maxSafeNat(),
  fc.nat(300),
  fc
    .integer({ min: 0, max: 53 })
    .chain((bits) => fc.constantFrom(2 ** bits - 1, Math.min(2 ** bits, Number.MAX_SAFE_INTEGER))),
);

test("numbers and texts are read as they were written", () => {
  fc.assert(
    fc.property(fc.array(numbers), fc.string({ unit: "grapheme" }), (list, text) => {
      const out = new ByteWriter(1);
      for (const number of list) out.varint(number);
      const bytes = Buffer.from(text);
      const at = out.length;
      out.bytes(bytes);
      const reader = new ByteReader(out.take());
      for (const number of list) expect(reader.varint()).toBe(number);
      expect(reader.at).toBe(at);
      expect(textAt(asBuffer(reader.bytes), at, bytes.length)).toBe(text);
    }),
  );
});

test("a stream is read from any position to any other, across blocks", () => {
  const bytes = Uint8Array.from({ length: BLOCK_BYTES * 3 + 100 }, (_, i) => (i * 7) % 251);
  const blocks = new MemoryBlocks();
  const writer = new StreamWriter(blocks, "postings");
  for (let at = 0; at < bytes.length; at += 1_000) writer.write(bytes.subarray(at, at + 1_000));
  expect(writer.length).toBe(bytes.length);
  writer.end();
  const place = fc.oneof(
    fc.nat(bytes.length),
    fc.integer({ min: -2, max: 2 }).map((by) => BLOCK_BYTES + by),
  );
  fc.assert(
    fc.property(place, place, (a, b) => {
      const [from, to] = [Math.min(a, b), Math.max(a, b)];
      expect(Buffer.compare(readRange(blocks, "postings", from, to), bytes.subarray(from, to))).toBe(0);
    }),
  );
});

test("every block has a separate row within the range of its segment", () => {
  const block = fc.tuple(fc.nat(1_000_000), fc.constantFrom(...STREAMS), fc.nat(2 ** 21 - 1));
  fc.assert(
    fc.property(block, block, (a, b) => {
      expect(blockId(...a) === blockId(...b)).toBe(a.join() === b.join());
      const [from, to] = blockRange(a[0]);
      expect(blockId(...a)).toBeWithin(from, to);
      expect(Number.isSafeInteger(blockId(...a))).toBe(true);
    }),
  );
});

const terms = fc.uniqueArray(
  fc.oneof(fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }), fc.stringMatching(/^[ab]{1,12}$/)),
  {
    minLength: 1,
    maxLength: 200,
  },
);

test("a dictionary block visits all of its terms from any term on", () => {
  fc.assert(
    fc.property(terms, fc.string({ unit: "grapheme", maxLength: 3 }), (list, from) => {
      const sorted = list.toSorted((a, b) => (a < b ? -1 : 1));
      const writer = new DictionaryBlockWriter();
      const entries: Entry[] = [];
      let [postings, positions] = [1_000_000, 3_000_000_000];
      for (const [i, term] of sorted.entries()) {
        const entry = { term, count: i + 1, postings, postingsLength: i * 3, positions, positionsLength: i * 500 };
        postings += entry.postingsLength;
        positions += entry.positionsLength;
        if (writer.isFull) break;
        writer.add(entry);
        entries.push(entry);
      }
      const block = new DictionaryBlock(writer.take());
      const found: Entry[] = [];
      expect(block.visit(from, (entry) => void found.push(entry))).toBe(true);
      expect(found).toEqual(entries.filter(({ term }) => term >= from));
    }),
  );
});

const occurrences = fc.array(
  fc.record({
    gap: fc.integer({ min: 1, max: 100_000 }),
    // By field; at least one is not empty.
    counts: fc
      .array(fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(6)), {
        minLength: FIELD_COUNT,
        maxLength: FIELD_COUNT,
      })
      .filter((counts) => counts.some((count) => count > 0)),
  }),
  { minLength: 1, maxLength: 30 },
);

test("postings return the count of each field in each document, and add up to the same counts", () => {
  fc.assert(
    fc.property(occurrences, (list) => {
      const out = new ByteWriter();
      const writer = new PostingsWriter(out);
      writer.begin();
      let document = -1;
      const wanted = list.map(({ gap, counts }) => {
        document += gap;
        const mask = counts.reduce((sum, count, field) => (count > 0 ? sum | (1 << field) : sum), 0);
        writer.add(document, mask, Int32Array.from(counts));
        return { document, counts };
      });
      const bytes = out.take();
      const reader = new PostingsReader(bytes);
      for (const { document, counts } of wanted) {
        expect(reader.next()).toBe(true);
        expect(reader.document).toBe(document);
        expect(counts.map((_, field) => (reader.mask & (1 << field) ? reader.counts[field]! : 0))).toEqual(counts);
        expect(reader.occurrences).toBe(counts.reduce((a, b) => a + b));
      }
      expect(reader.next()).toBe(false);
      const weights = Float32Array.from({ length: FIELD_COUNT }, (_, field) => field + 1);
      const [sums, touched] = [new Float32Array(document + 1), new Int32Array(document + 1)];
      const end = addPostings(bytes, weights, 2, sums, touched, 0);
      expect([...touched.subarray(0, end)]).toEqual(wanted.map(({ document }) => document));
      for (const { document, counts } of wanted) {
        expect(sums[document]).toBe(2 * counts.reduce((sum, count, field) => sum + count * (field + 1), 0));
      }
    }),
  );
});

test("positions are read and skipped", () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.nat(70_000), { maxLength: 5 })), (groups) => {
      const sorted = groups.map((group) => group.toSorted((a, b) => a - b));
      const out = new ByteWriter();
      for (const group of sorted) for (const [i, place] of group.entries()) out.varint(place - (group[i - 1] ?? 0));
      const bytes = out.take();
      const reader = new PositionsReader(bytes);
      const skipper = new PositionsReader(bytes);
      for (const group of sorted) {
        const list: number[] = [];
        reader.read(group.length, list);
        expect(list).toEqual(group);
        skipper.skip(group.length);
        expect(skipper.offset).toBe(reader.offset);
      }
      expect(reader.offset).toBe(bytes.length);
    }),
  );
});
