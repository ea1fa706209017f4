import { randomBytes } from "node:crypto";
import type { Clock } from "../../kernel/clock.ts";
import type { Scope } from "../../kernel/scopes.ts";
import type { Db } from "../db/open.ts";
import type { Grants } from "../grants/grants.ts";
import type { NewId } from "../ids.ts";
import { type Actor, type Audit, SYSTEM_ACTOR } from "../ledger/audit.ts";
import { Networks } from "../networks.ts";
import type { Keyring } from "../sealing/keyring.ts";
import type { ApiKeyRow, UserRow } from "./tables.ts";

const LIVE_PREFIX = "service_live_";
export const TEST_PREFIX = "service_test_";
const SECRET_BYTES = 32;
const HINT_CHARS = 4;
const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** 32 bytes need at most this many base62 digits. Shorter numbers are padded, so that all keys have the same length. */
const SECRET_CHARS = 43;

/** An API key and its permissions. `user_id` is the person for live keys and the sandbox user for test keys. */
export interface ApiKey {
  id: string;
  user_id: string;
  name: string;
  /** The prefix and the first characters, which are safe to show and to log. */
  hint: string;
  scopes: Scope[];
  account_id: string | null;
  /** Set for an organization key of this team, which acts for one member at a time. Null: the user's own key. */
  team_id: string | null;
  /** Addresses or networks (CIDR) that may use the key; empty: all. */
  ip_allow: string[];
  /** Refused for the API, accepted by the tool server, where the sending rules apply. */
  tools_only: boolean;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  last_used_at: number | null;
}

export interface NewKey {
  user_id: string;
  name: string;
  scopes: Scope[];
  test: boolean;
  expires_at?: number | null;
  account_id?: string | null;
  team_id?: string | null;
  ip_allow?: string[];
  tools_only?: boolean;
  actor?: Actor;
  request_id?: string | null;
}

/** What another module does when a key or connection is revoked. */
type WhenRevoked = (credential_id: string, by: { actor: Actor; request_id?: string | null }) => void;

const COLUMNS =
  "id, user_id, hash, label, hint, scopes, account_id, team_id, tools_only, created_at, expires_at, revoked_at, last_used_at";

/**
 * API keys (docs/api.md, "API keys"): shown once, stored as an HMAC, checked on every request together with their
 * permissions.
 */
export class ApiKeys {
  readonly #listeners = new Set<() => void>();
  readonly #revocations = new Set<WhenRevoked>();
  #announced = false;

  constructor(
    private readonly db: Db,
    private readonly keyring: Keyring,
    private readonly grants: Grants,
    private readonly newId: NewId,
    private readonly clock: Clock,
    private readonly audit: Audit,
  ) {}

  /**
   * Creates a key. The `secret` is returned only here.
   * @throws UserError for an entry of `ip_allow` that is neither an address nor a network
   */
  create(input: NewKey): { key: ApiKey; secret: string } {
    const id = this.newId("key");
    const prefix = input.test ? TEST_PREFIX : LIVE_PREFIX;
    const secret = prefix + base62(randomBytes(SECRET_BYTES));
    const hint = secret.slice(0, prefix.length + HINT_CHARS);
    const { user_id, name, scopes } = input;
    const ip_allow = input.ip_allow ?? [];
    new Networks(ip_allow); // throws for an invalid entry, which would fail every request with the key
    const created_at = this.clock.now();
    this.db.write(() => {
      this.grants.insert("api_keys", {
        id,
        user_id,
        hash: this.grants.lookup("api-key", secret),
        label: this.keyring.system().sealJson(`api_keys.label:${id}`, { name, ip_allow }),
        hint,
        scopes: JSON.stringify(scopes),
        account_id: input.account_id ?? null,
        team_id: input.team_id ?? null,
        tools_only: input.tools_only ? 1 : 0,
        created_at,
        expires_at: input.expires_at ?? null,
        revoked_at: null,
      });
      const { actor = SYSTEM_ACTOR, request_id, team_id, tools_only } = input;
      const after = { name, scopes, hint, ...(team_id && { team_id }), ...(tools_only && { tools_only }) };
      this.audit.record({ user_id, actor, action: "key.create", target: id, after, request_id });
    });
    return { key: this.get(id)!, secret };
  }

  /** Returns the key with this secret, usable or not; null if there is none. */
  find(secret: string): ApiKey | null {
    if (!secret.startsWith(LIVE_PREFIX) && !secret.startsWith(TEST_PREFIX)) return null;
    const row = this.db.sql
      .query<ApiKeyRow, [Uint8Array]>(`SELECT ${COLUMNS} FROM api_keys WHERE hash = ?`)
      .get(this.grants.lookup("api-key", secret));
    return this.#view(row);
  }

  /** Returns a key by id, usable or not; null if there is none. */
  get(id: string): ApiKey | null {
    const row = this.db.sql.query<ApiKeyRow, [string]>(`SELECT ${COLUMNS} FROM api_keys WHERE id = ?`).get(id);
    return this.#view(row);
  }

  /** Returns whether a key is one of these users' own. It unseals nothing, so the time does not reveal the answer. */
  isOf(userIds: readonly string[], id: string): boolean {
    const statement = this.db.sql.query<{ found: 1 }, [string, string]>(
      "SELECT 1 AS found FROM api_keys WHERE id = ? AND user_id IN (SELECT value FROM json_each(?)) AND team_id IS NULL",
    );
    return statement.get(id, JSON.stringify(userIds)) !== null;
  }

  /** Returns the keys of the given users, oldest first, without organization keys. */
  list(userIds: readonly string[]): ApiKey[] {
    const statement = this.db.sql.query<ApiKeyRow, [string]>(
      `SELECT ${COLUMNS} FROM api_keys WHERE user_id = ? AND team_id IS NULL ORDER BY id`,
    );
    return userIds.flatMap((user_id) => statement.all(user_id)).flatMap((row) => this.#view(row) ?? []);
  }

  /** Returns the organization keys of a team, oldest first. */
  ofTeam(team_id: string): ApiKey[] {
    return this.db.sql
      .query<ApiKeyRow, [string]>(`SELECT ${COLUMNS} FROM api_keys WHERE team_id = ? ORDER BY id`)
      .all(team_id)
      .flatMap((row) => this.#view(row) ?? []);
  }

  /**
   * Calls `listener` soon after keys change in this process, or in another one that reports it through `announce`.
   * @returns a function that stops it
   */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Notifies the listeners after the current transaction. */
  announce(): void {
    if (this.#announced || this.#listeners.size === 0) return;
    this.#announced = true;
    queueMicrotask(() => {
      this.#announced = false;
      for (const listener of [...this.#listeners]) listener();
    });
  }

  /** Calls `work` in the transaction of each revocation of a key or connection in this process. */
  whenRevoked(work: WhenRevoked): void {
    this.#revocations.add(work);
  }

  /** Reports a revocation, in its transaction, to `whenRevoked` and to the listeners. */
  noteRevoked(id: string, by: { actor: Actor; request_id?: string | null }): void {
    for (const work of this.#revocations) work(id, by);
    this.announce();
  }

  /** Revokes a key at once. @returns false if there is no such unrevoked key */
  revoke(id: string, actor: Actor = SYSTEM_ACTOR, request_id: string | null = null): boolean {
    return this.db.write(() => {
      const key = this.get(id);
      if (key ? key.revoked_at !== null : !this.grants.isRegistered("api_keys", { id })) return false;
      if (key) this.grants.update("api_keys", { id }, { revoked_at: this.clock.now() });
      // Another program changed or hid its row. With its entry removed, a row put back later does not count either.
      else this.grants.removeWhere("api_keys", "id = ?", id);
      const user_id = key?.user_id ?? this.#ownerId();
      if (user_id) this.audit.record({ user_id, actor, action: "key.revoke", target: id, request_id });
      this.noteRevoked(id, { actor, request_id });
      return true;
    });
  }

  /**
   * Revokes the keys that are bound to a mailbox that is being removed. Otherwise they would still have access to what
   * belongs to no mailbox.
   */
  revokeBound(account_id: string, actor: Actor, request_id: string | null): void {
    const bound = this.db.sql
      .query<Pick<ApiKeyRow, "id">, [string]>("SELECT id FROM api_keys WHERE account_id = ? AND revoked_at IS NULL")
      .all(account_id);
    for (const { id } of bound) this.revoke(id, actor, request_id);
    this.grants.dropAbsent("api_keys");
  }

  /** Returns the user who gets the audit rows of keys whose owner is unknown. */
  #ownerId(): string | undefined {
    return this.db.sql.query<Pick<UserRow, "id">, []>("SELECT id FROM users ORDER BY role <> 'owner', id LIMIT 1").get()
      ?.id;
  }

  /** Records when keys were last used. Called every few seconds with the uses since the last call. */
  touch(used: ReadonlyMap<string, number>): void {
    const statement = this.db.sql.query(
      "UPDATE api_keys SET last_used_at = max(coalesce(last_used_at, 0), ?) WHERE id = ?",
    );
    this.db.writeLazily(() => {
      for (const [id, at] of used) statement.run(at, id);
    });
  }

  /** Returns the key; null also if it was created or changed outside Postroom. */
  #view(storedKey: ApiKeyRow | null): ApiKey | null {
    if (storedKey === null || !this.grants.holds("api_keys", { ...storedKey })) return null;
    const { label, scopes, tools_only, hash: _, ...row } = storedKey;
    const stored = this.keyring.system().openJson(`api_keys.label:${row.id}`, label);
    return { ...row, ...stored, tools_only: tools_only === 1, scopes: JSON.parse(scopes) as Scope[] };
  }
}

/** Returns whether the key is neither revoked nor expired. */
export function keyUsable(key: ApiKey, now: number): boolean {
  return key.revoked_at === null && (key.expires_at === null || key.expires_at > now);
}

function base62(bytes: Uint8Array): string {
  let value = BigInt(`0x${Buffer.from(bytes).toString("hex")}`);
  let text = "";
  while (value > 0n) {
    text = BASE62[Number(value % 62n)] + text;
    value /= 62n;
  }
  return text.padStart(SECRET_CHARS, "0");
}
