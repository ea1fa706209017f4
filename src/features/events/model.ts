import { type Static, Type } from "@sinclair/typebox";
import { OneOf, Timestamp } from "../../http/schema.ts";
import { EVENT_NAMES } from "../../kernel/events.ts";

/** An event of the log: the body that webhooks get. */
export const Event = Type.Object(
  {
    id: Type.String({
      description: "The same in every delivery of this event: what has been seen before can be told by it.",
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
    has_more: Type.Boolean({ description: "Whether more events follow already." }),
    next_cursor: Type.Optional(Type.String({ description: "The same as `cursor`, when more follow." })),
    cursor: Type.String({
      description: "Where this page ends; pass it as `after`. Always there, so that a poller can go on from it later.",
    }),
  },
  { $id: "EventList" },
);

export const eventQuery = {
  after: Type.Optional(
    Type.String({
      description:
        "`cursor` of an earlier page, or `latest` for what happens from now on. Absent: the oldest event kept.",
    }),
  ),
  types: Type.Optional(
    Type.String({ description: "Only these events, separated by commas.", examples: ["message.received,send.failed"] }),
  ),
};
