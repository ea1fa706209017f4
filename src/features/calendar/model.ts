import { type Static, Type } from "@sinclair/typebox";
import { Nullable, OneOf, Timestamp } from "../../http/schema.ts";
import { isoTime } from "../../kernel/clock.ts";
import { EVENT_STATUSES, type EventView } from "./service.ts";

const ANSWERS = ["needs_action", "accepted", "tentative", "declined", "delegated"] as const;

export const CalendarEvent = Type.Object(
  {
    id: Type.String({ description: "`evt_…`; shared by all occurrences of a series." }),
    title: Type.String(),
    start: Timestamp(),
    end: Timestamp(),
    all_day: Type.Boolean({
      description: "True for whole days: `start` and `end` are then midnights in the user's time zone.",
    }),
    attendees: Type.Array(Type.String(), { description: "Email addresses." }),
    status: OneOf(EVENT_STATUSES, {
      description:
        "`needs_action`: an invitation that the user has not answered. `cancelled`: canceled by the organizer.",
    }),
    location: Type.String(),
    description: Type.String(),
    organizer: Nullable(Type.String({ description: "Email address." })),
    answers: Type.Array(Type.Object({ name: Type.String(), email: Type.String(), status: OneOf(ANSWERS) }), {
      description: "The attendees with their responses.",
    }),
    recurrence_id: Nullable(
      Timestamp("Identifies the occurrence of a series by its original start. Null for a single event."),
    ),
    calendar_id: Nullable(
      Type.String({
        description: "The connected calendar that contains the event. Null if the event is stored here only.",
      }),
    ),
  },
  { $id: "CalendarEvent" },
);
export type CalendarEvent = Static<typeof CalendarEvent>;

export const EventCreate = Type.Object(
  {
    title: Type.String({ minLength: 1, maxLength: 500 }),
    start: Timestamp(),
    end: Timestamp(),
    attendees: Type.Array(Type.String({ format: "email" }), { default: [], maxItems: 200 }),
    all_day: Type.Boolean({
      default: false,
      description: "Makes it an all-day event: `start` and `end` are reduced to their days in the user's time zone.",
    }),
    location: Type.String({ default: "", maxLength: 1_000 }),
    description: Type.String({ default: "", maxLength: 20_000 }),
  },
  { $id: "CalendarEventCreate" },
);

export const EventCreated = Type.Object(
  { id: Type.String(), status: OneOf(EVENT_STATUSES) },
  { $id: "CalendarEventCreated" },
);

/** Returns an occurrence as the API shows it. */
export function viewEvent(event: EventView): CalendarEvent {
  const { id, title, start, end, all_day, status, location, description, calendar_id } = event;
  return {
    id,
    title,
    start: isoTime(start),
    end: isoTime(end),
    all_day,
    attendees: event.attendees.map(({ email }) => email).filter((email) => email !== ""),
    status,
    location,
    description,
    organizer: event.organizer?.email || null,
    answers: event.attendees,
    recurrence_id: event.recurrence_id === null ? null : isoTime(event.recurrence_id),
    calendar_id,
  };
}
