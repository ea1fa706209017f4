import { type Static, Type } from "@sinclair/typebox";
import type { LabelUse } from "../../mailbox/queries/labels.ts";

export const Label = Type.Object(
  {
    id: Type.String({ description: "`lbl_…`. Stays the same when the label is renamed." }),
    name: Type.String(),
    thread_count: Type.Integer({ description: "Threads with this label, in any state." }),
    unread_count: Type.Integer({ description: "Unread threads with this label." }),
    account_ids: Type.Array(Type.String(), { description: "Mailboxes with such threads." }),
    changing: Type.Boolean({
      description: "True while the label is being renamed: some threads still have the old name.",
    }),
  },
  { $id: "Label" },
);
export type Label = Static<typeof Label>;

const NAME = Type.String({
  description:
    "1–200 characters. White space around it is removed. Names are compared exactly: `Work` and `work` are two labels.",
});

export const LabelCreate = Type.Object({ name: NAME }, { $id: "LabelCreate" });
export const LabelPatch = Type.Object({ name: NAME }, { $id: "LabelPatch" });

/** Returns a label as the API shows it. */
export function viewLabel({ row_id: _, ...label }: LabelUse): Label {
  return label;
}
