import { randomBytes } from "node:crypto";
import type { Clock } from "../../kernel/clock.ts";
import { UserError } from "../../kernel/errors.ts";
import { isEmailAddress } from "../../kernel/names.ts";
import type { Plan } from "../../kernel/plans.ts";
import type { Db } from "../db/open.ts";
import type { Grants } from "../grants/grants.ts";
import type { NewId } from "../ids.ts";
import { type Actor, type Audit, SYSTEM_ACTOR } from "../ledger/audit.ts";
import type { Keyring } from "../sealing/keyring.ts";
import type { TeamMemberRow, UserRow } from "./tables.ts";

export type UserRole = UserRow["role"];

export interface User {
  id: string;
  email: string;
  /** The effective plan: `team` while the person is in a team, otherwise their own. */
  plan: Plan;
  /** In a team: its number of members, and the id under which usage is counted. */
  seats?: number;
  pool_id?: string;
  role: UserRole;
  /** The person whose sandbox this user row is; null for persons. */
  sandbox_of: string | null;
  timezone: string;
  created_at: number;
}

const COLUMNS = "id, profile, email_hmac, plan, role, sandbox_of, removing_at, timezone, created_at";
/** Leaves out people who are being removed. */
const FOUND = `SELECT ${COLUMNS} FROM users WHERE removing_at IS NULL`;
const SANDBOX_PREFIX = "sandbox:";
/** Tables whose rows end when a person is locked out. */
const LOCKED_OUT = ["api_keys", "assistant_connections", "sessions", "invitations", "team_members"] as const;

/**
 * The users of this installation. Each person has a second, linked row for the sandbox (docs/api.md, "Test keys and the
 * sandbox").
 */
export class Users {
  readonly #timezoneListeners: ((user: User) => void)[] = [];

  constructor(
    private readonly db: Db,
    private readonly keyring: Keyring,
    private readonly grants: Grants,
    private readonly newId: NewId,
    private readonly clock: Clock,
    private readonly audit: Audit,
  ) {}

  /** Calls `listener` in the transaction that changes a time zone, once for the person and once for the sandbox. */
  listenTimezone(listener: (user: User) => void): void {
    this.#timezoneListeners.push(listener);
  }

  /** Adds a person and the linked sandbox user. @throws UserError if the address is invalid or taken */
  add(input: { email: string; plan: Plan; role: "owner" | "member"; timezone: string; actor?: Actor }): User {
    requireAddress(input.email);
    return this.db.write(() => {
      if (this.findByEmail(input.email)) throw new UserError(`There is already a user ${input.email}.`);
      const person = this.#insert(input, null);
      this.#insert({ ...input, email: SANDBOX_PREFIX + input.email, role: "sandbox" }, person.id);
      this.audit.record({
        user_id: person.id,
        actor: input.actor ?? SYSTEM_ACTOR,
        action: "user.create",
        target: person.id,
        after: { email: input.email, plan: input.plan },
      });
      return person;
    });
  }

  /** Returns a user by id, also a sandbox user; null if there is none. */
  get(id: string): User | null {
    const row = this.db.sql.query<UserRow, [string]>(`${FOUND} AND id = ?`).get(id);
    return this.#view(row);
  }

  /** Returns the person with this address, ignoring case and surrounding spaces. Never returns sandbox users. */
  findByEmail(email: string): User | null {
    const row = this.db.sql
      .query<UserRow, [Uint8Array]>(`${FOUND} AND sandbox_of IS NULL AND email_hmac = ?`)
      .get(this.#emailHmac(email));
    return this.#view(row);
  }

  /** Returns people, oldest first, except those whose sandbox row does not count. */
  list(): User[] {
    return this.db.sql
      .query<UserRow, []>(`${FOUND} AND sandbox_of IS NULL ORDER BY id`)
      .all()
      .flatMap((row) => this.#view(row) ?? [])
      .filter(({ id }) => this.#sandboxRow(id) !== null);
  }

  /** Returns whether the database has any user, even if its row does not count. */
  exist(): boolean {
    return this.db.sql.query("SELECT 1 FROM users LIMIT 1").get() !== null;
  }

  /** Returns the sandbox user of a person. */
  sandboxOf(personId: string): User {
    const user = this.#view(this.#sandboxRow(personId));
    if (!user) throw new Error("a person has no sandbox user");
    return user;
  }

  #sandboxRow(personId: string): UserRow | null {
    const row = this.db.sql.query<UserRow, [string]>(`${FOUND} AND sandbox_of = ?`).get(personId);
    return this.grants.checked("users", row);
  }

  /**
   * Changes the address or time zone of a person and the sandbox user. The caller writes the audit row.
   * @throws UserError if the address is invalid or taken
   */
  change(id: string, { email, timezone }: { email?: string; timezone?: string }): User {
    return this.db.write(() => {
      if (email !== undefined) this.#rename(id, email);
      if (timezone !== undefined) {
        this.db.sql.query("UPDATE users SET timezone = ?1 WHERE id = ?2 OR sandbox_of = ?2").run(timezone, id);
        for (const rowId of this.rowsOf(id)) for (const listener of this.#timezoneListeners) listener(this.get(rowId)!);
      }
      return this.get(id)!;
    });
  }

  #rename(id: string, email: string): void {
    requireAddress(email);
    const holder = this.findByEmail(email);
    if (holder && holder.id !== id) throw new UserError(`There is already a user ${email}.`);
    for (const rowId of this.rowsOf(id)) {
      const name = rowId === id ? email : SANDBOX_PREFIX + email;
      const profile = this.keyring.system().sealJson(`users.profile:${rowId}`, { email: name });
      this.grants.update("users", { id: rowId }, { profile, email_hmac: this.#emailHmac(name) });
    }
  }

  /** Moves a person and their sandbox to another plan. In a team, the team's plan takes precedence. */
  setPlan(id: string, plan: Plan): void {
    this.grants.batch(() => {
      for (const rowId of this.rowsOf(id)) this.grants.update("users", { id: rowId }, { plan });
    });
  }

  /** Returns the plan of a person outside a team. */
  ownPlan(id: string): Plan {
    const row = this.db.sql.query<UserRow, [string]>(`SELECT ${COLUMNS} FROM users WHERE id = ?`).get(id);
    return this.grants.checked("users", row)?.plan ?? "free";
  }

  /**
   * Locks a person out permanently: no key, session or invitation of theirs works, no lookup finds them, and their
   * address is free. Their data stays until `remove`, which can resume after a crash (`removing`).
   * @throws UserError for the owner, without whom no one could manage the installation
   */
  lockOut(id: string): void {
    this.db.write(() => {
      if (this.get(id)?.role === "owner") {
        throw new UserError(
          "The owner cannot be removed. To remove everything, stop the server and delete the data folder.",
        );
      }
      for (const user_id of this.rowsOf(id)) {
        this.grants.update("users", { id: user_id }, { removing_at: this.clock.now(), email_hmac: randomBytes(16) });
        for (const table of LOCKED_OUT) {
          this.grants.removeWhere(table, "user_id = ?", user_id);
        }
      }
    });
  }

  /** Returns the ids of people who are locked out and not removed yet. */
  removing(): string[] {
    const rows = this.db.sql
      .query<UserRow, []>(
        `SELECT ${COLUMNS} FROM users WHERE removing_at IS NOT NULL AND sandbox_of IS NULL ORDER BY id`,
      )
      .all();
    return this.grants.onlyHeld("users", rows).map(({ id }) => id);
  }

  /** Returns a person's two user ids, that of the sandbox first. Empty if there is no such person. */
  rowsOf(id: string): string[] {
    return this.db.sql
      .query<Pick<UserRow, "id">, [string]>(
        "SELECT id FROM users WHERE sandbox_of = ?1 OR (id = ?1 AND sandbox_of IS NULL) ORDER BY sandbox_of IS NULL",
      )
      .all(id)
      .map((row) => row.id);
  }

  /**
   * Removes a person, the sandbox user and all their rows in every table, and destroys their data keys. Large tables
   * should be emptied before, because this is one transaction. @throws UserError for the owner
   */
  remove(id: string): void {
    this.db.write(() => {
      this.lockOut(id);
      const tables = this.#tablesWithOwners();
      this.grants.removing(() => {
        for (const user_id of this.rowsOf(id)) {
          for (const table of tables) this.db.sql.query(`DELETE FROM "${table}" WHERE user_id = ?`).run(user_id);
          this.db.sql.query("DELETE FROM users WHERE id = ?").run(user_id);
          this.keyring.forget(user_id);
        }
      });
    });
  }

  /** Returns every table with a user column. It reads the schema, so that no new table is missed. */
  #tablesWithOwners(): string[] {
    return this.db.sql
      .query<{ name: string }, []>(
        `SELECT m.name FROM sqlite_schema m JOIN pragma_table_info(m.name) c
         WHERE m.type = 'table' AND c.name = 'user_id' AND m.name <> 'data_keys'`,
      )
      .all()
      .map(({ name }) => name);
  }

  #insert(input: { email: string; plan: Plan; role: UserRole; timezone: string }, sandbox_of: string | null): User {
    const id = this.newId("user");
    const created_at = this.clock.now();
    this.grants.insert("users", {
      id,
      profile: this.keyring.system().sealJson(`users.profile:${id}`, { email: input.email }),
      email_hmac: this.#emailHmac(input.email),
      plan: input.plan,
      role: input.role,
      sandbox_of,
      timezone: input.timezone,
      removing_at: null,
      created_at,
    });
    const { email, plan, role, timezone } = input;
    return { id, email, plan, role, sandbox_of, timezone, created_at };
  }

  /** Returns the user; null also if the row was created or changed outside Postroom. */
  #view(stored: UserRow | null): User | null {
    if (stored === null || !this.grants.holds("users", { ...stored })) return null;
    const { profile, email_hmac: _, removing_at: __, ...row } = stored;
    const { email } = this.keyring.system().openJson(`users.profile:${row.id}`, profile);
    // A sandbox has its person's plan, but separate counters.
    const team_id = this.#teamOf(row.sandbox_of ?? row.id);
    const pool: Partial<User> = team_id === null ? {} : { plan: "team" };
    if (team_id !== null && row.sandbox_of === null) {
      Object.assign(pool, { seats: this.#joined("team_id", team_id).length, pool_id: team_id });
    }
    return { ...row, ...pool, email: email.startsWith(SANDBOX_PREFIX) ? email.slice(SANDBOX_PREFIX.length) : email };
  }

  /** Returns the id of the team that a person has joined. */
  #teamOf(personId: string): string | null {
    return this.#joined("user_id", personId)[0]?.team_id ?? null;
  }

  #joined(column: "team_id" | "user_id", value: string): TeamMemberRow[] {
    const rows = this.db.sql
      .query<TeamMemberRow, [string]>(
        `SELECT team_id, user_id, invited_at, joined_at FROM team_members WHERE ${column} = ? AND joined_at IS NOT NULL`,
      )
      .all(value);
    return this.grants.onlyHeld("team_members", rows);
  }

  #emailHmac(email: string): Uint8Array {
    return this.keyring.system().hmac("email", email.trim().toLowerCase());
  }
}

/** Refuses addresses with the internal form of a sandbox. @throws UserError */
function requireAddress(email: string): void {
  if (isEmailAddress(email) && !email.trim().toLowerCase().startsWith(SANDBOX_PREFIX)) return;
  throw new UserError(`${email} is not an email address. Use the form you@example.org.`);
}
