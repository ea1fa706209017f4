import { randomBytes } from "node:crypto";
import type { Clock } from "../../kernel/clock.ts";
import type { Db } from "../db/open.ts";
import type { Grants } from "../grants/grants.ts";

const TOKEN_BYTES = 32;
/** A person who was asked on a Friday still finds a link that works. */
const INVITATION_DAYS = 7;
const DAY_MS = 86_400_000;

export interface Invitation {
  user_id: string;
  expires_at: number;
}

type Stored = Invitation & { hash: Uint8Array; created_at: number };

const COLUMNS = "hash, user_id, created_at, expires_at";

/**
 * Links with which a person who was added sets their first password, or a new one. A token opens its account once, until it
 * expires, and is stored as an HMAC only. A person has one at most: a new one makes the older void.
 */
export class Invitations {
  constructor(
    private readonly db: Db,
    private readonly grants: Grants,
    private readonly clock: Clock,
  ) {}

  /** Makes the token of a link. It is not stored: anyone who loses it needs a new one. */
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

  /** Whom a token is for, without spending it; null when it is unknown, spent, void or expired. */
  open(token: string): Invitation | null {
    const row = this.db.sql
      .query<Stored, [Uint8Array, number]>(`SELECT ${COLUMNS} FROM invitations WHERE hash = ? AND expires_at > ?`)
      .get(this.#hashOf(token), this.clock.now());
    return this.grants.checked("invitations", row);
  }

  /** Spends a token, in the transaction of what it allows. Of two at once one gets it. @returns whose it is; null as for `open` */
  accept(token: string): string | null {
    return this.db.write(() => {
      const invitation = this.open(token);
      if (invitation) this.grants.remove("invitations", { hash: this.#hashOf(token) });
      return invitation?.user_id ?? null;
    });
  }

  /** When the link that a person has not used yet expires, ms; null: there is none. */
  pending(user_id: string): number | null {
    const rows = this.db.sql
      .query<Stored, [string, number]>(`SELECT ${COLUMNS} FROM invitations WHERE user_id = ? AND expires_at > ?`)
      .all(user_id, this.clock.now());
    return this.grants.onlyHeld("invitations", rows)[0]?.expires_at ?? null;
  }

  /** Makes a person's link void. @returns whether there was one */
  withdraw(user_id: string): boolean {
    return this.grants.removeWhere("invitations", "user_id = ?", user_id) > 0;
  }

  #hashOf(token: string): Uint8Array {
    return this.grants.lookup("invitation", token);
  }
}
