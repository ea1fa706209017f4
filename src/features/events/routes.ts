import { Type } from "@sinclair/typebox";
import { type Caller, requireUnbound } from "../../http/guard/caller.ts";
import { type Pager, pageQuery } from "../../http/paging.ts";
import { type Route, read } from "../../http/route.ts";
import { ApiError, invalidParam } from "../../kernel/errors.ts";
import { EVENT_NAMES } from "../../kernel/events.ts";
import { publishedEvent } from "../../platform/ledger/events.ts";
import type { Platform } from "../../platform/platform.ts";
import { type Event, EventList, eventQuery } from "./model.ts";
import { eventStream } from "./stream.ts";

const LIST = "events";
const LATEST = "latest";
/** Each stream holds a connection and a position in the log. */
const MAX_STREAMS_PER_USER = 20;

/** Returns the route that reads the event log, as pages or as a stream. */
export function eventRoutes({ events: log, clock }: Pick<Platform, "events" | "clock">): Route[] {
  const streams = new Map<string, number>();
  return [
    read({
      method: "GET",
      path: "/events",
      scope: "webhooks:manage",
      operationId: "listEvents",
      tag: "Events",
      summary: "List events",
      description:
        "Returns the events of the last 30 days, oldest first. With `Accept: text/event-stream`, returns the same " +
        "events as server-sent events and keeps the connection open for new ones. The field `id` of each server-sent " +
        "event is a cursor, and the header `Last-Event-ID` takes precedence over `after`. Receivers without a public " +
        "address can use this endpoint instead of webhooks.",
      query: Type.Object({ limit: pageQuery.limit, ...eventQuery }),
      response: EventList,
      errors: ["rate_limited"],
      examples: { response: { data: [EXAMPLE], has_more: false, cursor: "AZx0Jd3v…" } },
      handle: ({ query, caller, pager, request, openStream }) => {
        requireUnbound(caller);
        const { limit } = query;
        const types = typesOf(query.types);
        const wantsStream = /text\/event-stream/i.test(request.headers.get("accept") ?? "");
        if (wantsStream) {
          const lastId = request.headers.get("last-event-id") || undefined;
          const from = lastId ? startOf(pager, lastId, "Last-Event-ID") : startOf(pager, query.after, "after");
          return stream(caller, pager, from, types, openStream);
        }
        const from = startOf(pager, query.after, "after");
        const { events, end } = log.read(caller.user_id, from, limit, types);
        const cursor = pager.cursor(LIST, [end]);
        const has_more = log.read(caller.user_id, end, 1, types).events.length > 0;
        const data = events.map((event) => publishedEvent(event) as Event);
        return { data, has_more, ...(has_more ? { next_cursor: cursor } : {}), cursor };
      },
    }),
  ];

  /** Returns the position after which to read. @throws ApiError invalid_params (`param`) */
  function startOf(pager: Pager, cursor: string | undefined, param: string): number {
    if (cursor === LATEST) return log.head();
    const position = Number(pager.after(LIST, cursor, param)?.[0] ?? 0);
    // A cursor from before a backup was restored can be ahead of the log. Waiting until the log reaches it would miss
    // events.
    return Math.min(position, log.head());
  }

  function stream(
    { user_id }: Caller,
    pager: Pager,
    from: number,
    types: readonly string[] | undefined,
    openStream: () => AbortSignal,
  ): Response {
    const open = streams.get(user_id) ?? 0;
    if (open >= MAX_STREAMS_PER_USER) {
      const message = `${MAX_STREAMS_PER_USER} event streams are already open, which is the limit. Close one first.`;
      throw new ApiError("rate_limited", message, { retryAfterS: 10 });
    }
    const signal = openStream();
    streams.set(user_id, open + 1);
    const closed = () => {
      const left = streams.get(user_id)! - 1;
      if (left > 0) streams.set(user_id, left);
      else streams.delete(user_id);
    };
    signal.addEventListener("abort", closed, { once: true });
    const cursor = (position: number) => pager.cursor(LIST, [position]);
    const body = eventStream({ log, clock, user_id, from, types, cursor, signal });
    return new Response(body, {
      headers: { "Content-Type": "text/event-stream; charset=utf-8", "Cache-Control": "no-store" },
    });
  }
}

/** Parses the list of event types. @throws ApiError invalid_params (`types`) */
function typesOf(text: string | undefined): string[] | undefined {
  if (text === undefined) return undefined;
  const names = text.split(",").map((name) => name.trim());
  for (const name of names) {
    if (!(EVENT_NAMES as readonly string[]).includes(name)) {
      throw invalidParam("types", `There is no event ${name.slice(0, 50)}. Valid names: ${EVENT_NAMES.join(", ")}.`);
    }
  }
  return names;
}

const EXAMPLE: Event = {
  id: "ntf_01jz4t9h2m8q5r7v3w6x0y1z2a",
  event: "thread.updated",
  created_at: "2026-03-02T09:00:00.000Z",
  data: { thread_id: "thr_01jz4t7k9m8n7p6q5r4s3t2v1w", changed: ["state"] },
};
