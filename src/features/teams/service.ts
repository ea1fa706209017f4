import { faultOf } from "../../http/user-faults.ts";
import { isoTime } from "../../kernel/clock.ts";
import { invalidParam, notFound } from "../../kernel/errors.ts";
import type { Team } from "../../platform/identity/teams.ts";
import type { User } from "../../platform/identity/users.ts";
import type { Actor } from "../../platform/ledger/audit.ts";
import type { Platform } from "../../platform/platform.ts";
import type { OwnTeam, TeamView } from "./model.ts";

/** The caller, in the settings page or on the command line. */
export interface TeamWriter {
  /** User whose audit log records the change, besides that of the member concerned. */
  user_id: string;
  actor: Actor;
  request_id: string | null;
}

/**
 * Manages teams. The owner creates them and invites people, who become members only when they accept. When a member
 * leaves, the team's keys lose access immediately, including open streams.
 */
export class TeamService {
  /**
   * Creates the service.
   * @param onLeave removes what the team's keys have set up for a former member; runs in the transaction
   */
  constructor(
    private readonly platform: Platform,
    private readonly onLeave: (user_id: string, keyIds: readonly string[], writer: TeamWriter) => void,
  ) {}

  list(): TeamView[] {
    return this.platform.teams.list().map((team) => this.#view(team));
  }

  /** Creates a team. @throws ApiError invalid_params (`name`) */
  create(writer: TeamWriter, name: string): TeamView {
    const { db, teams } = this.platform;
    return db.write(() => {
      const team = faultOf("name", () => teams.create(name));
      this.#record(writer, "team.create", team.id, { name: team.name });
      return this.#view(team);
    });
  }

  /** Deletes a team with its organization keys. @throws ApiError not_found */
  remove(writer: TeamWriter, id: string): void {
    const { db, teams, keys } = this.platform;
    db.write(() => {
      const { name } = this.#team(id);
      for (const { user_id } of teams.members(id)) {
        this.#record({ ...writer, user_id }, "team.leave", id, { name });
        this.#revokeAccess(writer, user_id, id);
      }
      teams.remove(id);
      this.#record(writer, "team.remove", id, { name });
      keys.announce();
    });
  }

  /** Invites a person of this installation. @throws ApiError not_found, invalid_params (`email`) */
  invite(writer: TeamWriter, id: string, email: string): TeamView {
    const { db, teams, users } = this.platform;
    return db.write(() => {
      const team = this.#team(id);
      const person = users.findByEmail(email);
      if (!person) throw invalidParam("email", `There is no user ${email}. Add them as a member first.`);
      if (!teams.invite(id, person.id))
        throw invalidParam("email", `${email} is already in this team or has already been invited.`);
      this.#recordBoth(writer, person.id, "team.invite", id, { name: team.name, member: person.id });
      return this.#view(team);
    });
  }

  /** Removes a member, or withdraws an invitation. @throws ApiError not_found */
  expel(writer: TeamWriter, id: string, user_id: string): void {
    const { db, teams } = this.platform;
    db.write(() => {
      this.#team(id);
      if (!teams.leave(id, user_id)) throw notFound("member");
      this.#recordBoth(writer, user_id, "team.leave", id, { member: user_id });
      this.#revokeAccess(writer, user_id, id);
      this.platform.keys.announce();
    });
  }

  /** Returns the teams that have invited this person. */
  invitationsOf(user_id: string): { team_id: string; name: string; invited_at: string }[] {
    return this.platform.teams
      .invitationsOf(user_id)
      .map(({ id, name, invited_at }) => ({ team_id: id, name, invited_at: isoTime(invited_at) }));
  }

  /**
   * Accepts an invitation. From now on, the team's organization keys can act for this person.
   * @throws ApiError not_found, invalid_params (`team_id`)
   */
  accept(writer: TeamWriter, id: string): void {
    const { db, teams } = this.platform;
    db.write(() => {
      if (!faultOf("team_id", () => teams.accept(id, writer.user_id))) throw notFound("invitation");
      this.#recordBoth({ ...writer, user_id: this.#ownerId() }, writer.user_id, "team.join", id, {
        member: writer.user_id,
      });
    });
  }

  /** Declines an invitation. @throws ApiError not_found */
  decline(writer: TeamWriter, id: string): void {
    const { teams } = this.platform;
    const asked = teams.invitationsOf(writer.user_id).some((team) => team.id === id);
    if (!asked) throw notFound("invitation");
    this.expel({ ...writer, user_id: this.#ownerId() }, id, writer.user_id);
  }

  /** Returns the team of a person. */
  mine(user_id: string): OwnTeam {
    const { teams } = this.platform;
    const team = teams.of(user_id);
    if (!team) return { team: null };
    const { id, name, seats, members } = this.#view(team);
    const emails = members.filter(({ state }) => state === "joined").map(({ email }) => email);
    return { team: { id, name, seats, members: emails } };
  }

  /** Removes the caller from their team. @throws ApiError not_found */
  leave(writer: TeamWriter): void {
    const team = this.platform.teams.of(writer.user_id);
    if (!team) throw notFound("team");
    this.expel({ ...writer, user_id: this.#ownerId() }, team.id, writer.user_id);
  }

  #revokeAccess(writer: TeamWriter, memberId: string, id: string): void {
    const { users, keys } = this.platform;
    const keyIds = keys.ofTeam(id).map((key) => key.id);
    for (const user_id of users.rowsOf(memberId)) this.onLeave(user_id, keyIds, writer);
  }

  #team(id: string): Team {
    const team = this.platform.teams.get(id);
    if (!team) throw notFound("team");
    return team;
  }

  #ownerId(): string {
    return this.platform.users.list().find(({ role }) => role === "owner")!.id;
  }

  #view(team: Team): TeamView {
    const { teams, users, meters } = this.platform;
    const seats = teams.seats(team.id);
    const limits = meters.limits({ plan: "team", seats });
    return {
      id: team.id,
      name: team.name,
      created_at: isoTime(team.created_at),
      seats,
      requests: { used: meters.requests(team.id), limit: limits.requests_per_day },
      sends: { used: meters.used("sends", team.id), limit: limits.sends_per_day },
      members: teams
        .members(team.id)
        .map((row) => ({ row, user: users.get(row.user_id) }))
        .filter((member): member is typeof member & { user: User } => member.user !== null)
        .map(({ row, user }) => ({
          user_id: user.id,
          email: user.email,
          state: row.joined_at === null ? ("invited" as const) : ("joined" as const),
          since: isoTime(row.joined_at ?? row.invited_at),
        })),
    };
  }

  /** Records a change in the owner's audit log and in that of the member concerned, who can see it there. */
  #recordBoth(writer: TeamWriter, memberId: string, action: string, target: string, after: object): void {
    this.#record(writer, action, target, after);
    if (memberId !== writer.user_id) this.#record({ ...writer, user_id: memberId }, action, target, after);
  }

  #record({ user_id, actor, request_id }: TeamWriter, action: string, target: string, after: object): void {
    this.platform.audit.record({ user_id, actor, action, target, after, request_id });
  }
}
