import { Type } from "@sinclair/typebox";

/** What a message carries wherever it is shown whole; the fields beyond the contract's included. */
export const NewText = Type.String({
  description: "Only what the sender wrote here: no history, signature or forwarded mail.",
});

export const Truncated = Type.Optional(
  Type.Boolean({
    description:
      "True when some of the text or some parts are left out, because the message is longer or deeper than Postroom keeps " +
      "(`mail.text_part_bytes`, `mail.text_read_bytes`). `GET /messages/{id}/raw` has all of it. " +
      "Absent for messages stored before version 0.2.",
  }),
);

export const AttachmentList = Type.Array(
  Type.Object({
    id: Type.String({ description: "`att_…`" }),
    name: Type.String(),
    size: Type.Integer({ description: "Bytes." }),
    size_estimated: Type.Optional(
      Type.Boolean({
        description:
          "True while `size` is an estimate, because the attachment has not been read yet. Absent when `size` is exact.",
      }),
    ),
    mime: Type.String(),
    inline: Type.Boolean({ description: "Part of the message's HTML rather than a file." }),
  }),
);
