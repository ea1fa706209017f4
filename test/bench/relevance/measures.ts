import { quality } from "../collections.ts";

/** How well a mode answers the queries of a set: means over its queries, 0 to 1. */
export interface Figures {
  queries: number;
  map: number;
  ndcg: number;
  /** An answer is among the first one, five, ten rows. */
  success1: number;
  success5: number;
  success10: number;
  /** One divided by the place of the first answer. */
  mrr: number;
  /** Share of queries that nothing was found for. */
  empty: number;
}

const MEASURED = ["map", "ndcg", "success1", "success5", "success10", "mrr", "empty"] as const;

/** Gathers figures, query by query. */
export class Tally {
  #queries = 0;
  readonly #sums = Object.fromEntries(MEASURED.map((name) => [name, 0])) as Record<(typeof MEASURED)[number], number>;

  /** @param ranked what was found, best first; @param grades what answers the query */
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

/** Grades of names as grades of the threads that they are in; of several in one thread the best counts. */
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
