import type { Caller } from "../../http/guard/caller.ts";
import { change, type Route, read } from "../../http/route.ts";
import { NewTeam, OwnTeam, TeamInvitations, TeamInvite, TeamList, TeamView } from "./model.ts";
import type { TeamService, TeamWriter } from "./service.ts";

/** Defines the routes of the settings page "Team": those for the owner and those for each member. */
export function teamAppRoutes(teams: TeamService): Route[] {
  return [...ownerRoutes(teams), ...memberRoutes(teams)];
}

function ownerRoutes(teams: TeamService): Route[] {
  return [
    read({
      method: "GET",
      path: "/teams",
      audience: "session",
      role: "owner",
      response: TeamList,
      handle: () => ({ data: teams.list() }),
    }),
    change({
      method: "POST",
      path: "/teams",
      audience: "session",
      role: "owner",
      body: NewTeam,
      response: TeamView,
      status: 201,
      handle: ({ caller, body }) => teams.create(writerOf(caller), body.name),
    }),
    change({
      method: "DELETE",
      path: "/teams/:id",
      audience: "session",
      role: "owner",
      params: { id: "team" },
      handle: ({ caller, params }) => teams.remove(writerOf(caller), params.id),
    }),
    change({
      method: "POST",
      path: "/teams/:id/members",
      audience: "session",
      role: "owner",
      params: { id: "team" },
      body: TeamInvite,
      response: TeamView,
      handle: ({ caller, params, body }) => teams.invite(writerOf(caller), params.id, body.email),
    }),
    change({
      method: "DELETE",
      path: "/teams/:id/members/:user_id",
      audience: "session",
      role: "owner",
      params: { id: "team", user_id: "user" },
      handle: ({ caller, params }) => teams.expel(writerOf(caller), params.id, params.user_id),
    }),
  ];
}

function memberRoutes(teams: TeamService): Route[] {
  return [
    read({
      method: "GET",
      path: "/me/team",
      audience: "session",
      response: OwnTeam,
      handle: ({ caller }) => teams.mine(writerOf(caller).user_id),
    }),
    change({
      method: "DELETE",
      path: "/me/team",
      audience: "session",
      handle: ({ caller }) => teams.leave(writerOf(caller)),
    }),
    read({
      method: "GET",
      path: "/me/team-invitations",
      audience: "session",
      response: TeamInvitations,
      handle: ({ caller }) => ({ data: teams.invitationsOf(writerOf(caller).user_id) }),
    }),
    change({
      method: "POST",
      path: "/me/team-invitations/:team_id/accept",
      audience: "session",
      recentAuth: true,
      params: { team_id: "team" },
      handle: ({ caller, params }) => teams.accept(writerOf(caller), params.team_id),
    }),
    change({
      method: "POST",
      path: "/me/team-invitations/:team_id/decline",
      audience: "session",
      params: { team_id: "team" },
      handle: ({ caller, params }) => teams.decline(writerOf(caller), params.team_id),
    }),
  ];
}

/** Returns the person as the writer, even while the page shows their sandbox. */
function writerOf({ user, actor, request_id }: Caller): TeamWriter {
  return { user_id: user.sandbox_of ?? user.id, actor, request_id };
}
