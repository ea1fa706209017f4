import { quality } from "../collections.ts";

/** Quality of a mode's answers to the queries of a set: means over its queries, 0 to 1. */
export interface Figures {
  queries: number;
  map: number;
  ndcg: number;
  /** Share of queries with an answer among the first one, five, ten rows. */
  success1: number;
  success5: number;
  success10: number;
  /** One divided by the rank of the first answer. */
  mrr: number;
  /** Share of queries without results. */
  empty: number;
}

const MEASURED = ["map", "ndcg", "success1", "success5", "success10", "mrr", "empty"] as const;

/** Collects figures, query by query. */
export class Tally {
  #queries = 0;
  readonly #sums = Object.fromEntries(MEASURED.map((name) => [name, 0])) as Record<(typeof MEASURED)[number], number>;

  /** @param ranked results, best first; @param grades grades of the answers */
  add(ranked: readonly string[], grades: ReadonlyMap<string, number>): void {
    this.#queries++;
    this.#sums.empty += Number(ranked.length === 0);
    if (grades.size === 0) return;
    const { ap, ndcg } = quality(ranked, grades);
    const first = ranked.findIndex((id) => grades.has(id));
    this.#sums.map += ap;
    this.#sums.ndcg += ndcg;
    if (first < 0) return;
    this.#sums.mrr += 1 / (first + 1);
    this.#sums.success1 += Number(first < 1);
    this.#sums.success5 += Number(first < 5);
    this.#sums.success10 += Number(first < 10);
  }

  figures(): Figures {
    const mean = Object.fromEntries(MEASURED.map((name) => [name, this.#sums[name] / Math.max(1, this.#queries)]));
    return { queries: this.#queries, ...(mean as Omit<Figures, "queries">) };
  }
}

/** Converts grades of names to grades of their threads; of several in one thread the best counts. */
export function gradesOfThreads(
  grades: ReadonlyMap<string, number>,
  threads: ReadonlyMap<string, readonly string[]>,
): Map<string, number> {
  const found = new Map<string, number>();
  for (const [name, grade] of grades) {
    for (const id of threads.get(name) ?? []) found.set(id, Math.max(found.get(id) ?? 0, grade));
  }
  return found;
}
