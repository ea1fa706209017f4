import type { Position } from "../../http/cursor.ts";
import { type Route, read } from "../../http/route.ts";
import { OPERATORS } from "../../mailbox/search/operators.ts";
import type { Platform } from "../../platform/platform.ts";
import { MODES, type Mode, SearchBody, SearchReply, type SearchResult } from "./model.ts";
import type { SearchService } from "./service.ts";
import { viewResults } from "./views.ts";

/** Returns the search route. */
export function searchRoutes(platform: Platform, search: SearchService): Route[] {
  return [
    read({
      method: "POST",
      path: "/search",
      scope: "search:read",
      operationId: "search",
      tag: "Search",
      summary: "Search mail",
      description:
        "Searches all mail and returns the best match of each thread, best first, at most 500 results. Trash and spam are " +
        "searched only if `in:` names a place.\n\n" +
        `These operators work in every mode: ${operatorsInWords()}, ` +
        '`"phrases"`, `-negation`, `OR`, `{either or}`, `(groups)`, `subject:(all of these)`, `prefix*`. ' +
        "Text that is not a well-formed operator is searched as text (`in: the box`). An operator with a value that cannot be " +
        "interpreted (`before:Friday`) is 400 `invalid_params`. A query word that occurs in no message is searched for in another " +
        "spelling, which `corrections` reports.\n\n" +
        "`semantic` and `hybrid` spend 1 credit; further pages of the same search spend none.",
      body: SearchBody,
      response: SearchReply,
      errors: ["not_found", "insufficient_credits"],
      examples: {
        body: { query: "flight to Lisbon from:ada has:attachment", mode: "hybrid", limit: 10 },
        response: {
          data: [EXAMPLE],
          has_more: false,
          mode: "hybrid",
          partial: false,
          indexed: 18_204,
          waiting: 0,
          waiting_full_text: 0,
          credits_spent: 1,
          corrections: [],
        },
      },
      handle: async ({ body, caller, pager }) => {
        const after = afterOf(pager.after("search", body.cursor));
        const { ranking, credits_spent } = await search.search(caller, body, after);
        const { mode, rows, partial, indexed, waiting, waiting_full_text, corrections } = ranking;
        const from = after?.offset ?? 0;
        const to = from + body.limit;
        const items = viewResults(platform, caller.user_id, ranking, from, to);
        const reply = pager.reply<SearchResult>("search", { items, next: to < rows.length ? [to, mode] : null });
        const counts = { partial, indexed, waiting, waiting_full_text };
        return { ...reply, mode, ...counts, credits_spent, corrections };
      },
    }),
  ];
}

/** Returns the operators for the description: first those that take `me`. */
function operatorsInWords(): string {
  const [people, others] = [true, false].map((takesMe) =>
    [...OPERATORS]
      .filter(([, operator]) => "takesMe" in operator === takesMe)
      .map(([name, operator]) => `\`${name}:${"values" in operator ? operator.values!.join("|") : ""}\``)
      .join(" "),
  );
  return `${people} (each takes \`me\`), ${others}`;
}

/**
 * Returns the position and mode of a cursor. Further pages keep the mode of the first, so that a keyword search does
 * not become a semantic one when the next month's credits are available.
 */
function afterOf(position: Position | null): { offset: number; mode: Mode } | null {
  if (!position) return null;
  return { offset: Number(position[0]), mode: MODES.find((mode) => mode === position[1]) ?? "hybrid" };
}

const EXAMPLE: SearchResult = {
  thread_id: "thr_01kk8f2v0c5s9w3n7r1m4q6t8x",
  message_id: "msg_01kk8f2v0c5s9w3n7r1m4q6t8y",
  account_id: "acc_01kk8f2v0c5s9w3n7r1m4q6t8z",
  subject: "Your booking to Lisbon",
  from: { name: "Ada", email: "ada@example.org" },
  date: "2026-03-02T09:00:00.000Z",
  snippet: "The <mark>flight</mark> to <mark>Lisbon</mark> leaves at 7:40 …",
  score: 0.91,
  matched_by: ["keyword", "semantic"],
  other_matches: 2,
};
