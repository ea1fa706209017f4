import { Type } from "@sinclair/typebox";
import { act, type Route } from "../../http/route.ts";
import { Timestamp } from "../../http/schema.ts";
import { isoTime } from "../../kernel/clock.ts";
import type { Unsubscriber } from "./service.ts";

const UnsubscribeBody = Type.Object({ confirm: Type.Literal(true) }, { $id: "UnsubscribeBody" });

const UnsubscribeReply = Type.Object(
  {
    message_id: Type.String(),
    host: Type.String({ description: "Whose server was told." }),
    unsubscribed_at: Timestamp("When it took the request."),
  },
  { $id: "Unsubscribed" },
);

export function unsubscribeRoutes(unsubscriber: Unsubscriber): Route[] {
  return [
    act({
      method: "POST",
      path: "/messages/:id/unsubscribe",
      scope: "mail:write",
      operation_id: "unsubscribe",
      tag: "Messages",
      summary: "Unsubscribe from a mailing",
      description:
        "One-click unsubscribe (RFC 8058), for messages whose `unsubscribe` is not null: one POST to the sender's server, over " +
        "HTTPS, to public addresses only, without cookies, without following redirects. It tells the sender that the address " +
        "is read, so `confirm` must be true. A message is told of once: asking again answers the first time. In the sandbox " +
        "nobody is told.",
      params: { id: "message" },
      body: UnsubscribeBody,
      response: UnsubscribeReply,
      errors: ["unsubscribe_unavailable", "unsubscribe_failed"],
      examples: {
        body: { confirm: true },
        response: {
          message_id: "msg_01kk8f2v0c5s9w3n7r1m4q6t8x",
          host: "news.harbourline.example",
          unsubscribed_at: "2026-03-02T09:00:00.000Z",
        },
      },
      handle: ({ params, caller, commit }) =>
        unsubscriber.unsubscribe(caller, params.id, (done) =>
          commit(() => {
            const { message_id, host, at } = done();
            return { message_id, host, unsubscribed_at: isoTime(at) };
          }),
        ),
    }),
  ];
}
