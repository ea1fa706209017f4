import { type Static, Type } from "@sinclair/typebox";
import { Name, Nullable, OneOf, Timestamp } from "../../http/schema.ts";

const used = Type.Object({ used: Type.Integer(), limit: Type.Integer() });

export const TeamView = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    created_at: Timestamp(),
    seats: Type.Integer({
      description: "Members who accepted. The limits of the team plan are multiplied by this number.",
    }),
    requests: used,
    sends: used,
    members: Type.Array(
      Type.Object({
        user_id: Type.String(),
        email: Type.String(),
        state: OneOf(["invited", "joined"]),
        since: Timestamp(),
      }),
    ),
  },
  { $id: "Team" },
);
export type TeamView = Static<typeof TeamView>;
export const TeamList = Type.Object({ data: Type.Array(TeamView) }, { $id: "TeamList" });
export const NewTeam = Type.Object({ name: Name(100) }, { $id: "NewTeam" });
export const TeamInvite = Type.Object({ email: Type.String({ format: "email" }) }, { $id: "TeamInvite" });

/** The member's view of a team, with its other members, whose mail its organization keys can read, too. */
export const OwnTeam = Type.Object(
  {
    team: Nullable(
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        seats: Type.Integer(),
        members: Type.Array(Type.String({ description: "Email address." })),
      }),
    ),
  },
  { $id: "OwnTeam" },
);
export type OwnTeam = Static<typeof OwnTeam>;

export const TeamInvitations = Type.Object(
  { data: Type.Array(Type.Object({ team_id: Type.String(), name: Type.String(), invited_at: Timestamp() })) },
  { $id: "TeamInvitations" },
);
