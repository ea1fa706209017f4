import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { VectorGraph } from "../../src/ml/vectors/graph.ts";
import { quantize, VectorMatrix } from "../../src/ml/vectors/matrix.ts";
import { nearest } from "../../src/ml/vectors/nearest.ts";
import { loadUsearch } from "../../src/platform/native/load.ts";

const DIMENSIONS = 512;
/** Mail gathers in subjects: so many of them, and how far a message is from its subject. */
const SUBJECTS = 2_000;
const SPREAD = 0.6;
const QUERIES = 100;
const BEST = 10;
/** A search asks for so many, of which the best ten count here. */
const ASKED = 300;

export interface Recall {
  vectors: number;
  /** Of the ten nearest by the vectors before they were rounded, the share that is found; without a filter, with one that leaves a fifth, and one that leaves a hundredth. */
  all: number;
  fifth: number;
  hundredth: number;
  /** The same without a filter, by the graph that takes over in larger mailboxes; ms to build it. */
  graph: number;
  graph_built_ms: number;
}

/** How much of what is nearest the index finds, against exact search over unrounded vectors. */
export async function measureRecall(vectors: number): Promise<Recall> {
  const cache = mkdtempSync(join(tmpdir(), "postroom-bench-recall-"));
  try {
    const usearch = await loadUsearch(cache);
    const random = mulberry(7);
    const subjects = Array.from({ length: SUBJECTS }, () => unit(random));
    const near = (subject: Float32Array) =>
      normalised(subject.map((value) => value + (SPREAD * gauss(random)) / Math.sqrt(DIMENSIONS)));
    const truth = new Float32Array(vectors * DIMENSIONS);
    const matrix = new VectorMatrix(DIMENSIONS);
    for (let n = 0; n < vectors; n++) {
      const vector = near(subjects[n % SUBJECTS]!);
      truth.set(vector, n * DIMENSIONS);
      matrix.set(n, quantize(vector));
    }
    const graph = new VectorGraph(usearch, matrix);
    const began = performance.now();
    while (!graph.complete) graph.grow();
    const graph_built_ms = performance.now() - began;
    const found = { all: 0, fifth: 0, hundredth: 0, graph: 0 };
    const within = { all: null, fifth: everyNth(vectors, 5), hundredth: everyNth(vectors, 100) };
    for (let q = 0; q < QUERIES; q++) {
      const query = near(subjects[(q * 37) % SUBJECTS]!);
      for (const name of ["all", "fifth", "hundredth"] as const) {
        const wanted = exact(truth, query, within[name]);
        found[name] += shared(wanted, nearest(usearch, matrix, query, ASKED, within[name]));
        if (name === "all")
          found.graph += shared(wanted, nearest(usearch, matrix, query, ASKED, graph.near(query, ASKED)));
      }
    }
    const share = (hits: number) => hits / (QUERIES * BEST);
    const { all, fifth, hundredth } = found;
    return {
      vectors,
      all: share(all),
      fifth: share(fifth),
      hundredth: share(hundredth),
      graph: share(found.graph),
      graph_built_ms,
    };
  } finally {
    rmSync(cache, { recursive: true, force: true });
  }
}

function exact(truth: Float32Array, query: Float32Array, within: readonly number[] | null): Set<number> {
  const numbers = within ?? Array.from({ length: truth.length / DIMENSIONS }, (_, n) => n);
  const scored = numbers.map((n) => {
    let dot = 0;
    for (let i = 0, at = n * DIMENSIONS; i < DIMENSIONS; i++) dot += truth[at + i]! * query[i]!;
    return { n, dot };
  });
  return new Set(
    scored
      .sort((a, b) => b.dot - a.dot)
      .slice(0, BEST)
      .map(({ n }) => n),
  );
}

const shared = (wanted: ReadonlySet<number>, found: readonly { n: number }[]) =>
  found.slice(0, BEST).filter(({ n }) => wanted.has(n)).length;
const everyNth = (count: number, step: number) =>
  Array.from({ length: Math.floor(count / step) }, (_, i) => i * step + (i % step));

function normalised(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}
const unit = (random: () => number) => normalised(Float32Array.from({ length: DIMENSIONS }, () => gauss(random)));

/** Normally distributed, by Box and Muller. */
function gauss(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** Random numbers that are the same in every run. */
function mulberry(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
