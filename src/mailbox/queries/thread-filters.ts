import { eq, gt, gte, lt, lte, type SQLWrapper } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { threads } from "../threading/tables.ts";

/** The categories that threads are listed by. */
export const TABS = ["primary", "social", "promotions", "updates"] as const;

const COMPARISONS = { "<": lt, "<=": lte, ">": gt, ">=": gte };

/** The comparison of the column with the value of the filter. */
type Comparison =
  /** The column is 0 or 1, and the value is a Boolean. */
  | { kind: "flag" }
  /** The column is one of these values. */
  | { kind: "choice"; values: readonly string[] }
  /** The column is a time in ms. */
  | { kind: "time"; compares: keyof typeof COMPARISONS }
  /** The column is an integer. `min` and `max` limit the value of the filter. */
  | { kind: "number"; compares: keyof typeof COMPARISONS; min: number; max: number };

export type ThreadFilterEntry = Comparison & {
  column: SQLiteColumn;
  /** In the API description. */
  description: string;
};

/**
 * Filters of the list of threads that compare one column. The schema of GET /threads, the type of the filter and the SQL are
 * made from this table. Filters that need more than a column (state, label, account_id, q) are in threads.ts.
 */
export const THREAD_FILTERS = {
  tab: { column: threads.category, kind: "choice", values: TABS, description: "Only threads in this category." },
  unread: {
    column: threads.unread,
    kind: "flag",
    description: "True: only unread threads. False: only read threads.",
  },
  starred: {
    column: threads.starred,
    kind: "flag",
    description: "True: only starred threads. False: only threads without a star.",
  },
  has_attachment: {
    column: threads.has_attachment,
    kind: "flag",
    description: "True: only threads with an attachment. False: only threads without one.",
  },
  before: {
    column: threads.last_at,
    kind: "time",
    compares: "<",
    description: "Only threads whose newest message was received before this time.",
  },
  after: {
    column: threads.last_at,
    kind: "time",
    compares: ">=",
    description: "Only threads whose newest message was received at or after this time.",
  },
} as const satisfies Record<string, ThreadFilterEntry>;

export type ThreadFilterName = keyof typeof THREAD_FILTERS;

type ValueOf<E> = E extends { kind: "flag" } ? boolean : E extends { values: readonly (infer V)[] } ? V : number;

/** Values of the filters. Times are ms. */
export type ThreadFilterValues = { [N in ThreadFilterName]?: ValueOf<(typeof THREAD_FILTERS)[N]> };

/** The filters in the order of the table. */
export const THREAD_FILTER_LIST = Object.entries(THREAD_FILTERS) as [ThreadFilterName, ThreadFilterEntry][];

/** Returns the condition of a filter that is not a flag. */
export function comparison(entry: Exclude<ThreadFilterEntry, { kind: "flag" }>, bound: SQLWrapper | number | string) {
  return entry.kind === "choice" ? eq(entry.column, bound) : COMPARISONS[entry.compares](entry.column, bound);
}
