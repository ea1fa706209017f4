import type { Static } from "@sinclair/typebox";
import type {
  KeyCreated as KeyCreatedModel,
  KeyPresetView,
  KeyView,
  NewKeyBody,
  ScopeGroupView,
} from "../../../src/features/keys/model.ts";
import type { InvitationLink, MemberList as MemberListModel, MemberView } from "../../../src/features/members/model.ts";
import type { OwnTeam, TeamInvitations, TeamView } from "../../../src/features/teams/model.ts";

/** Types of API keys, members and teams in `app/api`. */

export type ScopeGroup = Static<typeof ScopeGroupView>;
export type KeyPreset = Static<typeof KeyPresetView>;
/** What a key can have: groups of scopes, and presets of them. */
export interface KeyChoices {
  data: ScopeGroup[];
  presets: KeyPreset[];
}
export type KeyRow = KeyView;
export type KeyCreated = Static<typeof KeyCreatedModel>;
/** The request for a new key. Absent fields get their defaults. */
export type NewKey = Pick<NewKeyBody, "name" | "scopes"> & Partial<NewKeyBody>;

export type Member = MemberView;
export type MemberList = Static<typeof MemberListModel>;
export type Invite = Static<typeof InvitationLink>;

export type Team = TeamView;
export type MyTeam = OwnTeam["team"];
export type TeamInvitation = Static<typeof TeamInvitations>["data"][number];
