import type { Position } from "../../mailbox/queries/scope.ts";
import type { Platform } from "../../platform/platform.ts";
import type { ContextProfileRow, ContextVariableRow, ProfileBody } from "./tables.ts";
import type { VariableType } from "./variables.ts";

export interface Profile extends ProfileBody {
  id: string;
  updated_at: number;
}

export interface Variable {
  key: string;
  value: string;
  type: VariableType;
  updated_at: number;
}

type StoredProfile = Pick<ContextProfileRow, "id" | "body" | "updated_at">;

/** Reads and writes profiles and global variables. The only owner of their tables. */
export class ContextStore {
  constructor(private readonly platform: Platform) {}

  /** Returns profiles, newest change first, after the position [updated_at, id]. */
  profiles(user_id: string, after: Position | null, limit: number): Profile[] {
    return this.platform.db.sql
      .query<StoredProfile, [string, number, string, number]>(
        `SELECT id, body, updated_at FROM context_profiles WHERE user_id = ? AND (updated_at, id) < (?, ?)
         ORDER BY updated_at DESC, id DESC LIMIT ?`,
      )
      .all(user_id, Number(after?.[0] ?? Number.MAX_SAFE_INTEGER), String(after?.[1] ?? ""), limit)
      .map((row) => this.#open(user_id, row));
  }

  profile(user_id: string, id: string): Profile | null {
    const row = this.platform.db.sql
      .query<StoredProfile, [string, string]>(
        "SELECT id, body, updated_at FROM context_profiles WHERE user_id = ? AND id = ?",
      )
      .get(user_id, id);
    return row && this.#open(user_id, row);
  }

  /** Returns the profile of exactly this domain. */
  profileOf(user_id: string, domain: string): Profile | null {
    const row = this.platform.db.sql
      .query<StoredProfile, [string, Uint8Array]>(
        "SELECT id, body, updated_at FROM context_profiles WHERE user_id = ? AND domain_hmac = ?",
      )
      .get(user_id, this.#hmac(user_id, "domain", domain));
    return row && this.#open(user_id, row);
  }

  saveProfile(user_id: string, id: string, body: ProfileBody): Profile {
    const { db, keyring, clock } = this.platform;
    const now = clock.now();
    db.sql
      .query(
        `INSERT INTO context_profiles (id, user_id, domain_hmac, body, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET domain_hmac = excluded.domain_hmac, body = excluded.body, updated_at = excluded.updated_at`,
      )
      .run(
        id,
        user_id,
        this.#hmac(user_id, "domain", body.domain),
        keyring.forUser(user_id).sealJson(`context_profiles.body:${id}`, body),
        now,
        now,
      );
    return { ...body, id, updated_at: now };
  }

  removeProfile(id: string): void {
    this.platform.db.sql.query("DELETE FROM context_profiles WHERE id = ?").run(id);
  }

  /** Returns global variables by key. */
  variables(user_id: string): Variable[] {
    const sealer = this.platform.keyring.forUser(user_id);
    return this.platform.db.sql
      .query<Pick<ContextVariableRow, "key_hmac" | "type" | "body" | "updated_at">, [string]>(
        "SELECT key_hmac, type, body, updated_at FROM context_variables WHERE user_id = ?",
      )
      .all(user_id)
      .map(({ key_hmac, body, ...row }) => ({
        ...row,
        ...sealer.openJson(variableContext(key_hmac), body),
      }))
      .sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  saveVariable(user_id: string, { key, value, type }: Omit<Variable, "updated_at">): Variable {
    const { db, keyring, clock } = this.platform;
    const hmac = this.#hmac(user_id, "key", key);
    const updated_at = clock.now();
    db.sql
      .query(
        "INSERT OR REPLACE INTO context_variables (user_id, key_hmac, type, body, updated_at) VALUES (?, ?, ?, ?, ?)",
      )
      .run(user_id, hmac, type, keyring.forUser(user_id).sealJson(variableContext(hmac), { key, value }), updated_at);
    return { key, value, type, updated_at };
  }

  removeVariable(user_id: string, key: string): void {
    this.platform.db.sql
      .query("DELETE FROM context_variables WHERE user_id = ? AND key_hmac = ?")
      .run(user_id, this.#hmac(user_id, "key", key));
  }

  #open(user_id: string, { body, ...row }: StoredProfile): Profile {
    const sealer = this.platform.keyring.forUser(user_id);
    return { ...row, ...sealer.openJson(`context_profiles.body:${row.id}`, body) };
  }

  #hmac(user_id: string, what: "domain" | "key", text: string): Uint8Array {
    return this.platform.keyring.forUser(user_id).hmac("context", `${what}\0${text}`);
  }
}

const variableContext = (hmac: Uint8Array) => `context_variables.body:${Buffer.from(hmac).toString("hex")}`;
