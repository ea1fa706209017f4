import { type Static, Type } from "@sinclair/typebox";
import { Nullable, OneOf, Timestamp } from "../../http/schema.ts";
import type { DescribedAction } from "./service.ts";

export const AgentAction = Type.Object(
  {
    id: Type.String({ description: "`agt_…`" }),
    thread_id: Type.String(),
    message_id: Type.String({ description: "The message that caused the action." }),
    subject: Nullable(Type.String({ description: "Subject of that message; null if the message was deleted." })),
    from: Nullable(
      Type.Object(
        { name: Type.String(), email: Type.String() },
        { description: "Sender of that message; null if the message was deleted." },
      ),
    ),
    action: OneOf(["drafted", "followup", "triaged"]),
    mode: OneOf(["suggest", "draft", "autopilot"]),
    state: OneOf(["suggested", "done", "undone"], {
      description: "`suggested`: the mode or the allow list did not permit the action, so nothing was changed.",
    }),
    reason: Type.String(),
    engine: Nullable(Type.String({ description: "The engine that wrote the draft." })),
    draft_id: Nullable(Type.String({ description: "The draft that waits for review." })),
    changes: Type.Object({
      labels: Type.Array(Type.String()),
      category: Nullable(Type.Object({ from: Type.String(), to: Type.String() })),
      archived: Type.Boolean(),
    }),
    evidence: Nullable(
      Type.Object({
        message_id: Type.String(),
        quote: Type.String({ description: "Exact words from the message's `body_text`." }),
        start: Type.Integer({ description: "Start of the quote in `body_text`, in UTF-16 code units." }),
        end: Type.Integer(),
      }),
    ),
    created_at: Timestamp(),
    undo: Nullable(
      Type.Object(
        { method: OneOf(["POST"]), path: Type.String() },
        { description: "The call that undoes the action." },
      ),
    ),
  },
  { $id: "AgentAction" },
);
export type AgentAction = Static<typeof AgentAction>;

export const AgentRun = Type.Object(
  {
    looked_at: Type.Integer({ description: "Number of new messages in the inbox." }),
    actions: Type.Array(AgentAction),
    capped: Type.Boolean({
      description:
        "True if the limit of the run or of the day was reached. The remaining mail waits for the next pass.",
    }),
  },
  { $id: "AgentRun" },
);
export type AgentRun = Static<typeof AgentRun>;

/** Maps a stored action to the shape of the API, with the call that undoes it. */
export function viewAction({ user_id: _, account_id: __, created_at, mode, ...action }: DescribedAction): AgentAction {
  const { id, state } = action;
  return {
    ...action,
    mode: mode as AgentAction["mode"],
    created_at: new Date(created_at).toISOString(),
    undo: state === "done" ? { method: "POST", path: `/agent/actions/${id}/undo` } : null,
  };
}
