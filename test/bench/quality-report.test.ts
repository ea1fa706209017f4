import { expect, test } from "bun:test";
import { missesOf } from "./figures.ts";
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

const ofQueries = (wanted: Partial<Figures>): Figures => ({
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
  const known = inModes(() => ({ [ALL]: ofQueries({ success10 }), names: ofQueries({ success10 }) }));
  return {
    collections: {
      one: {
        [BASELINE]: ofQueries({}),
        keyword: ofQueries({ ndcg: keyword }),
        semantic: ofQueries({}),
        hybrid: ofQueries({ ndcg: hybrid }),
      },
    },
    knownItems: { [ALL]: known, sandbox: known },
    nothingRelevant: { sandbox: inModes(() => ({ [ALL]: ofQueries({ empty }), [RANDOM_KEYS]: ofQueries({ empty }) })) },
  };
}

const missed = (of: QualityData) => missesOf(reportQuality(of).figures);

test("a run that meets all targets misses none, and shows every part", () => {
  const { text, figures } = reportQuality(data());
  expect(missesOf(figures)).toEqual([]);
  for (const part of [BASELINE, "names", RANDOM_KEYS, "success@10"]) expect(text).toContain(part);
});

test("each target can be missed", () => {
  expect(missed(data({ keyword: 0.49, hybrid: 0.5 }))).toHaveLength(2);
  expect(missed(data({ keyword: 0.53, hybrid: 0.53 }))).toEqual([
    "keyword, mean nDCG@10: 1.06 × FTS5 instead of ≥ 1.08 × FTS5",
  ]);
  expect(missed(data({ hybrid: 0.54 }))).toHaveLength(1);
  expect(missed(data({ success10: 0.8 }))).toHaveLength(1);
  expect(missed(data({ empty: 0.9 }))).toHaveLength(MODES.length);
});

test("without the public collections the other figures are reported", () => {
  const { text, figures } = reportQuality({ ...data(), collections: {} });
  expect(missesOf(figures)).toEqual([]);
  expect(text).not.toContain(BASELINE);
});

test("queries count toward their kind and toward all", () => {
  const tallies = new KindTallies();
  tallies.add("names", ["a"], new Map([["a", 1]]));
  tallies.add("dates", ["b"], new Map([["a", 1]]));
  const { all, names, dates } = tallies.figures();
  expect([all!.success1, names!.success1, dates!.success1]).toEqual([0.5, 1, 0]);
});
