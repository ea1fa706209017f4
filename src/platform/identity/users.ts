import type { Clock } from "../../kernel/clock.ts";
import { UserError } from "../../kernel/errors.ts";
import type { Plan } from "../../kernel/plans.ts";
import { type Actor, type Audit, SYSTEM_ACTOR } from "../audit.ts";
import type { Db } from "../db/open.ts";
import type { NewId } from "../ids.ts";
import type { Keyring } from "../sealing/keyring.ts";

export type UserRole = "owner" | "member" | "sandbox";

export interface User {
  id: string;
  email: string;
  plan: Plan;
  role: UserRole;
  /** The person whose sandbox this user row is; null for persons. */
  sandbox_of: string | null;
  timezone: string;
  created_at: number;
}

type StoredUser = Omit<User, "email"> & { profile: Uint8Array };

const COLUMNS = "id, profile, plan, role, sandbox_of, timezone, created_at";
const SANDBOX_PREFIX = "sandbox:";

/** The users of this installation. Each person has a second, linked row for the sandbox (decisions, "Test keys"). */
export class Users {
  constructor(
    private readonly db: Db,
    private readonly keyring: Keyring,
    private readonly newId: NewId,
    private readonly clock: Clock,
    private readonly audit: Audit,
  ) {}

  /** Adds a person and the linked sandbox user. @throws UserError when the address is taken. */
  add(input: { email: string; plan: Plan; role: "owner" | "member"; timezone: string; actor?: Actor }): User {
    if (!/^[^\s@]+@[^\s@]+$/.test(input.email)) throw new UserError(`${input.email} is not an e-mail address.`);
    return this.db.write(() => {
      if (this.findByEmail(input.email)) throw new UserError(`There is a user ${input.email} already.`);
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

  get(id: string): User | null {
    const row = this.db.sql.query<StoredUser, [string]>(`SELECT ${COLUMNS} FROM users WHERE id = ?`).get(id);
    return row && this.#view(row);
  }

  findByEmail(email: string): User | null {
    const row = this.db.sql
      .query<StoredUser, [Uint8Array]>(`SELECT ${COLUMNS} FROM users WHERE email_hmac = ?`)
      .get(this.#emailHmac(email));
    return row && this.#view(row);
  }

  /** Persons, oldest first; sandbox rows are left out. */
  list(): User[] {
    return this.db.sql
      .query<StoredUser, []>(`SELECT ${COLUMNS} FROM users WHERE sandbox_of IS NULL ORDER BY id`)
      .all()
      .map((row) => this.#view(row));
  }

  /** The sandbox user of a person. */
  sandboxOf(person_id: string): User {
    const row = this.db.sql
      .query<StoredUser, [string]>(`SELECT ${COLUMNS} FROM users WHERE sandbox_of = ?`)
      .get(person_id);
    if (!row) throw new Error("a person has no sandbox user");
    return this.#view(row);
  }

  /**
   * Removes a person, the sandbox user and all that belongs to them, and destroys their data keys.
   * @throws UserError for the owner, without whom nobody could look after the rest
   */
  remove(id: string): void {
    this.db.write(() => {
      if (this.get(id)?.role === "owner") {
        throw new UserError(
          "The owner cannot be removed. To remove everything, stop the server and delete the data folder.",
        );
      }
      const sandbox = this.sandboxOf(id);
      for (const user_id of [sandbox.id, id]) {
        for (const table of ["meters", "idempotency", "audit", "events", "jobs"]) {
          this.db.sql.query(`DELETE FROM ${table} WHERE user_id = ?`).run(user_id);
        }
        this.db.sql.query("DELETE FROM users WHERE id = ?").run(user_id);
        this.keyring.forget(user_id);
      }
    });
  }

  #insert(input: { email: string; plan: Plan; role: UserRole; timezone: string }, sandbox_of: string | null): User {
    const id = this.newId("user");
    const created_at = this.clock.now();
    this.db.sql
      .query(
        `INSERT INTO users (id, profile, email_hmac, plan, role, sandbox_of, timezone, created_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        id,
        this.keyring.system().sealJson(`users.profile:${id}`, { email: input.email }),
        this.#emailHmac(input.email),
        input.plan,
        input.role,
        sandbox_of,
        input.timezone,
        created_at,
      );
    const { email, plan, role, timezone } = input;
    return { id, email, plan, role, sandbox_of, timezone, created_at };
  }

  #view({ profile, ...row }: StoredUser): User {
    const { email } = this.keyring.system().openJson<{ email: string }>(`users.profile:${row.id}`, profile);
    return { ...row, email: email.startsWith(SANDBOX_PREFIX) ? email.slice(SANDBOX_PREFIX.length) : email };
  }

  #emailHmac(email: string): Uint8Array {
    return this.keyring.system().hmac("email", email.trim().toLowerCase());
  }
}
