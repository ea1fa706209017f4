import { ApiError, notFound } from "../../kernel/errors.ts";
import { type Actor, SYSTEM_ACTOR } from "../../platform/ledger/audit.ts";
import type { Platform } from "../../platform/platform.ts";
import type { AccountProfile, AccountRow, Connection, Provider } from "./tables.ts";

/** Returns whether an account has a mail server to watch and to mirror changes to. */
export function hasServer({ provider }: { provider: Provider }): boolean {
  return provider !== "sandbox" && provider !== "imported";
}
/** The providers without a server, for SQL: `provider NOT IN ${WITHOUT_SERVER}`. */
export const SERVERLESS_PROVIDERS = "('sandbox', 'imported')";

/** Returns the number of mailboxes of all people whose mail is only here. */
export function countImported({ db }: Pick<Platform, "db">): number {
  return db.sql.query<{ c: number }, []>("SELECT count(*) AS c FROM accounts WHERE provider = 'imported'").get()!.c;
}

/** Returns why an account cannot be used for anything that needs a mail server; null where there is one. */
export function reasonWithoutServer({ provider }: { provider: Provider }): string | null {
  if (provider === "imported") return "This mailbox was imported from files and has no mail server.";
  return provider === "sandbox" ? "This is the sample mailbox, which has no mail server." : null;
}
export type AccountStatus = AccountRow["status"];

export interface Account extends AccountProfile {
  id: string;
  user_id: string;
  provider: Provider;
  is_primary: boolean;
  status: AccountStatus;
  read_only: boolean;
  on_server_delete: "follow" | "keep";
  /** Full passes over all folders so far. */
  pass: number;
  last_error: string | null;
  last_sync_at: number | null;
  sync: { phase: SyncPhase; done: number; total: number };
  created_at: number;
}

/** `waiting`: not started; `importing`: the first sync is running; `live`: up to date and watching. */
type SyncPhase = AccountRow["sync_phase"];

const COLUMNS = `id, user_id, provider, profile, connection, email_hmac, is_primary, status, read_only, on_server_delete,
  pass, last_error, last_sync_at, sync_phase, sync_done, sync_total, created_at`;

/** The author of a change to an account, and the request that makes it. */
export type Author = Actor & { request_id?: string | null };

export interface NewAccount {
  user_id: string;
  provider: Provider;
  email: string;
  connection: Connection | null;
  read_only?: boolean;
  exclude?: string[];
  on_server_delete?: "follow" | "keep";
  actor?: Author;
}

/** Kind of the job that syncs a mailbox now. */
export const SYNC_JOB = "sync-now";

/** The connected mailboxes. The only owner of the `accounts` table. */
export class Accounts {
  constructor(private readonly platform: Platform) {}

  /** Connects a mailbox; a user's first mailbox becomes the primary one. @throws ApiError mailbox_exists */
  add(input: NewAccount): Account {
    const { db, keyring, grants, newId, clock, audit } = this.platform;
    const id = newId("account");
    const sealer = keyring.forUser(input.user_id);
    return db.write(() => {
      const email_hmac = sealer.hmac("email", input.email.toLowerCase());
      this.requireNew(input.user_id, input.email);
      const first = !db.sql.query("SELECT 1 FROM accounts WHERE user_id = ? AND is_primary = 1").get(input.user_id);
      const profile: AccountProfile = { email: input.email, aliases: [], exclude: input.exclude ?? [] };
      grants.insert("accounts", {
        id,
        user_id: input.user_id,
        provider: input.provider,
        profile: sealer.sealJson(`accounts.profile:${id}`, profile),
        connection: input.connection && sealer.sealJson(`accounts.connection:${id}`, input.connection),
        email_hmac,
        is_primary: first && input.provider !== "imported" ? 1 : 0,
        status: hasServer(input) ? "connecting" : "active",
        read_only: input.read_only ? 1 : 0,
        on_server_delete: input.on_server_delete ?? "follow",
        created_at: clock.now(),
      });
      audit.record({
        user_id: input.user_id,
        ...authored(input.actor ?? SYSTEM_ACTOR),
        action: "account.connect",
        target: id,
        after: { email: input.email, provider: input.provider, read_only: input.read_only ?? false },
      });
      return this.get(id)!;
    });
  }

  /** @throws ApiError mailbox_exists when the user already has a mailbox with this address */
  requireNew(user_id: string, email: string): void {
    const { db, keyring } = this.platform;
    const email_hmac = keyring.forUser(user_id).hmac("email", email.toLowerCase());
    if (db.sql.query("SELECT 1 FROM accounts WHERE user_id = ? AND email_hmac = ?").get(user_id, email_hmac)) {
      throw new ApiError("mailbox_exists", `${email} is already connected.`);
    }
  }

  get(id: string): Account | null {
    const row = this.platform.db.sql
      .query<AccountRow, [string]>(`SELECT ${COLUMNS} FROM accounts WHERE id = ?`)
      .get(id);
    return this.#view(row);
  }

  /**
   * Returns one account of a user.
   * @param param the field that contains the id; absent for an id in the path
   * @throws ApiError not_found
   */
  owned(user_id: string, id: string, param?: string): Account {
    const row = this.platform.db.sql
      .query<AccountRow, [string, string]>(`SELECT ${COLUMNS} FROM accounts WHERE id = ? AND user_id = ?`)
      .get(id, user_id);
    const account = this.#view(row);
    if (!account) throw notFound("account", param);
    return account;
  }

  /** Returns the accounts of a user, or of all users, in the order in which they were connected. */
  list(user_id?: string): Account[] {
    return this.platform.db.sql
      .query<AccountRow, { user: string | null }>(
        `SELECT ${COLUMNS} FROM accounts WHERE $user IS NULL OR user_id = $user ORDER BY id`,
      )
      .all({ user: user_id ?? null })
      .flatMap((row) => this.#view(row) ?? []);
  }

  /** Returns the addresses of all mailboxes of a user. */
  addressesOf(user_id: string): string[] {
    return this.list(user_id).flatMap(({ email, aliases }) => [email, ...aliases]);
  }

  /** Returns the addresses of all mailboxes of a user, lower case. */
  ownAddresses(user_id: string): ReadonlySet<string> {
    return new Set(this.addressesOf(user_id).map((address) => address.toLowerCase()));
  }

  /** Returns how to reach the account; null for a mailbox without a server. */
  connection(account: { id: string; user_id: string }): Connection | null {
    const row = this.platform.db.sql
      .query<AccountRow, [string]>(`SELECT ${COLUMNS} FROM accounts WHERE id = ?`)
      .get(account.id);
    const sealed = this.platform.grants.checked("accounts", row)?.connection;
    return sealed
      ? this.platform.keyring.forUser(account.user_id).openJson(`accounts.connection:${account.id}`, sealed)
      : null;
  }

  /** Replaces the connection; the supervisor picks it up and reconnects. A paused account stays paused. */
  setConnection(account: Account, connection: Connection, actor: Author = SYSTEM_ACTOR): void {
    const { db, keyring, grants, audit } = this.platform;
    const { id } = account;
    const sealed = keyring.forUser(account.user_id).sealJson(`accounts.connection:${id}`, connection);
    db.write(() => {
      const status = this.get(id)?.status === "paused" ? "paused" : "connecting";
      grants.update("accounts", { id }, { connection: sealed, status, last_error: null });
      audit.record({ user_id: account.user_id, ...authored(actor), action: "account.update", target: account.id });
    });
  }

  setProfile(account: Account, profile: AccountProfile, actor: Author = SYSTEM_ACTOR): void {
    const { db, keyring, grants, audit } = this.platform;
    const { id, aliases, exclude } = account;
    db.write(() => {
      const sealed = keyring.forUser(account.user_id).sealJson(`accounts.profile:${id}`, profile);
      grants.update("accounts", { id }, { profile: sealed });
      const before = { aliases, exclude };
      const after = { aliases: profile.aliases, exclude: profile.exclude };
      audit.record({
        user_id: account.user_id,
        ...authored(actor),
        action: "account.update",
        target: account.id,
        before,
        after,
      });
    });
  }

  /** Pauses or resumes an account. A paused account is neither read nor written on the server. */
  setPaused(account: Account, paused: boolean, actor: Author = SYSTEM_ACTOR): void {
    const { db, audit } = this.platform;
    db.write(() => {
      const status: AccountStatus = paused ? "paused" : hasServer(account) ? "connecting" : "active";
      db.sql.query("UPDATE accounts SET status = ? WHERE id = ?").run(status, account.id);
      const entry = { before: { status: account.status }, after: { status } };
      audit.record({
        user_id: account.user_id,
        ...authored(actor),
        action: "account.update",
        target: account.id,
        ...entry,
      });
    });
  }

  /** Sets whether the account's server is never written to. */
  setReadOnly(account: Account, read_only: boolean, actor: Author = SYSTEM_ACTOR): void {
    const { db, grants, audit } = this.platform;
    db.write(() => {
      grants.update("accounts", { id: account.id }, { read_only: Number(read_only) });
      const entry = { before: { read_only: account.read_only }, after: { read_only } };
      audit.record({
        user_id: account.user_id,
        ...authored(actor),
        action: "account.update",
        target: account.id,
        ...entry,
      });
    });
  }

  /** Makes an account the default one for sending. */
  setPrimary(account: Account, actor: Author = SYSTEM_ACTOR): void {
    const { db, audit } = this.platform;
    db.write(() => {
      db.sql.query("UPDATE accounts SET is_primary = (id = ?) WHERE user_id = ?").run(account.id, account.user_id);
      audit.record({ user_id: account.user_id, ...authored(actor), action: "account.primary", target: account.id });
    });
  }

  /** Stores the state of the connection. A paused account stays paused. */
  setStatus(account_id: string, status: AccountStatus, error: string | null): void {
    const { db, keyring } = this.platform;
    const account = this.get(account_id);
    if (!account || account.status === "paused" || (account.status === status && account.last_error === error)) return;
    const sealed =
      error === null ? null : keyring.forUser(account.user_id).seal(`accounts.last_error:${account_id}`, error);
    db.sql
      .query("UPDATE accounts SET status = ?, last_error = ? WHERE id = ? AND status <> 'paused'")
      .run(status, sealed, account_id);
  }

  setProgress(account_id: string, sync: Account["sync"]): void {
    this.platform.db.sql
      .query("UPDATE accounts SET sync_phase = ?, sync_done = ?, sync_total = ? WHERE id = ?")
      .run(sync.phase, sync.done, sync.total, account_id);
  }

  /** Starts a full pass over all folders. @returns its number */
  beginPass(account_id: string): number {
    return this.platform.db.sql
      .query<Pick<AccountRow, "pass">, [string]>("UPDATE accounts SET pass = pass + 1 WHERE id = ? RETURNING pass")
      .get(account_id)!.pass;
  }

  noteSynced(account_id: string): void {
    this.platform.db.sql
      .query("UPDATE accounts SET last_sync_at = ? WHERE id = ?")
      .run(this.platform.clock.now(), account_id);
  }

  /** Disconnects a mailbox, deletes our copy of it and revokes its keys and connections. The mail on the server stays untouched. */
  remove(account: Account, actor: Author = SYSTEM_ACTOR): void {
    const { db, grants, audit, keys, connections } = this.platform;
    const by = authored(actor);
    db.write(() => {
      keys.revokeBound(account.id, by.actor, by.request_id);
      connections.revokeBound(account.id, by.actor, by.request_id);
      db.sql.query("DELETE FROM threads WHERE account_id = ?").run(account.id);
      // No other row that the grants register covers is deleted with the account.
      grants.remove("accounts", { id: account.id });
      if (account.is_primary) {
        db.sql
          .query(
            `UPDATE accounts SET is_primary = 1
             WHERE id = (SELECT min(id) FROM accounts WHERE user_id = ? AND provider <> 'imported')`,
          )
          .run(account.user_id);
      }
      const before = { email: account.email };
      audit.record({ user_id: account.user_id, ...by, action: "account.disconnect", target: account.id, before });
    });
  }

  /** Returns null also for an account whose row something other than Postroom has written or changed. */
  #view(row: AccountRow | null): Account | null {
    if (row === null || !this.platform.grants.holds("accounts", { ...row })) return null;
    const sealer = this.platform.keyring.forUser(row.user_id);
    const {
      profile,
      connection: _,
      email_hmac: __,
      is_primary,
      read_only,
      last_error,
      sync_phase,
      sync_done,
      sync_total,
      ...rest
    } = row;
    return {
      ...rest,
      ...sealer.openJson(`accounts.profile:${row.id}`, profile),
      is_primary: is_primary === 1,
      read_only: read_only === 1,
      last_error: last_error && sealer.open(`accounts.last_error:${row.id}`, last_error),
      sync: { phase: sync_phase, done: sync_done, total: sync_total },
    };
  }
}

function authored({ request_id = null, ...actor }: Author): { actor: Actor; request_id: string | null } {
  return { actor, request_id };
}
