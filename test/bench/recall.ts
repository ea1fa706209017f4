import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BinaryCodes } from "../../src/ml/vectors/binary-codes.ts";
import { nearest, shortlistOf } from "../../src/ml/vectors/nearest.ts";
import { cosineAt, quantize } from "../../src/ml/vectors/quantize.ts";
import { loadUsearch } from "../../src/platform/native/load.ts";
import { dice } from "../faults/campaign.ts";
import { median } from "./measure.ts";

const DIMENSIONS = 512;
/** Mail clusters in subjects: the number of subjects, and the distance of a message from its subject. */
const SUBJECTS = 2_000;
const SPREAD = 0.6;
const QUERIES = 200;
const BEST = 10;
/** A search requests this many results, of which the best ten count here. */
const ASKED = 240;

/**
 * Share of the ten nearest that is found: without a filter, with one that leaves a fifth, and one that leaves a
 * hundredth.
 */
export interface Shares {
  all: number;
  fifth: number;
  hundredth: number;
}

export interface Recall {
  vectors: number;
  /** Compared with exact search over the vectors as stored: the loss of the index. */
  stored: Shares;
  /**
   * Compared with exact search over the vectors before they were rounded to eight bits: includes the loss of rounding.
   */
  unrounded: Shares;
  /** Median time in which the codes give a shortlist, without a filter. */
  shortlist_ms: number;
}

/** How many of the nearest vectors the index finds, compared with exact search over unrounded vectors. */
export async function measureRecall(vectors: number): Promise<Recall> {
  const cache = mkdtempSync(join(tmpdir(), "postroom-bench-recall-"));
  try {
    const usearch = await loadUsearch(cache);
    const random = dice(7);
    const subjects = Array.from({ length: SUBJECTS }, () => unit(random));
    const near = (subject: Float32Array) =>
      normalized(subject.map((value) => value + (SPREAD * gauss(random)) / Math.sqrt(DIMENSIONS)));
    const truth = new Float32Array(vectors * DIMENSIONS);
    const rows = new Int8Array(vectors * DIMENSIONS);
    const codes = new BinaryCodes(DIMENSIONS);
    for (let n = 0; n < vectors; n++) {
      const vector = near(subjects[n % SUBJECTS]!);
      truth.set(vector, n * DIMENSIONS);
      const rounded = quantize(vector);
      rows.set(rounded, n * DIMENSIONS);
      codes.set(n, rounded);
    }
    const vectorsOf = (numbers: readonly number[]) => {
      const found = new Int8Array(numbers.length * DIMENSIONS);
      for (const [i, n] of numbers.entries()) {
        found.set(rows.subarray(n * DIMENSIONS, (n + 1) * DIMENSIONS), i * DIMENSIONS);
      }
      return { numbers, rows: found };
    };
    // Independent of the subjects: otherwise, most queries would have no neighbor that the filter leaves.
    const oneIn = (step: number) => Array.from({ length: vectors }, (_, n) => n).filter(() => random() < 1 / step);
    const within = { all: null, fifth: oneIn(5), hundredth: oneIn(100) };
    const truths = {
      stored: (query: Float32Array, n: number) => cosineAt(rows, n * DIMENSIONS, query),
      unrounded: (query: Float32Array, n: number) => dot(truth, n * DIMENSIONS, query),
    };
    const hits = { stored: none(), unrounded: none() };
    const times: number[] = [];
    for (let q = 0; q < QUERIES; q++) {
      const query = near(subjects[(q * 37) % SUBJECTS]!);
      for (const filter of ["all", "fifth", "hundredth"] as const) {
        const numbers = within[filter] ?? Array.from({ length: vectors }, (_, n) => n);
        const began = performance.now();
        const shortlist = codes.nearest(query, shortlistOf(ASKED), within[filter]);
        if (filter === "all") times.push(performance.now() - began);
        const found = nearest(usearch, vectorsOf(shortlist), query, ASKED);
        for (const kind of ["stored", "unrounded"] as const) {
          const wanted = best(numbers, (n) => truths[kind](query, n));
          hits[kind][filter] += shared(wanted, found) / (QUERIES * BEST);
        }
      }
    }
    return { vectors, ...hits, shortlist_ms: median(times) };
  } finally {
    rmSync(cache, { recursive: true, force: true });
  }
}

const none = (): Shares => ({ all: 0, fifth: 0, hundredth: 0 });

function best(numbers: readonly number[], score: (n: number) => number): Set<number> {
  const scored = numbers.map((n) => ({ n, score: score(n) })).sort((a, b) => b.score - a.score);
  return new Set(scored.slice(0, BEST).map(({ n }) => n));
}

/** Returns the cosine of two vectors of length one. */
function dot(rows: Float32Array, at: number, query: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < DIMENSIONS; i++) sum += rows[at + i]! * query[i]!;
  return sum;
}

const shared = (wanted: ReadonlySet<number>, found: readonly { n: number }[]) =>
  found.slice(0, BEST).filter(({ n }) => wanted.has(n)).length;

function normalized(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}
const unit = (random: () => number) => normalized(Float32Array.from({ length: DIMENSIONS }, () => gauss(random)));

/** Returns a normally distributed number, by Box and Muller. */
function gauss(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
