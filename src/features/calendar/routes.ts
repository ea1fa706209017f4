import { Type } from "@sinclair/typebox";
import { change, type Route, read } from "../../http/route.ts";
import { Timestamp } from "../../http/schema.ts";
import { CalendarEvent, EventCreate, EventCreated, viewEvent } from "./model.ts";
import type { CalendarService } from "./service.ts";

/** Returns the routes for calendar events. */
export function calendarRoutes(calendar: CalendarService): Route[] {
  return [
    read({
      method: "GET",
      path: "/calendar/events",
      scope: "calendar:read",
      operationId: "listCalendarEvents",
      tag: "Calendar",
      summary: "List calendar events",
      description:
        "Lists the events in a time window, sorted by start. Series are expanded: each occurrence is a separate entry.",
      query: Type.Object({
        from: Timestamp("Start of the window, inclusive."),
        to: Timestamp("End of the window, exclusive. At most 800 days after `from`."),
      }),
      response: Type.Object({ data: Type.Array(CalendarEvent) }, { $id: "CalendarEventList" }),
      examples: { response: { data: [EXAMPLE] } },
      handle: ({ query: { from, to }, caller }) => ({
        data: calendar.list(caller.user_id, Date.parse(from), Date.parse(to)).map(viewEvent),
      }),
    }),
    change({
      method: "POST",
      path: "/calendar/events",
      scope: "calendar:write",
      operationId: "createCalendarEvent",
      tag: "Calendar",
      summary: "Create an event",
      description:
        "Creates an event. If a calendar is connected, the event is added to the first connected calendar. No " +
        "invitations are sent.",
      body: EventCreate,
      response: EventCreated,
      examples: {
        body: {
          title: EXAMPLE.title,
          start: EXAMPLE.start,
          end: EXAMPLE.end,
          attendees: EXAMPLE.attendees,
          all_day: false,
          location: EXAMPLE.location,
          description: "",
        },
        response: { id: EXAMPLE.id, status: "confirmed" },
      },
      handle: ({ body, caller }) => {
        const given = { ...body, start: Date.parse(body.start), end: Date.parse(body.end) };
        const { id, status } = calendar.create(caller, given);
        return { id, status };
      },
    }),
    change({
      method: "DELETE",
      path: "/calendar/events/:id",
      scope: "calendar:write",
      operationId: "deleteCalendarEvent",
      tag: "Calendar",
      summary: "Delete an event",
      description: "Deletes an event. A series is deleted as a whole. No one is notified by mail.",
      params: { id: "calendarEvent" },
      response: Type.Object({ id: Type.String(), deleted: Type.Literal(true) }, { $id: "CalendarEventDeleted" }),
      examples: { response: { id: EXAMPLE.id, deleted: true } },
      handle: ({ params, caller }) => {
        calendar.remove(caller, params.id);
        return { id: params.id, deleted: true as const };
      },
    }),
  ];
}

const EXAMPLE: CalendarEvent = {
  id: "evt_01kk8f2v0c5s9w3n7r1m4q6t8x",
  title: "Quarterly review",
  start: "2026-03-04T13:00:00.000Z",
  end: "2026-03-04T14:00:00.000Z",
  all_day: false,
  attendees: ["maya@harbourline.example"],
  status: "confirmed",
  location: "Room 4",
  description: "",
  organizer: "alex@example.com",
  answers: [{ name: "", email: "maya@harbourline.example", status: "needs_action" }],
  recurrence_id: null,
  calendar_id: null,
};
