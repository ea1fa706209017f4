import { randomBytes } from "node:crypto";
import type { Clock } from "../../kernel/clock.ts";
import type { Db } from "../db/open.ts";
import type { Grants } from "../grants/grants.ts";
import type { InvitationRow } from "./tables.ts";

const TOKEN_BYTES = 32;
/** Long enough that an invitation survives a weekend. */
const INVITATION_DAYS = 7;
const DAY_MS = 86_400_000;

export interface Invitation {
  user_id: string;
  expires_at: number;
}

const COLUMNS = "hash, user_id, created_at, expires_at";

/**
 * Links with which a person sets their first password, or a new one. A token works once, until it expires, and is
 * stored only as an HMAC. Each person has at most one token: a new token replaces the older one.
 */
export class Invitations {
  constructor(
    private readonly db: Db,
    private readonly grants: Grants,
    private readonly clock: Clock,
  ) {}

  /** Creates the token of a link. The token itself is not stored: if it is lost, create a new one. */
  create(user_id: string): { token: string; expires_at: number } {
    const token = randomBytes(TOKEN_BYTES).toString("base64url");
    const now = this.clock.now();
    const expires_at = now + INVITATION_DAYS * DAY_MS;
    this.db.write(() => {
      this.withdraw(user_id);
      this.grants.insert("invitations", { hash: this.#hashOf(token), user_id, created_at: now, expires_at });
    });
    return { token, expires_at };
  }

  /** Returns the invitation of a token without using it; null if the token is unknown, used, replaced or expired. */
  open(token: string): Invitation | null {
    const row = this.db.sql
      .query<InvitationRow, [Uint8Array, number]>(
        `SELECT ${COLUMNS} FROM invitations WHERE hash = ? AND expires_at > ?`,
      )
      .get(this.#hashOf(token), this.clock.now());
    return this.grants.checked("invitations", row);
  }

  /**
   * Uses a token. Call it in the transaction of what the token allows. Of concurrent calls, one succeeds.
   * @returns the user's id; null as for `open`
   */
  accept(token: string): string | null {
    return this.db.write(() => {
      const invitation = this.open(token);
      if (invitation) this.grants.remove("invitations", { hash: this.#hashOf(token) });
      return invitation?.user_id ?? null;
    });
  }

  /** Returns when a person's unused link expires, ms; null if there is none. */
  pending(user_id: string): number | null {
    const rows = this.db.sql
      .query<InvitationRow, [string, number]>(`SELECT ${COLUMNS} FROM invitations WHERE user_id = ? AND expires_at > ?`)
      .all(user_id, this.clock.now());
    return this.grants.onlyHeld("invitations", rows)[0]?.expires_at ?? null;
  }

  /** Revokes a person's link. @returns whether there was one */
  withdraw(user_id: string): boolean {
    return this.grants.removeWhere("invitations", "user_id = ?", user_id) > 0;
  }

  #hashOf(token: string): Uint8Array {
    return this.grants.lookup("invitation", token);
  }
}
