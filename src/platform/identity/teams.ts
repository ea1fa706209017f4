import type { Clock } from "../../kernel/clock.ts";
import { UserError } from "../../kernel/errors.ts";
import { nameFault } from "../../kernel/names.ts";
import type { Db } from "../db/open.ts";
import type { Grants } from "../grants/grants.ts";
import type { NewId } from "../ids.ts";
import type { Keyring } from "../sealing/keyring.ts";
import type { TeamMemberRow, TeamRow } from "./tables.ts";

export interface Team {
  id: string;
  name: string;
  created_at: number;
}

export interface TeamMember {
  user_id: string;
  invited_at: number;
  /** ms; null while the invitation is not accepted. */
  joined_at: number | null;
}

const LONGEST_NAME_CHARS = 100;

/**
 * Teams: people who share the limits of the team plan, and whose mail organization keys can read. A member must have
 * accepted, and a person is in at most one team. The caller writes the audit rows, because it has the actor.
 */
export class Teams {
  constructor(
    private readonly db: Db,
    private readonly keyring: Keyring,
    private readonly grants: Grants,
    private readonly newId: NewId,
    private readonly clock: Clock,
  ) {}

  /** Creates a team. @throws UserError for a name that is empty, too long or taken */
  create(name: string): Team {
    const wanted = name.trim();
    const fault = nameFault(wanted);
    if (fault) throw new UserError(`A team's name ${fault}.`);
    if (wanted.length > LONGEST_NAME_CHARS) {
      throw new UserError(`A team name can have at most ${LONGEST_NAME_CHARS} characters.`);
    }
    return this.db.write(() => {
      if (this.findByName(wanted)) throw new UserError(`There is already a team ${wanted}.`);
      const id = this.newId("team");
      const created_at = this.clock.now();
      const profile = this.keyring.system().sealJson(`teams.profile:${id}`, { name: wanted });
      this.grants.insert("teams", { id, profile, created_at });
      return { id, name: wanted, created_at };
    });
  }

  /** Returns a team by id, or null. */
  get(id: string): Team | null {
    const row = this.db.sql.query<TeamRow, [string]>("SELECT id, profile, created_at FROM teams WHERE id = ?").get(id);
    return this.#view(row);
  }

  /** Returns all teams, oldest first. */
  list(): Team[] {
    return this.db.sql
      .query<TeamRow, []>("SELECT id, profile, created_at FROM teams ORDER BY id")
      .all()
      .flatMap((row) => this.#view(row) ?? []);
  }

  /** Returns the team with this name, ignoring case and surrounding spaces, or null. */
  findByName(name: string): Team | null {
    const wanted = name.trim().toLowerCase();
    return this.list().find((team) => team.name.toLowerCase() === wanted) ?? null;
  }

  /** Removes a team and its organization keys. Its members return to their own plans. */
  remove(id: string): void {
    this.grants.batch(() => {
      this.grants.removeWhere("api_keys", "team_id = ?", id);
      this.grants.removeWhere("team_members", "team_id = ?", id);
      this.grants.remove("teams", { id });
    });
  }

  /** Returns members and invited people of a team, in the order of their invitations. */
  members(team_id: string): TeamMember[] {
    const rows = this.db.sql
      .query<TeamMemberRow, [string]>(
        "SELECT team_id, user_id, invited_at, joined_at FROM team_members WHERE team_id = ? ORDER BY invited_at, user_id",
      )
      .all(team_id);
    return this.grants.onlyHeld("team_members", rows).map(({ team_id: _, ...member }) => member);
  }

  /** Returns the team that a person is in, or null. */
  of(user_id: string): Team | null {
    const membership = this.#memberships(user_id).find(({ joined_at }) => joined_at !== null);
    return membership ? this.get(membership.team_id) : null;
  }

  /** Returns whether the person is a member of this team. */
  has(team_id: string, user_id: string): boolean {
    return this.#memberships(user_id).some((each) => each.team_id === team_id && each.joined_at !== null);
  }

  /** Returns the number of members, by which the team's limits are multiplied. */
  seats(team_id: string): number {
    return this.members(team_id).filter(({ joined_at }) => joined_at !== null).length;
  }

  /** Invites a person. @returns false if they are invited or a member already */
  invite(team_id: string, user_id: string): boolean {
    const row = { team_id, user_id, invited_at: this.clock.now(), joined_at: null };
    return this.grants.insert("team_members", row, "ignore");
  }

  /** Returns the teams that have invited a person who has not responded. */
  invitationsOf(user_id: string): (Team & { invited_at: number })[] {
    return this.#memberships(user_id)
      .filter(({ joined_at }) => joined_at === null)
      .flatMap(({ team_id, invited_at }) => {
        const team = this.get(team_id);
        return team ? [{ ...team, invited_at }] : [];
      });
  }

  /**
   * Accepts the invitation to a team. @returns false if there is none
   * @throws UserError while the person is in another team
   */
  accept(team_id: string, user_id: string): boolean {
    return this.db.write(() => {
      const asked = this.#memberships(user_id).some((each) => each.team_id === team_id && each.joined_at === null);
      if (!asked) return false;
      const current = this.of(user_id);
      if (current) throw new UserError(`A person can be in one team at most. Leave ${current.name} first.`);
      return this.grants.update("team_members", { team_id, user_id }, { joined_at: this.clock.now() });
    });
  }

  /**
   * Ends a membership or an invitation. The team's keys have no access to the person's mail from then on.
   * @returns false if there was neither
   */
  leave(team_id: string, user_id: string): boolean {
    return this.grants.remove("team_members", { team_id, user_id });
  }

  /** Returns a person's memberships and invitations, earliest first. */
  #memberships(user_id: string): TeamMemberRow[] {
    const rows = this.db.sql
      .query<TeamMemberRow, [string]>(
        "SELECT team_id, user_id, invited_at, joined_at FROM team_members WHERE user_id = ? ORDER BY invited_at",
      )
      .all(user_id);
    return this.grants.onlyHeld("team_members", rows);
  }

  #view(stored: TeamRow | null): Team | null {
    if (stored === null || !this.grants.holds("teams", { ...stored })) return null;
    const { profile, ...row } = stored;
    const { name } = this.keyring.system().openJson(`teams.profile:${row.id}`, profile);
    return { ...row, name };
  }
}
