import { expect, setDefaultTimeout, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { TermReader } from "../../src/mailbox/search/documents.ts";
import { sealPending } from "../../src/mailbox/search/pending.ts";
import { buildSegment } from "../../src/mailbox/search/segments/build.ts";
import { type BlockSink, STREAMS, type Stream } from "../../src/mailbox/search/segments/format.ts";
import { mergeSegments } from "../../src/mailbox/search/segments/merge.ts";
import { Segment } from "../../src/mailbox/search/segments/segment.ts";
import { MemoryBlocks } from "../../src/mailbox/search/segments/store.ts";
import { Sealer } from "../../src/platform/sealing/sealer.ts";
import { wordList } from "./word-list.ts";

/**
 * An attacker fills a segment with mail of their own, all but one message, and counts its blocks on the disk. They know
 * every byte of what they sent, so they can fill the last block up to its end: one more word in the one message then
 * needs another block.
 */
setDefaultTimeout(60_000);

const BUILDS = 100;
/** Share of builds by which two messages may differ by chance: seven times its standard deviation. */
const CHANCE = 0.5;
const NOTHING = { from: { name: "", email: "" }, to: [], cc: [], bcc: [], attachments: [] };
const reader = new TermReader();
const mail = (text: string, i: number) => ({
  id: i + 1,
  n: i + 1,
  date: 1_700_000_000 + i,
  terms: reader.read({ ...NOTHING, subject: "", text }),
});

/** What the disk shows of a segment: the number of blocks of each stream. */
type Counts = Record<Stream, number>;

class CountedBlocks extends MemoryBlocks implements BlockSink {
  readonly counts: Counts = { dictionary: 0, postings: 0, positions: 0, documents: 0 };

  override write(stream: Stream, block: number, bytes: Uint8Array): void {
    this.counts[stream]++;
    super.write(stream, block, bytes);
  }
}

function built(texts: readonly string[]) {
  const blocks = new CountedBlocks();
  const head = buildSegment(texts.map(mail), blocks);
  return { head, blocks, segment: new Segment(head, blocks) };
}

/** How often each number of blocks occurs. */
function seen(stream: Stream, counts: readonly Counts[]): Map<number, number> {
  const found = new Map<number, number>();
  for (const { [stream]: count } of counts) found.set(count, (found.get(count) ?? 0) + 1);
  return found;
}

/** Returns the share of builds that reveals which of two texts it was. */
function distinguished(stream: Stream, one: readonly Counts[], other: readonly Counts[]): number {
  const [a, b] = [seen(stream, one), seen(stream, other)];
  const numbers = new Set([...a.keys(), ...b.keys()]);
  return [...numbers].reduce((sum, count) => sum + Math.abs((a.get(count) ?? 0) - (b.get(count) ?? 0)), 0) / 2 / BUILDS;
}

const list = wordList(4_000).join(" ");
const WITHOUT = "Dear Ann, the results of the examination are here. They are good.";
const WITH = "Dear Ann, the results of the examination are here. Chemotherapy is good.";

/** Artificial words that sort after all others in the dictionary. */
const filler = (words: number) =>
  Array.from({ length: words }, (_, i) => `zz${(i * 7_919 + 46_656).toString(36)}`).join(" ");

/** Computes, from what is sent alone, the mail with which the one word needs another block of the dictionary. */
function calibrated(): string[] {
  const differs = (words: number) => {
    const sizeWith = (text: string) => built([list, filler(words), text]).head.lengths.dictionary;
    return sizeWith(WITH) - sizeWith(WITHOUT);
  };
  const size = (words: number) => built([list, filler(words), WITHOUT]).head.lengths.dictionary;
  let [low, high] = [0, 3_000];
  const before = size(low);
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (size(middle) > before) high = middle;
    else low = middle;
  }
  for (let words = low; words > low - 20; words--) if (differs(words) > 0) return [list, filler(words)];
  throw new Error("No number of words fills a block.");
}

const sent = calibrated();

test("the word does need another block of terms", () => {
  const size = (text: string) => built([...sent, text]).head.lengths.dictionary;
  expect(size(WITH)).toBeGreaterThan(size(WITHOUT));
});

test("the number of blocks does not show whether a message has a word", () => {
  const counts = (text: string) => Array.from({ length: BUILDS }, () => built([...sent, text]).blocks.counts);
  const [without, having] = [counts(WITHOUT), counts(WITH)];
  for (const stream of STREAMS)
    expect([stream, distinguished(stream, having, without) < CHANCE]).toEqual([stream, true]);
});

test("nor does it after the segment was merged", async () => {
  const counts = async (text: string) => {
    const [first, second] = [built(sent), built([text])];
    return Promise.all(
      Array.from({ length: BUILDS }, async () => {
        const blocks = new CountedBlocks();
        await mergeSegments([first.segment, second.segment], blocks, async () => {});
        return blocks.counts;
      }),
    );
  };
  const [without, having] = [await counts(WITHOUT), await counts(WITH)];
  expect(distinguished("dictionary", having, without)).toBeLessThan(CHANCE);
});

test("segments of one text have different numbers of blocks", () => {
  const counts = Array.from({ length: BUILDS }, () => built([list, filler(500), WITH]).blocks.counts);
  const varying = STREAMS.filter((stream) => seen(stream, counts).size > 1);
  expect(varying).toContain("positions");
});

test("the length of a pending message does not show whether it has a word beside those that it quotes", () => {
  const sealer = new Sealer(new Map([[1, randomBytes(32)]]));
  const termsOf = (text: string, quoted: number) => mail(`${text} ${filler(quoted)}`, 0).terms;
  const steps = ({ length }: Uint8Array) => Math.ceil((length + 5) / 512);
  const quoted = Array.from({ length: 200 }, (_, i) => i).find(
    (i) => steps(termsOf(WITH, i)) > steps(termsOf(WITHOUT, i)),
  )!;
  const longer = (text: string) =>
    Array.from({ length: BUILDS }, () => sealPending(sealer, "usr_1", 1, 1_700_000_000, termsOf(text, quoted)).length);
  const [without, having] = [longer(WITHOUT), longer(WITH)];
  const mean = (list: readonly number[]) => list.reduce((sum, each) => sum + each, 0) / list.length;
  expect(mean(having) - mean(without)).toBeLessThan(CHANCE * 512);
});
