import { type Static, Type } from "@sinclair/typebox";
import { Nullable, OneOf, Timestamp } from "../../http/schema.ts";
import { PLANS } from "../../kernel/plans.ts";
import { SCOPES } from "../../kernel/scopes.ts";
import { APPROVAL_STATES, CONFIRM_MODES, RECIPIENT_MODES } from "../../outbound/approvals/modes.ts";

const MAX_SENDS_PER_DAY = 1_000;

const policy = {
  confirm: OneOf(CONFIRM_MODES, {
    description:
      "Who confirms a send. `ask`: the person, in the assistant's program if it can ask, otherwise on the settings " +
      "page. `approve`: the person, always on the settings page. `token`: no one.",
  }),
  recipients: OneOf(RECIPIENT_MODES, {
    description: "`known`: mail to an address that the person has never written to needs approval.",
  }),
  sends_per_day: Type.Integer({ minimum: 1, maximum: MAX_SENDS_PER_DAY, description: "Messages per UTC day." }),
};
export const PolicyView = Type.Object(policy, { $id: "AssistantPolicy" });
export const PolicyPatch = Type.Partial(Type.Object(policy), { $id: "AssistantPolicyPatch", minProperties: 1 });
export type PolicyPatch = Static<typeof PolicyPatch>;

/** A key or a connection that can use the tools. */
export const AssistantView = Type.Object(
  {
    id: Type.String(),
    kind: OneOf(["key", "connection"]),
    name: Type.String(),
    hint: Nullable(Type.String({ description: "The first characters of a key." })),
    host: Nullable(
      Type.String({ description: "Host to which the browser returned after the consent to a connection." }),
    ),
    verified: Type.Boolean({
      description: "True if the name of a connection was fetched from the address that identifies it.",
    }),
    scopes: Type.Array(OneOf(SCOPES)),
    sandbox: Type.Boolean({ description: "True if the credential can access only the sample mailbox." }),
    account_id: Nullable(Type.String({ description: "The only mailbox that the credential can access." })),
    tools_only: Type.Boolean({
      description:
        "False for a key that works with the API, too, where the policy does not apply. Always true for a connection.",
    }),
    created_at: Timestamp(),
    last_used_at: Nullable(Timestamp()),
    policy: PolicyView,
  },
  { $id: "Assistant" },
);
export type AssistantView = Static<typeof AssistantView>;
export const AssistantList = Type.Object(
  {
    plan: OneOf(PLANS),
    allowed: Type.Boolean({ description: "True if the plan includes the tool server." }),
    data: Type.Array(AssistantView),
  },
  { $id: "AssistantList" },
);
export type AssistantList = Static<typeof AssistantList>;

const summary = {
  id: Type.String(),
  state: OneOf(APPROVAL_STATES),
  sandbox: Type.Boolean({ description: "The message belongs to the sandbox, from which nothing leaves the machine." }),
  asked_by: Type.Object({ kind: OneOf(["key", "connection"]), id: Type.String(), name: Type.String() }),
  subject: Type.String(),
  recipients: Type.Array(Type.String(), { description: "All of them: to, cc and bcc." }),
  created_at: Timestamp(),
  expires_at: Timestamp(),
  decided_at: Nullable(Timestamp()),
};
export const ApprovalItem = Type.Object(summary, { $id: "ApprovalItem" });
export type ApprovalItem = Static<typeof ApprovalItem>;
export const ApprovalList = Type.Object({ data: Type.Array(ApprovalItem) }, { $id: "ApprovalList" });

export const ApprovalView = Type.Object(
  {
    ...summary,
    from: Type.String(),
    to: Type.Array(Type.String()),
    cc: Type.Array(Type.String()),
    bcc: Type.Array(Type.String()),
    text: Type.String({ description: "The text that recipients read." }),
    html: Nullable(Type.String({ description: "The HTML of the draft; null: it is plain text." })),
    attachments: Type.Array(
      Type.Object({ id: Type.String(), name: Type.String(), mime: Type.String(), size: Type.Integer() }),
    ),
    reasons: Type.Array(Type.String(), { description: "Why a person must decide." }),
    scheduled_at: Nullable(Timestamp()),
    undo_window_s: Type.Number(),
    draft_id: Type.String(),
    send_id: Nullable(Type.String()),
  },
  { $id: "Approval" },
);
export type ApprovalView = Static<typeof ApprovalView>;

export const ApprovalQuery = Type.Object({
  waiting: Type.Optional(Type.Boolean({ description: "True: only those that can still be decided." })),
});
export const ApprovalCount = Type.Object({ waiting: Type.Integer() }, { $id: "ApprovalCount" });

export const Approved = Type.Object(
  { send_id: Type.String(), undo_until: Timestamp(), scheduled_at: Nullable(Timestamp()) },
  { $id: "ApprovedSend" },
);
export type Approved = Static<typeof Approved>;
