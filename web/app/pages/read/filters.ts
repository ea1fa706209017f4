import type { ThreadItem } from "../../../../src/features/threads/model.ts";
import type { Option } from "../../parts/field.tsx";

export type ThreadState = ThreadItem["state"];

/** Which threads the list shows. Empty texts are no filter. */
export interface Filters {
  state: ThreadState;
  account: string;
  tab: string;
  label: string;
  unread: boolean;
  q: string;
}

/** The states, in the order in which the page lists them. */
export const STATES: readonly { value: ThreadState; label: string }[] = [
  { value: "inbox", label: "Inbox" },
  { value: "snoozed", label: "Snoozed" },
  { value: "archived", label: "Archived" },
  { value: "sent", label: "Sent" },
  { value: "spam", label: "Spam" },
  { value: "trash", label: "Trash" },
];

export const TABS: readonly Option[] = [
  { value: "", label: "All categories" },
  { value: "primary", label: "Primary" },
  { value: "social", label: "Social" },
  { value: "promotions", label: "Promotions" },
  { value: "updates", label: "Updates" },
];

/** Returns the filters in an address. Unknown values count as absent. */
export function filtersOf(query: URLSearchParams): Filters {
  const known = (options: readonly Option[], value: string | null) =>
    options.some((option) => option.value === value) ? value! : "";
  return {
    state: (known(STATES, query.get("state")) || "inbox") as ThreadState,
    account: query.get("account") ?? "",
    tab: known(TABS, query.get("tab")),
    label: query.get("label") ?? "",
    unread: query.get("unread") === "1",
    q: query.get("q") ?? "",
  };
}

/** Returns the address of the list with these filters, or of a thread that was opened from it. */
export function readHash({ state, account, tab, label, unread, q }: Filters, threadId?: string): string {
  const query = new URLSearchParams();
  if (state !== "inbox") query.set("state", state);
  if (account) query.set("account", account);
  if (tab) query.set("tab", tab);
  if (label) query.set("label", label);
  if (unread) query.set("unread", "1");
  if (q) query.set("q", q);
  const text = query.toString();
  return `#/read${threadId ? `/${encodeURIComponent(threadId)}` : ""}${text ? `?${text}` : ""}`;
}

/** Returns the query of GET /threads. */
export function queryOf({ state, account, tab, label, unread, q }: Filters) {
  return { state, account_id: account, tab, label, unread: unread || undefined, q };
}

/** Returns how many filters apply besides the state and the search. */
export function filterCount({ account, tab, label, unread }: Filters): number {
  return [account, tab, label, unread].filter(Boolean).length;
}

export function stateLabel(state: ThreadState): string {
  return STATES.find(({ value }) => value === state)!.label;
}
