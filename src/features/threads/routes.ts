import { Type } from "@sinclair/typebox";
import { cutPage, listOf, pageQuery } from "../../http/paging.ts";
import { change, type Route, read } from "../../http/route.ts";
import type { Mailbox } from "../../mailbox/mailbox.ts";
import { THREAD_FILTERS, type ThreadFilterValues } from "../../mailbox/queries/thread-filters.ts";
import { withOwnAddresses } from "../../mailbox/search/own-addresses.ts";
import { parseQuery } from "../../mailbox/search/query.ts";
import { threadBatchRoute } from "./batch.ts";
import { EXAMPLE_ITEM, EXAMPLE_MESSAGE, EXAMPLE_THREAD } from "./examples.ts";
import { filterValues } from "./filters.ts";
import { changeOf, Thread, ThreadItem, ThreadListQuery, ThreadMessage, ThreadPatch, ThreadPatched } from "./model.ts";
import { viewItem, viewMessage, viewThread } from "./views.ts";

/** Returns the routes for threads. */
export function threadRoutes({ threadQueries, messageQueries, changes, search, now, accounts }: Mailbox): Route[] {
  return [
    read({
      method: "GET",
      path: "/threads",
      scope: "mail:read",
      operationId: "listThreads",
      tag: "Threads",
      summary: "List threads",
      description: "Lists threads, newest message first. Filters are combined with AND.",
      query: ThreadListQuery,
      response: listOf(ThreadItem, "ThreadList"),
      // For an `account_id` that is not found.
      errors: ["not_found"],
      examples: { response: { data: [EXAMPLE_ITEM], has_more: false } },
      handle: ({ query, caller, pager }) => {
        const { limit, cursor, q, state, label, account_id } = query;
        const own = () => accounts.addressesOf(caller.user_id);
        const asked = q === undefined ? undefined : withOwnAddresses(parseQuery(q, now(), "q"), own);
        const found = asked && search.condition(caller, asked);
        const position = pager.after("threads", cursor);
        const rows = threadQueries.list(
          caller,
          { state, label, account_id, ...(filterValues(THREAD_FILTERS, query) as ThreadFilterValues), found },
          position,
          limit + 1,
        );
        return pager.reply(
          "threads",
          cutPage(rows, limit, (row) => [row.last_at, row.id]),
          viewItem,
        );
      },
    }),
    read({
      method: "GET",
      path: "/threads/:id",
      scope: "mail:read",
      operationId: "getThread",
      tag: "Threads",
      summary: "Get a thread",
      description:
        "Returns a thread with its messages, oldest first. If the thread was merged into another one, returns that thread.",
      params: { id: "thread" },
      response: Thread,
      examples: { response: EXAMPLE_THREAD },
      handle: ({ params, caller }) => viewThread(threadQueries.get(caller, params.id)),
    }),
    read({
      method: "GET",
      path: "/threads/:id/messages",
      scope: "mail:read",
      operationId: "listThreadMessages",
      tag: "Threads",
      summary: "List the messages of a thread",
      description: "Lists messages in the order of receipt, oldest first.",
      params: { id: "thread" },
      query: Type.Object({
        include_quoted: Type.Boolean({
          default: false,
          description: "Include the quoted reply history in `body_text`.",
        }),
        ...pageQuery,
      }),
      response: listOf(ThreadMessage, "ThreadMessageList"),
      examples: { response: { data: [EXAMPLE_MESSAGE], has_more: false } },
      handle: ({ params, query, caller, pager }) => {
        const { limit, cursor, include_quoted } = query;
        const { id } = threadQueries.owned(caller, params.id);
        const rows = messageQueries.ofThread(caller.user_id, id, pager.after("thread-messages", cursor), limit + 1);
        const page = cutPage(rows, limit, (row) => [row.internal_date, row.id]);
        return pager.reply("thread-messages", page, (row) => viewMessage(row, include_quoted));
      },
    }),
    change({
      method: "PATCH",
      path: "/threads/:id",
      scope: "mail:write",
      operationId: "updateThread",
      tag: "Threads",
      summary: "Update a thread",
      description:
        "Archives, snoozes, labels or stars a thread, marks it as read or unread, or moves it to the inbox, trash or " +
        "spam. You can combine several changes in one call, and all are reversible. Changes are mirrored to the mail provider, except for read-only " +
        "mailboxes. Emits `thread.updated`. No-op changes are ignored and emit no event.",
      params: { id: "thread" },
      body: ThreadPatch,
      response: ThreadPatched,
      examples: {
        body: { read: true, state: "archived", add_labels: ["Invoices"] },
        response: { id: EXAMPLE_ITEM.id, state: "archived", labels: ["Invoices"], unread: false },
      },
      errors: ["label_busy"],
      handle: ({ params, body, caller }) => changes.update(caller, params.id, changeOf(body)),
    }),
    threadBatchRoute(changes),
  ];
}
