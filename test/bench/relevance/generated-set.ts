import type { NamedMessage } from "../known-items/known-items.ts";

/** A query with its answers: names of documents, each with a grade. */
export interface GradedQuery {
  text: string;
  /** Kind of the query: a kind of known items, or how it was made. */
  kind: string;
  grades: Map<string, number>;
}

/** Documents and queries that code generates from a seed. */
export interface GeneratedSet {
  messages: NamedMessage[];
  queries: GradedQuery[];
}
