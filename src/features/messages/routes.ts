import { Type } from "@sinclair/typebox";
import { type Route, read } from "../../http/route.ts";
import { OneOf } from "../../http/schema.ts";
import type { Unsubscribes } from "../../mailbox/changes/unsubscribes.ts";
import type { MessageQueries } from "../../mailbox/queries/messages.ts";
import { type BodyParts, bodyPage } from "./body-page.ts";
import { Message, viewMessage } from "./model.ts";

/** Returns the routes that read a message and its HTML page. */
export function messageRoutes(
  messages: MessageQueries,
  parts: BodyParts & { unsubscribes: Pick<Unsubscribes, "at"> },
): Route[] {
  return [
    read({
      method: "GET",
      path: "/messages/:id",
      scope: "mail:read",
      operationId: "getMessage",
      tag: "Messages",
      summary: "Get a message",
      description: "Returns a message with its text, headers and list of attachments.",
      params: { id: "message" },
      response: Message,
      examples: { response: EXAMPLE },
      handle: ({ params, caller }) => viewMessage(messages.get(caller, params.id), parts.unsubscribes.at(params.id)),
    }),
    read({
      method: "GET",
      path: "/messages/:id/body",
      scope: "mail:read",
      operationId: "getMessageBody",
      tag: "Messages",
      summary: "Get a message as sanitized HTML",
      description:
        "Returns a complete HTML document without scripts, forms, frames or tracking pixels. Links open outside the " +
        "document's sandbox. The rules of the mail's style sheets are in style attributes. Inline images are embedded; " +
        "they are omitted while the mail server is unreachable. Nothing is loaded from the web unless `images` is " +
        "`remote`, which also applies to background images. If the message is larger than Postroom stores, " +
        "the page ends with a notice and the header `X-Truncated` is `true`.",
      params: { id: "message" },
      query: Type.Object({
        images: OneOf(["none", "remote"], {
          default: "none",
          description: "`remote` also loads images from the web. This reveals the reader's address to their servers.",
        }),
      }),
      produces: "text/html; charset=utf-8",
      handle: async ({ params, query, caller }) => {
        const { page, truncated } = await bodyPage(parts, messages.html(caller, params.id), query.images);
        const { bodyHeaders } = await import("../../wire/html/sanitize.ts");
        return new Response(page, { headers: bodyHeaders(query.images, truncated) });
      },
    }),
  ];
}

const EXAMPLE: Message = {
  id: "msg_01kk8f2v0c5s9w3n7r1m4q6t8x",
  thread_id: "thr_01kk8f2v0c5s9w3n7r1m4q6t8y",
  account_id: "acc_01kk8f2v0c5s9w3n7r1m4q6t8z",
  from: { name: "Maya Costa", email: "maya@harbourline.example" },
  to: [{ name: "Alex", email: "alex@example.com" }],
  cc: [],
  authentication: { result: "pass", from_domain: "harbourline.example", dmarc: "pass", spf: "pass", dkim: "pass" },
  subject: "Invoice 1042",
  date: "2026-03-02T09:00:00.000Z",
  body_text: "Hello Alex,\n\nthe invoice is attached.\n\n-- \nMaya",
  new_text: "Hello Alex,\n\nthe invoice is attached.",
  headers: { message_id: "<1042@harbourline.example>" },
  labels: ["Invoices"],
  unread: true,
  starred: false,
  draft: false,
  category: "primary",
  category_reason: "person",
  attachments: [
    {
      id: "att_01kk8f2v0c5s9w3n7r1m4q6t90",
      name: "invoice-1042.pdf",
      size: 48_211,
      mime: "application/pdf",
      inline: false,
    },
  ],
  unsubscribe: null,
};
