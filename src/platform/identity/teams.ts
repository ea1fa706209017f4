import type { Clock } from "../../kernel/clock.ts";
import { UserError } from "../../kernel/errors.ts";
import { nameFault } from "../../kernel/names.ts";
import type { Db } from "../db/open.ts";
import type { NewId } from "../ids.ts";
import type { Keyring } from "../sealing/keyring.ts";

export interface Team {
  id: string;
  name: string;
  created_at: number;
}

export interface TeamMember {
  user_id: string;
  invited_at: number;
  /** ms; null: asked, and has not accepted. */
  joined_at: number | null;
}

type StoredTeam = Omit<Team, "name"> & { profile: Uint8Array };

const LONGEST_NAME_CHARS = 100;

/**
 * Teams: people who share the amounts of the team plan, and whose mail organisation keys read. Nobody is in one who has not
 * accepted, and a person is in one at most. Whoever calls writes the audit rows, for it knows who asked.
 */
export class Teams {
  constructor(
    private readonly db: Db,
    private readonly keyring: Keyring,
    private readonly newId: NewId,
    private readonly clock: Clock,
  ) {}

  /** @throws UserError for a name that is empty, too long or taken */
  create(name: string): Team {
    const wanted = name.trim();
    const fault = nameFault(wanted);
    if (fault) throw new UserError(`A team's name ${fault}.`);
    if (wanted.length > LONGEST_NAME_CHARS) {
      throw new UserError(`A team's name has at most ${LONGEST_NAME_CHARS} characters.`);
    }
    return this.db.write(() => {
      if (this.findByName(wanted)) throw new UserError(`There is a team ${wanted} already.`);
      const id = this.newId("team");
      const created_at = this.clock.now();
      const profile = this.keyring.system().sealJson(`teams.profile:${id}`, { name: wanted });
      this.db.sql.query("INSERT INTO teams (id, profile, created_at) VALUES (?, ?, ?)").run(id, profile, created_at);
      return { id, name: wanted, created_at };
    });
  }

  get(id: string): Team | null {
    const row = this.db.sql
      .query<StoredTeam, [string]>("SELECT id, profile, created_at FROM teams WHERE id = ?")
      .get(id);
    return row && this.#view(row);
  }

  /** All teams, oldest first. */
  list(): Team[] {
    return this.db.sql
      .query<StoredTeam, []>("SELECT id, profile, created_at FROM teams ORDER BY id")
      .all()
      .map((row) => this.#view(row));
  }

  findByName(name: string): Team | null {
    const wanted = name.trim().toLowerCase();
    return this.list().find((team) => team.name.toLowerCase() === wanted) ?? null;
  }

  /** Removes a team with its organisation keys. Its members go back to their own plans. */
  remove(id: string): void {
    this.db.sql.query("DELETE FROM teams WHERE id = ?").run(id);
  }

  /** Who is in a team or was asked, in the order in which they were asked. */
  members(team_id: string): TeamMember[] {
    return this.db.sql
      .query<TeamMember, [string]>(
        "SELECT user_id, invited_at, joined_at FROM team_members WHERE team_id = ? ORDER BY invited_at, user_id",
      )
      .all(team_id);
  }

  /** The team that a person is in; null: none. */
  of(user_id: string): Team | null {
    const row = this.db.sql
      .query<StoredTeam, [string]>(
        `SELECT t.id, t.profile, t.created_at FROM team_members m JOIN teams t ON t.id = m.team_id
         WHERE m.user_id = ? AND m.joined_at IS NOT NULL`,
      )
      .get(user_id);
    return row && this.#view(row);
  }

  /** True when the person accepted to be in this team, and still is. */
  has(team_id: string, user_id: string): boolean {
    const found = this.db.sql
      .query("SELECT 1 FROM team_members WHERE team_id = ? AND user_id = ? AND joined_at IS NOT NULL")
      .get(team_id, user_id);
    return found !== null;
  }

  /** How many accepted: what the team's amounts are multiplied by. */
  seats(team_id: string): number {
    return this.db.sql
      .query<{ n: number }, [string]>(
        "SELECT count(*) AS n FROM team_members WHERE team_id = ? AND joined_at IS NOT NULL",
      )
      .get(team_id)!.n;
  }

  /** Asks a person to join. @returns false when they were asked before, or are in it */
  invite(team_id: string, user_id: string): boolean {
    const { changes } = this.db.sql
      .query("INSERT OR IGNORE INTO team_members (team_id, user_id, invited_at) VALUES (?, ?, ?)")
      .run(team_id, user_id, this.clock.now());
    return changes > 0;
  }

  /** Teams that asked a person who has not answered. */
  invitationsOf(user_id: string): (Team & { invited_at: number })[] {
    return this.db.sql
      .query<StoredTeam & { invited_at: number }, [string]>(
        `SELECT t.id, t.profile, t.created_at, m.invited_at FROM team_members m JOIN teams t ON t.id = m.team_id
         WHERE m.user_id = ? AND m.joined_at IS NULL ORDER BY m.invited_at`,
      )
      .all(user_id)
      .map(({ invited_at, ...row }) => ({ ...this.#view(row), invited_at }));
  }

  /**
   * The person agrees to be in the team. @returns false when nobody asked them
   * @throws UserError while they are in another team
   */
  accept(team_id: string, user_id: string): boolean {
    return this.db.write(() => {
      const asked = this.db.sql
        .query("SELECT 1 FROM team_members WHERE team_id = ? AND user_id = ? AND joined_at IS NULL")
        .get(team_id, user_id);
      if (asked === null) return false;
      const current = this.of(user_id);
      if (current) throw new UserError(`A person is in one team at most. Leave ${current.name} first.`);
      this.db.sql
        .query("UPDATE team_members SET joined_at = ? WHERE team_id = ? AND user_id = ?")
        .run(this.clock.now(), team_id, user_id);
      return true;
    });
  }

  /** Declines, leaves or is taken out: from here on the team's keys do not see them. @returns false when they were not there */
  leave(team_id: string, user_id: string): boolean {
    return (
      this.db.sql.query("DELETE FROM team_members WHERE team_id = ? AND user_id = ?").run(team_id, user_id).changes > 0
    );
  }

  #view({ profile, ...row }: StoredTeam): Team {
    const { name } = this.keyring.system().openJson<{ name: string }>(`teams.profile:${row.id}`, profile);
    return { ...row, name };
  }
}
