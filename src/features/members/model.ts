import { type Static, Type } from "@sinclair/typebox";
import { Nullable, OneOf, Timestamp } from "../../http/schema.ts";
import { PLANS } from "../../kernel/plans.ts";

export const MemberView = Type.Object(
  {
    id: Type.String(),
    email: Type.String(),
    role: OneOf(["owner", "member"]),
    plan: OneOf(PLANS, { description: "The plan that applies: `team` while the member is in a team." }),
    own_plan: OneOf(PLANS),
    created_at: Timestamp(),
    last_sign_in_at: Nullable(Timestamp()),
    mailboxes: Type.Integer(),
    messages: Type.Integer(),
    storage_bytes: Type.Integer({
      description: "Size of their mail as reported by their servers, and of files stored here.",
    }),
    invited_until: Nullable(Timestamp("When the unused invitation link expires.")),
  },
  { $id: "Member" },
);
export type MemberView = Static<typeof MemberView>;

export const MemberList = Type.Object(
  {
    data: Type.Array(MemberView),
    removing: Type.Integer({ description: "Members whose data is being erased right now." }),
  },
  { $id: "MemberList" },
);

/** `team` cannot be chosen: a member gets it by joining a team. */
const ChosenPlan = OneOf(["free", "pro", "autopilot"]);
export const NewMember = Type.Object(
  {
    email: Type.String({ format: "email" }),
    plan: ChosenPlan,
    timezone: Type.Optional(
      Type.String({ maxLength: 100, description: "IANA name. If absent, the time zone of the installation." }),
    ),
  },
  { $id: "NewMember" },
);
export type NewMember = Static<typeof NewMember>;
export const MemberPatch = Type.Object({ plan: ChosenPlan }, { $id: "MemberPatch" });

export const Confirmation = Type.Object(
  { confirm_email: Type.String({ description: "The member's address, entered again as confirmation." }) },
  { $id: "RemovalConfirmation" },
);
export const InvitationLink = Type.Object(
  { url: Type.String({ description: "Shown once; opens the account once." }), expires_at: Timestamp() },
  { $id: "InvitationLink" },
);
