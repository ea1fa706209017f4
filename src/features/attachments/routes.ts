import { type Route, read } from "../../http/route.ts";
import type { MessageQueries } from "../../mailbox/queries/messages.ts";
import type { ContentSource } from "../../mailbox/store/content-source.ts";
import { download } from "./download.ts";

const RANGES =
  "Supports `Range` (one range; 206) and `If-None-Match` (304). `Content-Disposition` makes browsers save the " +
  "file instead of displaying or running it.";

/** Returns the routes for the bytes of attachments and of whole messages. */
export function attachmentRoutes(messages: MessageQueries, content: ContentSource): Route[] {
  return [
    read({
      method: "GET",
      path: "/messages/:id/attachments/:att_id",
      scope: "mail:read",
      operationId: "getAttachment",
      tag: "Attachments",
      summary: "Download an attachment",
      description: `Streams the attachment with its own content type. ${RANGES}`,
      params: { id: "message", att_id: "attachment" },
      produces: "*/*",
      errors: ["range_not_satisfiable", "provider_unavailable"],
      handle: ({ params, caller, request, openStream }) => {
        const { name, mime, ref } = messages.attachment(caller, params.id, params.att_id);
        const etag = `"${ref.attachment_id}"`;
        const file = { etag, mime, name, size: ref.size, open: () => content.attachment(ref) };
        return download(request, file, openStream);
      },
    }),
    read({
      method: "GET",
      path: "/messages/:id/raw",
      scope: "mail:read",
      operationId: "getMessageSource",
      tag: "Messages",
      summary: "Download the source of a message",
      description: `Streams the message as stored on the mail server (RFC 5322). ${RANGES}`,
      params: { id: "message" },
      produces: "message/rfc822",
      errors: ["range_not_satisfiable", "provider_unavailable"],
      handle: ({ params, caller, request, openStream }) => {
        const ref = messages.raw(caller, params.id);
        // Weak: copies of one message in several folders may differ in the headers that servers add.
        const etag = `W/"${ref.message_id}"`;
        const name = `${params.id}.eml`;
        const file = { etag, mime: "message/rfc822", name, size: ref.size, open: () => content.raw(ref) };
        return download(request, file, openStream);
      },
    }),
  ];
}
