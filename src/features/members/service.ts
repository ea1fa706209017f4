import { faultOf } from "../../http/user-faults.ts";
import { isoTime } from "../../kernel/clock.ts";
import { ApiError, invalidParam, notFound } from "../../kernel/errors.ts";
import type { Plan } from "../../kernel/plans.ts";
import { isTimeZone } from "../../platform/config/table.ts";
import type { User } from "../../platform/identity/users.ts";
import type { Actor } from "../../platform/ledger/audit.ts";
import type { Platform } from "../../platform/platform.ts";
import type { Erasure } from "./erasure.ts";
import type { MemberView, NewMember } from "./model.ts";

/** The person who manages members: the owner, in the settings page or on the command line. */
export interface MemberWriter {
  /** User whose audit log records the change, besides that of the person concerned. */
  user_id: string;
  actor: Actor;
  request_id: string | null;
}

export interface MemberParts {
  platform: Platform;
  erasure: Erasure;
  /** Returns the bytes that a user's files take on this disk. */
  filesOf: (user_id: string) => number;
}

/** Manages the people of this installation. */
export class MemberService {
  constructor(private readonly parts: MemberParts) {}

  /** Returns all members with their usage, the owner first. */
  list(): MemberView[] {
    return this.parts.platform.users.list().map((user) => this.#view(user));
  }

  /** Returns how many people are being removed right now. */
  removing(): number {
    return this.parts.platform.users.removing().length;
  }

  /** Adds a person, who activates the account with the link from `invite`. @throws ApiError invalid_params */
  add(writer: MemberWriter, { email, plan, timezone }: NewMember): MemberView {
    const { db, users, config } = this.parts.platform;
    const zone = timezone ?? config.get("owner.timezone");
    if (!isTimeZone(zone)) throw invalidParam("timezone", `${zone} is not an IANA time zone such as Europe/Lisbon.`);
    return db.write(() => {
      const { actor } = writer;
      const user = faultOf("email", () => users.add({ email, plan, role: "member", timezone: zone, actor }));
      this.#record(writer, "member.add", user.id, { plan });
      return this.#view(user);
    });
  }

  /** Changes a member's plan. @throws ApiError not_found */
  setPlan(writer: MemberWriter, id: string, plan: Plan): MemberView {
    const { db, users } = this.parts.platform;
    return db.write(() => {
      this.person(id);
      const before = { plan: users.ownPlan(id) };
      users.setPlan(id, plan);
      this.#recordBoth(writer, "user.plan", id, { plan }, before);
      return this.#view(users.get(id)!);
    });
  }

  /**
   * Creates a link with which the person sets a password, and invalidates an earlier one. Not available for the owner,
   * who could otherwise set a new password without the current one.
   * @throws ApiError not_found, invalid_params
   */
  invite(writer: MemberWriter, id: string): { token: string; expires_at: number } {
    const { db, invitations } = this.parts.platform;
    return db.write(() => {
      if (this.person(id).role === "owner") {
        throw invalidParam("id", "The owner changes the password under Security or with 'postroom user passwd'.");
      }
      const invitation = invitations.create(id);
      this.#recordBoth(writer, "member.invite", id, { expires_at: isoTime(invitation.expires_at) });
      return invitation;
    });
  }

  /** Withdraws an invitation. @throws ApiError not_found when there is no link */
  withdraw(writer: MemberWriter, id: string): void {
    const { db, invitations } = this.parts.platform;
    db.write(() => {
      this.person(id);
      if (!invitations.withdraw(id)) throw notFound("invitation");
      this.#recordBoth(writer, "member.withdraw", id, null);
    });
  }

  /**
   * Begins the erasure of a person, who is locked out immediately.
   * @throws ApiError not_found, owner_stays, invalid_params (`confirm_email`)
   */
  remove(writer: MemberWriter, id: string, confirm_email: string): void {
    const person = this.person(id);
    if (person.role === "owner") {
      const words = "The owner cannot be removed. To remove everything, stop the server and delete the data folder.";
      throw new ApiError("owner_stays", words);
    }
    if (confirm_email.trim().toLowerCase() !== person.email.toLowerCase()) {
      throw invalidParam(
        "confirm_email",
        "This is not the address of the member to remove. Enter that member's address.",
      );
    }
    const { actor, request_id } = writer;
    this.parts.erasure.begin(id, { keptBy: this.#ownerId(), actor, request_id });
  }

  /** Records that all data of a person is exported. @throws ApiError not_found */
  noteExport(writer: MemberWriter, id: string): User {
    const { db } = this.parts.platform;
    return db.write(() => {
      const person = this.person(id);
      this.#recordBoth(writer, "user.export", id, null);
      return person;
    });
  }

  /** Returns a user. @throws ApiError not_found */
  person(id: string): User {
    const user = this.parts.platform.users.get(id);
    if (!user || user.sandbox_of !== null) throw notFound("member");
    return user;
  }

  #ownerId(): string {
    return this.parts.platform.users.list().find(({ role }) => role === "owner")!.id;
  }

  #view(user: User): MemberView {
    const { users, invitations, audit, db } = this.parts.platform;
    const { id, email, plan, role, created_at } = user;
    const { sql } = db;
    const { mailboxes } = sql
      .query<{ mailboxes: number }, [string]>("SELECT count(*) AS mailboxes FROM accounts WHERE user_id = ?")
      .get(id)!;
    const { messages, bytes } = sql
      .query<{ messages: number; bytes: number }, [string]>(
        "SELECT count(*) AS messages, coalesce(sum(size), 0) AS bytes FROM messages WHERE user_id = ?",
      )
      .get(id)!;
    const [last] = audit.list(id, { limit: 1, action: "session.create" });
    const invited_until = invitations.pending(id);
    return {
      id,
      email,
      role: role === "owner" ? "owner" : "member",
      plan,
      own_plan: users.ownPlan(id),
      created_at: isoTime(created_at),
      last_sign_in_at: last ? isoTime(last.at) : null,
      mailboxes,
      messages,
      storage_bytes: bytes + this.parts.filesOf(id),
      invited_until: invited_until === null ? null : isoTime(invited_until),
    };
  }

  /** Records a change in the owner's audit log and in that of the person concerned, who can see it there. */
  #recordBoth(
    writer: MemberWriter,
    action: string,
    id: string,
    after: object | null,
    before: object | null = null,
  ): void {
    this.#record(writer, action, id, after, before);
    if (id !== writer.user_id) this.#record({ ...writer, user_id: id }, action, id, after, before);
  }

  #record(writer: MemberWriter, action: string, target: string, after: object | null, before: object | null = null) {
    const { user_id, actor, request_id } = writer;
    this.parts.platform.audit.record({ user_id, actor, action, target, before, after, request_id });
  }
}
