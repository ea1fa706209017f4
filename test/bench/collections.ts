import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { FIXTURES } from "../support/fixtures-path.ts";

/** A retrieval test collection: documents, queries, and the grades of documents for queries. */
export interface Collection {
  name: string;
  documents: { id: string; title: string; text: string }[];
  queries: { id: string; text: string; grades: Map<string, number> }[];
}

export const COLLECTIONS = join(FIXTURES, "search");
export const COLLECTION_NAMES = ["cranfield", "med", "cisi", "cacm", "adi"].filter((name) =>
  existsSync(join(COLLECTIONS, name)),
);

export function readCollection(name: string): Collection {
  const lines = (file: string) =>
    readFileSync(join(COLLECTIONS, name, file), "utf8")
      .trim()
      .split("\n");
  const json = (file: string) =>
    lines(file).map((line) => JSON.parse(line) as { _id: string; title?: string; text: string });
  const grades = new Map<string, Map<string, number>>();
  for (const line of lines("qrels.tsv").slice(1)) {
    const [query, document, grade] = line.split("\t") as [string, string, string];
    if (Number(grade) <= 0) continue;
    grades.set(query, (grades.get(query) ?? new Map()).set(document, Number(grade)));
  }
  return {
    name,
    documents: json("corpus.jsonl").map(({ _id, title, text }) => ({ id: _id, title: title ?? "", text })),
    queries: json("queries.jsonl").flatMap(({ _id, text }) => {
      const found = grades.get(_id);
      return found ? [{ id: _id, text, grades: found }] : [];
    }),
  };
}

/** Returns average precision over the first 100, and nDCG@10 with gains of 2^grade − 1. */
export function quality(ranked: readonly string[], grades: ReadonlyMap<string, number>): { ap: number; ndcg: number } {
  let hits = 0;
  let precision = 0;
  let gain = 0;
  for (const [i, id] of ranked.slice(0, 100).entries()) {
    const grade = grades.get(id);
    if (grade === undefined) continue;
    hits++;
    precision += hits / (i + 1);
    if (i < 10) gain += (2 ** grade - 1) / Math.log2(i + 2);
  }
  const ideal = [...grades.values()]
    .sort((a, b) => b - a)
    .slice(0, 10)
    .reduce((sum, grade, i) => sum + (2 ** grade - 1) / Math.log2(i + 2), 0);
  return { ap: precision / grades.size, ndcg: gain / ideal };
}
