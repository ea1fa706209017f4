import { type Static, Type } from "@sinclair/typebox";
import { OneOf, Timestamp } from "../../http/schema.ts";
import { EVENT_NAMES } from "../../kernel/events.ts";

/** An event of the log, with the body that webhooks receive. */
export const Event = Type.Object(
  {
    id: Type.String({
      description:
        "The same in every delivery of this event. Use it to recognize events that you have already processed.",
      examples: ["ntf_01jz4t9h2m8q5r7v3w6x0y1z2a"],
    }),
    event: OneOf(EVENT_NAMES),
    created_at: Timestamp(),
    data: Type.Record(Type.String(), Type.Unknown(), { description: "The fields depend on the event." }),
  },
  { $id: "Event" },
);
export type Event = Static<typeof Event>;

export const EventList = Type.Object(
  {
    data: Type.Array(Event),
    has_more: Type.Boolean({ description: "Whether more events are available now." }),
    next_cursor: Type.Optional(Type.String({ description: "Equal to `cursor` if more events are available." })),
    cursor: Type.String({
      description:
        "Where this page ends. Pass it as `after` to continue. Always present, so that a poller can resume later.",
    }),
  },
  { $id: "EventList" },
);

export const eventQuery = {
  after: Type.Optional(
    Type.String({
      description:
        "`cursor` of an earlier page, or `latest` for new events only. If absent, the list starts at the oldest stored event.",
    }),
  ),
  types: Type.Optional(
    Type.String({ description: "Only these events, separated by commas.", examples: ["message.received,send.failed"] }),
  ),
};
