import { type Static, Type } from "@sinclair/typebox";
import { Nullable, OneOf, Timestamp } from "../../http/schema.ts";
import { PLANS } from "../../kernel/plans.ts";

export const MemberView = Type.Object(
  {
    id: Type.String(),
    email: Type.String(),
    role: OneOf(["owner", "member"]),
    plan: OneOf(PLANS, { description: "The one that counts: `team` while they are in a team." }),
    own_plan: OneOf(PLANS),
    created_at: Timestamp(),
    last_sign_in_at: Nullable(Timestamp()),
    mailboxes: Type.Integer(),
    messages: Type.Integer(),
    storage_bytes: Type.Integer({ description: "Of their mail as their servers count it, and of files kept here." }),
    invited_until: Nullable(Timestamp("When the link that they have not used yet expires.")),
  },
  { $id: "Member" },
);
export type MemberView = Static<typeof MemberView>;

export const MemberList = Type.Object(
  {
    data: Type.Array(MemberView),
    removing: Type.Integer({ description: "People whose data is being erased right now." }),
  },
  { $id: "MemberList" },
);

/** `team` is not to be chosen: it comes with joining one. */
const ChosenPlan = OneOf(["free", "pro", "autopilot"]);
export const NewMember = Type.Object(
  {
    email: Type.String({ format: "email" }),
    plan: ChosenPlan,
    timezone: Type.Optional(Type.String({ maxLength: 100, description: "IANA; absent: that of the installation." })),
  },
  { $id: "NewMember" },
);
export type NewMember = Static<typeof NewMember>;
export const MemberPatch = Type.Object({ plan: ChosenPlan }, { $id: "MemberPatch" });

export const Confirmation = Type.Object(
  { confirm_email: Type.String({ description: "The address of who is removed, typed again." }) },
  { $id: "RemovalConfirmation" },
);
export const InvitationLink = Type.Object(
  { url: Type.String({ description: "Shown once; it opens the account once." }), expires_at: Timestamp() },
  { $id: "InvitationLink" },
);
