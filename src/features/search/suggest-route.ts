import { type Route, read } from "../../http/route.ts";
import type { Suggester } from "./suggest.ts";
import { type Suggestion, SuggestQuery, SuggestReply } from "./suggest-model.ts";

/** Returns the route that completes queries. */
export function suggestRoute(suggester: Suggester): Route {
  return read({
    method: "GET",
    path: "/search/suggest",
    scope: "search:read",
    operationId: "suggestSearch",
    tag: "Search",
    summary: "Complete a query",
    description:
      "Completes the last token of a query while it is typed: names of operators (`fr` to `from:`), their values " +
      "(`from:mar` to contacts, `label:`, `in:`, `is:`, `has:` and others), and for a word without an operator also " +
      "contacts, labels and subjects of recent threads. Contacts are sorted by latest contact and number of threads. " +
      "Spends no credit.",
    query: SuggestQuery,
    response: SuggestReply,
    examples: { response: { data: EXAMPLES } },
    handle: ({ query, caller }) => ({ data: suggester.suggest(caller, query.q, query.limit) }),
  });
}

const EXAMPLES: Suggestion[] = [
  {
    kind: "contact",
    text: "Maya Costa",
    insert: "from:maya@harbourline.example",
    detail: "maya@harbourline.example",
  },
  { kind: "label", text: "Marketing plan", insert: 'label:"Marketing plan"', detail: "Messages with this label" },
  { kind: "subject", text: "Market report", insert: 'subject:"Market report"', detail: "Noor Bakker" },
];
