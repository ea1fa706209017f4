import { Type } from "@sinclair/typebox";

/** What a message carries wherever it is shown whole; the fields beyond the contract's included. */
export const NewText = Type.String({
  description: "Only what the sender wrote here: no history, signature or forwarded mail.",
});

export const AttachmentList = Type.Array(
  Type.Object({
    id: Type.String({ description: "`att_…`" }),
    name: Type.String(),
    size: Type.Integer({ description: "Bytes; an estimate until the attachment was downloaded once." }),
    mime: Type.String(),
    inline: Type.Boolean({ description: "Part of the message's HTML rather than a file." }),
  }),
);
