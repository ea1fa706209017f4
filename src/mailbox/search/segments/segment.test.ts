import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type DocumentContent, type IndexedDocument, readSegment } from "../../../../test/support/index-content.ts";
import { anywhere } from "../../../../test/support/index-model.ts";
import {
  manyWords,
  type NaiveMessage,
  naiveContent,
  naiveLength,
  naiveMessages,
  naivePhrase,
  onlyText,
} from "../../../../test/support/naive-index.ts";
import { SegmentDictionary } from "../dictionary.ts";
import { TermReader } from "../documents.ts";
import { Evaluator, type Lookup } from "../evaluate.ts";
import { Workspace } from "../workspace.ts";
import { buildSegment } from "./build.ts";
import type { SegmentHead } from "./format.ts";
import { mergeSegments } from "./merge.ts";
import { Segment } from "./segment.ts";
import { MemoryBlocks } from "./store.ts";

const reader = new TermReader();
const now = async () => {};

interface Made {
  head: SegmentHead;
  blocks: MemoryBlocks;
  segment: Segment;
}

const opened = (head: SegmentHead, blocks: MemoryBlocks): Made => ({
  head,
  blocks,
  segment: new Segment(head, blocks),
});

/** Builds a segment. @param first id of the first document */
function built(messages: readonly NaiveMessage[], first = 1): Made {
  const blocks = new MemoryBlocks();
  const documents = messages.map(({ message, fileText, extra }, i) => ({
    id: first + i,
    // Newer text of older messages follows that of newer messages.
    n: (i % 3 === 2 ? 0 : 1_000) + i,
    date: 1_700_000_000 + i,
    terms: reader.read(message, fileText, extra),
  }));
  return opened(buildSegment(documents, blocks), blocks);
}

async function merged(made: readonly Made[]): Promise<Made> {
  const blocks = new MemoryBlocks();
  return opened(
    await mergeSegments(
      made.map(({ segment }) => segment),
      blocks,
      now,
    ),
    blocks,
  );
}

function sameContent(found: DocumentContent, wanted: DocumentContent): void {
  expect([...found.keys()].sort()).toEqual([...wanted.keys()].sort());
  for (const [term, fields] of wanted) {
    const places = found.get(term)!;
    expect([term, ...[...places].flat(2)]).toEqual([term, ...[...fields].sort(([a], [b]) => a - b).flat(2)]);
  }
}

function sameDocuments(found: readonly IndexedDocument[], wanted: readonly NaiveMessage[]): void {
  expect(found.length).toBe(wanted.length);
  for (const [i, document] of found.entries()) {
    sameContent(document.terms, naiveContent(wanted[i]!));
    expect(document.length).toBe(Math.min(65_535, naiveLength(wanted[i]!)));
  }
}

describe("a segment", () => {
  test("has exactly the terms, counts and positions of its messages", () => {
    fc.assert(
      fc.property(fc.array(naiveMessages, { minLength: 1, maxLength: 12 }), (messages) => {
        const { head, blocks } = built(messages);
        sameDocuments(readSegment(head, blocks), messages);
      }),
      { numRuns: 150 },
    );
  });

  test("keeps the terms of a message that has more words than are indexed, and of several blocks", () => {
    const messages = [
      onlyText(manyWords(50_000), manyWords(50_000, 50_000)),
      onlyText(""),
      onlyText(manyWords(30, 49_990)),
    ];
    const { head, blocks, segment } = built(messages);
    const documents = readSegment(head, blocks);
    expect(documents.map(({ terms }) => terms.size)).toEqual([60_000, 0, 30]);
    expect(head.lengths.dictionary).toBeGreaterThan(16_384 * 10);
    for (const term of documents[0]!.terms.keys()) expect(segment.find(term)?.term).toBe(term);
    expect(segment.find("zzzzz")).toBeNull();
  }, 60_000);

  test("without any words can be read", () => {
    const { head, blocks, segment } = built([onlyText(""), onlyText("...")]);
    expect(readSegment(head, blocks).map(({ terms }) => terms.size)).toEqual([0, 0]);
    expect(segment.find("word")).toBeNull();
    expect(
      new Evaluator(segment, new Workspace()).find({ kind: "prefix", prefix: "w", fields: null }).documents.length,
    ).toBe(0);
  });

  test("finds the same words, phrases and prefixes as reading the messages", () => {
    const asked = fc.array(
      fc.constantFrom("invoice", "invoices", "inv", "strasse", "strassenbahn", "東京", "で", "a", "x"),
      {
        minLength: 1,
        maxLength: 3,
      },
    );
    fc.assert(
      fc.property(
        fc.array(naiveMessages, { minLength: 1, maxLength: 20 }),
        fc.array(fc.nat(19), { maxLength: 4 }),
        asked,
        fc.boolean(),
        (messages, dead, words, prefix) => {
          const { segment } = built(messages);
          for (const i of dead) if (i < messages.length) segment.leaveOut(segment.n[i]!, 1_000);
          const ask: Lookup =
            words.length > 1
              ? { kind: "phrase", words, prefix, fields: null }
              : prefix
                ? { kind: "prefix", prefix: words[0]!, fields: null }
                : { kind: "terms", terms: [{ term: words[0]!, weight: 1 }], fields: null };
          const searched = messages.map((message) => naiveContent(anywhere(message)));
          const wanted = searched.flatMap((content, i) =>
            !dead.includes(i) && naivePhrase(content, words, prefix) ? [i] : [],
          );
          const evaluator = new Evaluator(segment, new Workspace());
          expect([...evaluator.find(ask).documents]).toEqual(wanted);
          expect([...evaluator.find(ask).documents]).toEqual(wanted);
        },
      ),
      { numRuns: 300 },
    );
  });

  test("returns the documents of a message in any order", () => {
    fc.assert(
      fc.property(fc.array(naiveMessages, { minLength: 1, maxLength: 12 }), (messages) => {
        const { segment } = built(messages);
        for (const [i, n] of segment.n.entries()) {
          expect(segment.documentsOf(n)).toContain(i);
          for (const document of segment.documentsOf(n)) expect(segment.n[document]).toBe(n);
        }
        expect(segment.documentsOf(5_000)).toEqual([]);
      }),
    );
  });
});

describe("merging", () => {
  test("gives the same as building all live documents at once, in any order and over several levels", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(naiveMessages, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 6 }),
        fc.array(fc.nat(40), { maxLength: 12 }),
        fc.integer({ min: 2, max: 4 }),
        async (groups, dead, fan) => {
          let id = 1;
          let made = groups.map((group) => {
            const one = built(group, id);
            id += group.length;
            return one;
          });
          for (const [i, { segment }] of made.entries()) {
            for (const at of dead)
              if (at % made.length === i && at < segment.documents) segment.leaveOut(segment.n[at]!, id);
          }
          const isDead = made.map(({ segment }) => segment.dead);
          const wanted = groups.flatMap((group, g) => group.filter((_, i) => isDead[g]?.[i] !== 1));
          while (made.length > 1) {
            const next: Made[] = [];
            for (let i = 0; i < made.length; i += fan) next.push(await merged(made.slice(i, i + fan)));
            made = next;
          }
          const [last] = isDead.length === 1 ? [await merged(made)] : made;
          sameDocuments(readSegment(last!.head, last!.blocks), wanted);
        },
      ),
      { numRuns: 100 },
    );
  }, 60_000);

  test("leaves no term that only deleted messages have, not even reversed", async () => {
    const made = built([onlyText("Geheimniskrämerei secretive"), onlyText("ordinary correspondence")]);
    made.segment.leaveOut(made.segment.n[0]!, 10);
    const { head, blocks, segment } = await merged([made]);
    readSegment(head, blocks);
    const terms: string[] = [];
    segment.visit("", ({ term }) => void terms.push(term));
    expect(terms).toEqual(["correspondence", "ordinary", "\uffffecnednopserroc", "\uffffyranidro"]);
    const endings: string[] = [];
    new SegmentDictionary([segment]).ending("erei", (term) => void endings.push(term));
    expect(endings).toEqual([]);
  });

  test("leaves nothing if all documents are deleted", async () => {
    const made = built([onlyText("one"), onlyText("two")]);
    for (const n of made.segment.n) made.segment.leaveOut(n, 10);
    const head = await mergeSegments([made.segment], new MemoryBlocks(), now);
    expect([head.documents, head.terms, head.words]).toEqual([0, 0, 0]);
  });

  test("handles segments of many blocks", async () => {
    const first = built([onlyText(manyWords(40_000))], 1);
    const second = built([onlyText(manyWords(40_000, 20_000)), onlyText("tail")], 2);
    const { head, blocks } = await merged([first, second]);
    expect(readSegment(head, blocks).map(({ terms }) => terms.size)).toEqual([40_000, 40_000, 1]);
  }, 60_000);
});
