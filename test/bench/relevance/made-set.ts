import type { NamedMessage } from "../known-items/known-items.ts";

/** A query with what answers it: names of documents, each with its grade. */
export interface GradedQuery {
  text: string;
  /** What kind of query it is: a kind of known items, or the way in which it was made. */
  kind: string;
  grades: Map<string, number>;
}

/** Documents and queries that code makes from a seed. */
export interface MadeSet {
  messages: NamedMessage[];
  queries: GradedQuery[];
}
