import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { threads } from "../store/tables.ts";

/** The categories that threads are listed by. */
export const TABS = ["primary", "social", "promotions", "updates"] as const;

/** `flag`: the column is 0 or 1. `before` and `from`: the column is a time in ms, and the bound is exclusive or inclusive. */
type Comparison = "flag" | "before" | "from" | { oneOf: readonly string[] };

interface ThreadFilterEntry {
  column: SQLiteColumn;
  compares: Comparison;
  /** In the API description. */
  description: string;
}

/**
 * Filters of the list of threads that compare one column. The schema of GET /threads, the type of the filter and the SQL are
 * made from this table. Filters that need more than a column (state, label, account_id, q) are in threads.ts.
 */
const THREAD_FILTERS = {
  tab: { column: threads.category, compares: { oneOf: TABS }, description: "Only threads in this category." },
  unread: {
    column: threads.unread,
    compares: "flag",
    description: "True: only unread threads. False: only read threads.",
  },
  starred: {
    column: threads.starred,
    compares: "flag",
    description: "True: only starred threads. False: only threads without a star.",
  },
  has_attachment: {
    column: threads.has_attachment,
    compares: "flag",
    description: "True: only threads with an attachment. False: only threads without one.",
  },
  before: {
    column: threads.last_at,
    compares: "before",
    description: "Only threads whose newest message was received before this time.",
  },
  after: {
    column: threads.last_at,
    compares: "from",
    description: "Only threads whose newest message was received at or after this time.",
  },
} as const satisfies Record<string, ThreadFilterEntry>;

export type ThreadFilterName = keyof typeof THREAD_FILTERS;

type ValueOf<C> = C extends "flag" ? boolean : C extends { oneOf: readonly (infer V)[] } ? V : number;

/** Values of the filters. Times are ms. */
export type ThreadFilterValues = {
  [N in ThreadFilterName]?: ValueOf<(typeof THREAD_FILTERS)[N]["compares"]>;
};

/** The filters in the order of the table. */
export const THREAD_FILTER_LIST = Object.entries(THREAD_FILTERS) as [ThreadFilterName, ThreadFilterEntry][];
