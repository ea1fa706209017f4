import { createHash, randomBytes } from "node:crypto";
import type { Clock } from "../../kernel/clock.ts";
import type { Db } from "../db/open.ts";

const TOKEN_BYTES = 32;
/** A person who was asked on a Friday still finds a link that works. */
export const INVITATION_DAYS = 7;
const DAY_MS = 86_400_000;

export interface Invitation {
  user_id: string;
  expires_at: number;
}

/**
 * Links with which a person who was added sets their first password, or a new one. A token opens its account once, until it
 * expires, and is stored as a hash only. A person has one at most: a new one makes the older void.
 */
export class Invitations {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
  ) {}

  /** Makes the token of a link. It is not kept: whoever loses it gets a new one. */
  create(user_id: string): { token: string; expires_at: number } {
    const token = randomBytes(TOKEN_BYTES).toString("base64url");
    const now = this.clock.now();
    const expires_at = now + INVITATION_DAYS * DAY_MS;
    this.db.write(() => {
      this.withdraw(user_id);
      this.db.sql
        .query("INSERT INTO invitations (hash, user_id, created_at, expires_at) VALUES (?, ?, ?, ?)")
        .run(hashOf(token), user_id, now, expires_at);
    });
    return { token, expires_at };
  }

  /** Whom a token is for, without spending it; null when it is unknown, spent, void or expired. */
  open(token: string): Invitation | null {
    return this.db.sql
      .query<Invitation, [Uint8Array, number]>(
        "SELECT user_id, expires_at FROM invitations WHERE hash = ? AND expires_at > ?",
      )
      .get(hashOf(token), this.clock.now());
  }

  /** Spends a token, in the transaction of what it allows. Of two at once one gets it. @returns whose it is; null as for `open` */
  accept(token: string): string | null {
    const row = this.db.sql
      .query<{ user_id: string }, [Uint8Array, number]>(
        "DELETE FROM invitations WHERE hash = ? AND expires_at > ? RETURNING user_id",
      )
      .get(hashOf(token), this.clock.now());
    return row?.user_id ?? null;
  }

  /** When the link that a person has not used yet expires, ms; null: there is none. */
  pending(user_id: string): number | null {
    const row = this.db.sql
      .query<{ expires_at: number }, [string, number]>(
        "SELECT expires_at FROM invitations WHERE user_id = ? AND expires_at > ?",
      )
      .get(user_id, this.clock.now());
    return row?.expires_at ?? null;
  }

  /** Makes a person's link void. @returns whether there was one */
  withdraw(user_id: string): boolean {
    return this.db.sql.query("DELETE FROM invitations WHERE user_id = ?").run(user_id).changes > 0;
  }
}

function hashOf(token: string): Uint8Array {
  return createHash("sha256").update(token).digest();
}
