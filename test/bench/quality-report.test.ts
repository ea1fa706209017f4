import { expect, test } from "bun:test";
import {
  ALL,
  BASELINE,
  type ByKind,
  KindTallies,
  MODES,
  type QualityData,
  RANDOM_KEYS,
  reportQuality,
} from "./quality-report.ts";
import type { Figures } from "./relevance/measures.ts";

const figures = (wanted: Partial<Figures>): Figures => ({
  queries: 10,
  map: 0.5,
  ndcg: 0.5,
  success1: 0.7,
  success5: 0.8,
  success10: 0.9,
  mrr: 0.75,
  empty: 0,
  ...wanted,
});
const inModes = (of: (mode: string) => ByKind) => Object.fromEntries(MODES.map((mode) => [mode, of(mode)]));

function data(wanted: { keyword?: number; hybrid?: number; success10?: number; empty?: number } = {}): QualityData {
  const { keyword = 0.55, hybrid = 0.56, success10 = 0.9, empty = 1 } = wanted;
  const known = inModes(() => ({ [ALL]: figures({ success10 }), names: figures({ success10 }) }));
  return {
    collections: {
      one: {
        [BASELINE]: figures({}),
        keyword: figures({ ndcg: keyword }),
        semantic: figures({}),
        hybrid: figures({ ndcg: hybrid }),
      },
    },
    knownItems: { [ALL]: known, sandbox: known },
    nothingRelevant: { sandbox: inModes(() => ({ [ALL]: figures({ empty }), [RANDOM_KEYS]: figures({ empty }) })) },
  };
}

test("a run that meets all targets misses none, and shows every part", () => {
  const { text, misses } = reportQuality(data());
  expect(misses).toEqual([]);
  for (const part of [BASELINE, "names", RANDOM_KEYS, "success@10"]) expect(text).toContain(part);
});

test("each target can be missed", () => {
  expect(reportQuality(data({ keyword: 0.49, hybrid: 0.5 })).misses).toHaveLength(2);
  expect(reportQuality(data({ keyword: 0.53, hybrid: 0.53 })).misses).toEqual([
    "keyword, nDCG@10 of FTS5 on average: 1.06 instead of at least 1.08 times",
  ]);
  expect(reportQuality(data({ hybrid: 0.54 })).misses).toHaveLength(1);
  expect(reportQuality(data({ success10: 0.8 })).misses).toHaveLength(1);
  expect(reportQuality(data({ empty: 0.9 })).misses).toHaveLength(MODES.length);
});

test("without the public collections the other figures are reported", () => {
  const { text, misses } = reportQuality({ ...data(), collections: {} });
  expect(misses).toEqual([]);
  expect(text).not.toContain(BASELINE);
});

test("queries count toward their kind and toward all", () => {
  const tallies = new KindTallies();
  tallies.add("names", ["a"], new Map([["a", 1]]));
  tallies.add("dates", ["b"], new Map([["a", 1]]));
  const { all, names, dates } = tallies.figures();
  expect([all!.success1, names!.success1, dates!.success1]).toEqual([0.5, 1, 0]);
});
