import { Type } from "@sinclair/typebox";
import { RESULTS } from "../kernel/authentication.ts";
import { Nullable, OneOf } from "./schema.ts";

/** Fields that a message has wherever it is shown in full. */
export const NewText = Type.String({
  description:
    "Only the text that the sender wrote in this message, without reply history, signature or forwarded mail.",
});

export const Truncated = Type.Optional(
  Type.Boolean({
    description:
      "True if some text or parts are omitted because the message is larger or more deeply nested than Postroom " +
      "stores (`mail.text_part_bytes`, `mail.text_read_bytes`). `GET /messages/{id}/raw` returns the whole " +
      "message. Absent for messages stored before version 0.2.",
  }),
);

export const SenderAuthentication = Type.Object(
  {
    result: OneOf(["pass", "fail", "none", "unknown"], {
      description:
        "`pass`: DMARC passed, or an aligned SPF or DKIM result did. `fail`: DMARC failed. `none`: the server found " +
        "nothing that confirms the domain. `unknown`: no trusted header, as in drafts, sent, imported and older mail.",
    }),
    from_domain: Nullable(Type.String({ description: "Domain of the From address that was checked." })),
    dmarc: Nullable(OneOf(RESULTS)),
    spf: Nullable(OneOf(RESULTS)),
    dkim: Nullable(OneOf(RESULTS)),
  },
  { description: "What the receiving mail server reported about the sender (RFC 8601). See docs/mail.md." },
);

export const AttachmentList = Type.Array(
  Type.Object({
    id: Type.String({ description: "`att_…`" }),
    name: Type.String(),
    size: Type.Integer({ description: "Bytes." }),
    size_estimated: Type.Optional(
      Type.Boolean({
        description:
          "True while `size` is an estimate, because the attachment has not been read yet. Absent if `size` is exact.",
      }),
    ),
    mime: Type.String(),
    inline: Type.Boolean({
      description: "True if the attachment is part of the message's HTML, such as an inline image.",
    }),
  }),
);
