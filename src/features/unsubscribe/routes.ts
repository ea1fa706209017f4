import { Type } from "@sinclair/typebox";
import { act, type Route } from "../../http/route.ts";
import { Timestamp } from "../../http/schema.ts";
import { isoTime } from "../../kernel/clock.ts";
import type { Unsubscriber } from "./service.ts";

const UnsubscribeBody = Type.Object({ confirm: Type.Literal(true) }, { $id: "UnsubscribeBody" });

const UnsubscribeReply = Type.Object(
  {
    message_id: Type.String(),
    host: Type.String({ description: "Host of the sender's server that received the request." }),
    unsubscribed_at: Timestamp("When the server accepted the request."),
  },
  { $id: "Unsubscribed" },
);

/** Returns the route that unsubscribes from a sender. */
export function unsubscribeRoutes(unsubscriber: Unsubscriber): Route[] {
  return [
    act({
      method: "POST",
      path: "/messages/:id/unsubscribe",
      scope: "mail:write",
      operationId: "unsubscribe",
      tag: "Messages",
      summary: "Unsubscribe from a mailing",
      description:
        "Sends a one-click unsubscribe request (RFC 8058) to the sender's server. Available for messages whose " +
        "`unsubscribe` is not null. The request is one POST over HTTPS, to public addresses only, without cookies, " +
        "and redirects are not followed. It reveals to the sender that the address is in use, so `confirm` must be " +
        "true. Each message is unsubscribed once: repeating the call returns the first result. In the sandbox, " +
        "nothing is sent.",
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
