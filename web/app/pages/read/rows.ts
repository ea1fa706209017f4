import type { ThreadItem } from "../../../../src/features/threads/model.ts";
import type { Filters } from "./filters.ts";
import type { Changed } from "./undo.ts";

/** Threads in a page of the list. */
export const PAGE_SIZE = 50;

/**
 * Returns the rows of the list after a change of one thread. A thread that no longer belongs to the list is removed and
 * kept in `removed`, so that an undo can put it back. Read threads stay in a list of unread ones until it is loaded again.
 */
export function applied(
  rows: readonly ThreadItem[],
  id: string,
  { state, labels, unread, starred }: Changed,
  filters: Filters,
  removed: Map<string, ThreadItem>,
): ThreadItem[] {
  const row = rows.find((one) => one.id === id) ?? removed.get(id);
  if (!row) return [...rows];
  const next: ThreadItem = {
    ...row,
    state: state ?? row.state,
    labels: labels ?? row.labels,
    unread: unread ?? row.unread,
    starred: starred ?? row.starred,
  };
  if (!belongs(next, filters)) {
    removed.set(id, next);
    return rows.filter((one) => one.id !== id);
  }
  removed.delete(id);
  if (rows.some((one) => one.id === id)) return rows.map((one) => (one.id === id ? next : one));
  const at = rows.findIndex((one) => isNewer(next, one));
  return at < 0 ? [...rows, next] : [...rows.slice(0, at), next, ...rows.slice(at)];
}

function belongs({ state, labels }: ThreadItem, filters: Filters): boolean {
  // The list of sent mail has every thread with a sent message, in any state.
  const inState = filters.state === "sent" || filters.state === state;
  return inState && (filters.label === "" || labels.includes(filters.label));
}

/** The order of GET /threads. */
function isNewer(one: ThreadItem, other: ThreadItem): boolean {
  return one.updated_at === other.updated_at ? one.id > other.id : one.updated_at > other.updated_at;
}
