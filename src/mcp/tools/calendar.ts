import { Type } from "@sinclair/typebox";
import { OneOf, Timestamp } from "../../http/schema.ts";
import { ApiError, invalidParam } from "../../kernel/errors.ts";
import { CONTENT_BYTES, cutText, fitting } from "../budget.ts";
import { unmarked } from "../mail-text.ts";
import { tool } from "../tool.ts";
import { callText, undoText } from "./bulk.ts";
import { cursor, exact } from "./fields.ts";

interface CalendarEvent {
  id: string;
  title: string;
  start: string;
  end: string;
  all_day: boolean;
  attendees: string[];
  status: string;
  location: string;
  description: string;
}

const LONGEST_DESCRIPTION_CHARS = 500;
const LONGEST_LINE_CHARS = 300;
/** Events that are shown at most, also if more would fit. */
const MAX_EVENTS = 200;
const ATTENDEE_BYTES = 1_000;
/** From so many attendees on, their number is shown, because the list may be cut. */
const MANY = 10;

/** Returns the number of events before a cursor, in a list that is ordered by time. @throws ApiError invalid_params */
function positionOf(cursor = "0"): number {
  if (!/^\d{1,6}$/.test(cursor)) throw invalidParam("cursor", "cursor must be the next_cursor of an earlier call.");
  return Number(cursor);
}

export const listEvents = tool({
  name: "list_events",
  title: "List events",
  description: "List calendar events in a period.",
  scope: "calendar:read",
  kind: "read",
  input: exact({ from: Timestamp(), to: Timestamp(), cursor }),
  output: Type.Object({ events: Type.Array(Type.Unknown()) }),
  run: async ({ cursor, ...query }, { call, mail }) => {
    const { data } = (await call("listCalendarEvents", { query })) as { data: CalendarEvent[] };
    const after = positionOf(cursor);
    const events = data
      .slice(after, after + MAX_EVENTS)
      .map(({ id, title, start, end, all_day, attendees, status, location, description }) => ({
        id,
        title: mail.line(cutText(title, LONGEST_LINE_CHARS)),
        start,
        end,
        all_day,
        status,
        attendees: fitting(attendees, ATTENDEE_BYTES).map((person) => mail.person(cutText(person, LONGEST_LINE_CHARS))),
        ...(attendees.length > MANY && { attendee_count: attendees.length }),
        ...(location !== "" && { location: mail.line(cutText(location, LONGEST_LINE_CHARS)) }),
        ...(description !== "" && { description: mail.lines(cutText(description, LONGEST_DESCRIPTION_CHARS)) }),
      }));
    const shown = fitting(events, CONTENT_BYTES);
    const next = after + shown.length;
    return { events: shown, ...(next < data.length && { next_cursor: String(next) }) };
  },
});

export const changeEvent = tool({
  name: "change_event",
  title: "Change the calendar",
  description:
    "Create or delete (id) a calendar event. Ask the user first. Attendees are only recorded: no invitation is sent.",
  scope: "calendar:write",
  kind: "destructive",
  reachesOthers: true,
  input: exact({
    action: OneOf(["create", "delete"]),
    id: Type.Optional(Type.String()),
    title: Type.Optional(Type.String()),
    start: Type.Optional(Timestamp()),
    end: Type.Optional(Timestamp()),
    attendees: Type.Optional(Type.Array(Type.String({ format: "email" }), { maxItems: 200 })),
  }),
  output: Type.Object({ id: Type.String(), undo: Type.String() }),
  run: async ({ action, id, ...event }, { call, sending, before, scopes, mail }) => {
    if (action === "delete") {
      if (id === undefined) throw invalidParam("id", "id is required to delete an event.");
      const earlier = scopes.includes("calendar:read") ? before.event(id) : null;
      await call("deleteCalendarEvent", { params: { id } });
      const undo = earlier
        ? undoText("change_event", {
            action: "create",
            ...earlier,
            title: mail.argument(earlier.title),
            // An invitation can contain anything. Only an address can be given back.
            attendees: earlier.attendees.filter((person) => mail.person(person) === person),
          })
        : "A deleted event cannot be restored.";
      return { id, undo };
    }
    if (id !== undefined) throw invalidParam("id", "id is only for delete.");
    const unknown = sending.sends.outsidePolicy(sending.sender, event.attendees ?? []);
    if (unknown.length > 0) {
      throw new ApiError(
        "approval_required",
        `The user has never written to ${unknown.join(", ")}. Leave them out, or ask the user to add them.`,
        { param: "attendees" },
      );
    }
    const created = (await call("createCalendarEvent", {
      body: event.title === undefined ? event : { ...event, title: unmarked(event.title) },
    })) as { id: string };
    return { id: created.id, undo: callText("change_event", { action: "delete", id: created.id }) };
  },
});
