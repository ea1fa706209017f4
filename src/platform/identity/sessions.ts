import { randomBytes } from "node:crypto";
import type { Clock } from "../../kernel/clock.ts";
import type { Config } from "../config/load.ts";
import type { Db } from "../db/open.ts";
import type { Grants } from "../grants/grants.ts";
import type { NewId } from "../ids.ts";
import { type Actor, type Audit, SYSTEM_ACTOR } from "../ledger/audit.ts";
import type { Keyring } from "../sealing/keyring.ts";
import type { SessionRow } from "./tables.ts";

const TOKEN_BYTES = 32;
const DAY_MS = 86_400_000;
/** Maximum length of a browser's User-Agent, which helps people recognize a device. */
export const LONGEST_AGENT_CHARS = 300;

export type SignInMethod = SessionRow["method"];

/** A sign-in to the settings page with one browser. */
export interface Session {
  id: string;
  user_id: string;
  method: SignInMethod;
  /** The client's address when it signed in. */
  address: string;
  user_agent: string;
  created_at: number;
  /** When the person last authenticated, ms; 0 if only another service has vouched for them. */
  proved_at: number;
  last_used_at: number;
  expires_at: number;
}

export interface NewSession {
  user_id: string;
  method: SignInMethod;
  address: string;
  user_agent: string;
  /** False: actions that require a recent authentication need one first. Default: true. */
  recentAuth?: boolean;
}

const COLUMNS = "id, user_id, hash, method, about, created_at, proved_at, last_used_at, expires_at";

/**
 * Sessions of the settings page. Only an HMAC of the cookie's value is stored. A session ends after
 * `sessions.idle_days` without use, after `sessions.days` in any case, and at once when it is revoked.
 */
export class Sessions {
  constructor(
    private readonly db: Db,
    private readonly keyring: Keyring,
    private readonly grants: Grants,
    private readonly newId: NewId,
    private readonly clock: Clock,
    private readonly audit: Audit,
    private readonly config: Config,
  ) {}

  /** Begins a session. The `token` in the result is the cookie's value, returned only here. */
  create(input: NewSession): { session: Session; token: string } {
    const id = this.newId("session");
    const token = randomBytes(TOKEN_BYTES).toString("base64url");
    const now = this.clock.now();
    const { user_id, method, address } = input;
    const about = { address, user_agent: input.user_agent };
    const expires_at = now + this.config.get("sessions.days") * DAY_MS;
    const proved_at = input.recentAuth === false ? 0 : now;
    this.grants.insert("sessions", {
      id,
      user_id,
      hash: this.grants.lookup("session", token),
      method,
      about: this.#seal(id, about),
      created_at: now,
      proved_at,
      last_used_at: now,
      expires_at,
    });
    const session = { id, user_id, method, ...about, created_at: now, proved_at, last_used_at: now, expires_at };
    return { session, token };
  }

  /** Returns the session of a cookie's value; null if there is none or it has ended. */
  find(token: string): Session | null {
    const row = this.db.sql
      .query<SessionRow, [Uint8Array]>(`SELECT ${COLUMNS} FROM sessions WHERE hash = ?`)
      .get(this.grants.lookup("session", token));
    return row && this.#ifLive(row);
  }

  /** Returns a session by id; null if there is none or it has ended. */
  get(id: string): Session | null {
    const row = this.db.sql.query<SessionRow, [string]>(`SELECT ${COLUMNS} FROM sessions WHERE id = ?`).get(id);
    return row && this.#ifLive(row);
  }

  /** Returns a person's sessions, most recently used first. */
  list(user_id: string): Session[] {
    return this.db.sql
      .query<SessionRow, [string]>(
        `SELECT ${COLUMNS} FROM sessions WHERE user_id = ? ORDER BY last_used_at DESC, id DESC`,
      )
      .all(user_id)
      .flatMap((row) => this.#ifLive(row) ?? []);
  }

  /** Ends a session of this person at once. @returns false if there is none */
  revoke(user_id: string, id: string, actor: Actor = SYSTEM_ACTOR, request_id: string | null = null): boolean {
    return this.db.write(() => {
      if (this.grants.removeWhere("sessions", "id = ? AND user_id = ?", id, user_id) === 0) return false;
      this.audit.record({ user_id, actor, action: "session.revoke", target: id, request_id });
      return true;
    });
  }

  /** Ends all sessions of a person except one. @returns how many ended */
  revokeOthers(user_id: string, keptId: string | null): number {
    return this.grants.removeWhere("sessions", "user_id = ? AND id IS NOT ?", user_id, keptId);
  }

  /** Records that the person has just authenticated again. */
  markRecentAuth(id: string): void {
    this.grants.update("sessions", { id }, { proved_at: this.clock.now() });
  }

  /** Records when sessions were last used. Called every few seconds with the uses since the last call. */
  touch(used: ReadonlyMap<string, number>): void {
    const statement = this.db.sql.query("UPDATE sessions SET last_used_at = max(last_used_at, ?) WHERE id = ?");
    const dayOf = (at: number) => Math.floor(at / DAY_MS);
    this.db.writeLazily(() => {
      for (const [id, at] of used) {
        const session = this.get(id);
        if (session === null || session.last_used_at >= at) continue;
        // The register covers the day of use, so that an expired session cannot be revived without the key.
        if (dayOf(session.last_used_at) === dayOf(at)) statement.run(at, id);
        else this.grants.update("sessions", { id }, { last_used_at: at });
      }
    });
  }

  /** Deletes expired sessions. @returns how many were deleted */
  prune(): number {
    const now = this.clock.now();
    const ended = "expires_at <= ? OR last_used_at <= ?";
    const values = [now, now - this.#idleMs];
    const some = this.db.sql.query(`SELECT 1 FROM sessions WHERE ${ended}`).get(...values) !== null;
    return some ? this.grants.removeWhere("sessions", ended, ...values) : 0;
  }

  get #idleMs(): number {
    return this.config.get("sessions.idle_days") * DAY_MS;
  }

  #ifLive(stored: SessionRow): Session | null {
    if (!this.grants.holds("sessions", { ...stored })) return null;
    const { about, hash: _, ...row } = stored;
    const now = this.clock.now();
    if (row.expires_at <= now || row.last_used_at + this.#idleMs <= now) return null;
    const sealer = this.keyring.system();
    return { ...row, ...sealer.openJson(`sessions.about:${row.id}`, about) };
  }

  #seal(id: string, about: { address: string; user_agent: string }): Uint8Array {
    return this.keyring.system().sealJson(`sessions.about:${id}`, about);
  }
}
