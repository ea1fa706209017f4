import { randomUUID } from "node:crypto";
import type { Platform } from "../../platform/platform.ts";
import type { Sealed } from "../../platform/sealing/sealer.ts";
import type { Connection, OAuthGrantRow, OAuthProviderName, OAuthTokens } from "./tables.ts";

/** The tokens that a provider issued for a mailbox. */
export interface Grant extends OAuthTokens {
  /** When the access token expires, ms. */
  expires_at: number;
}

/** Requests a new access token from the provider. @throws NoToken */
export type Renew = (provider: OAuthProviderName, refresh_token: string) => Promise<RenewedToken>;

interface RenewedToken {
  access_token: string;
  /** null: the old one stays valid. */
  refresh_token: string | null;
  expiresInS: number;
}

/**
 * No access token is available. `withdrawn`: the access was revoked, and only signing in again helps. `client`: the
 * provider rejects our client id. `unavailable`: a later attempt may succeed.
 */
export class NoToken extends Error {
  override readonly name = "NoToken";

  constructor(
    readonly reason: "withdrawn" | "client" | "unavailable",
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

/** The credentials for a login to a mail server. */
export interface Credentials {
  username: string;
  password: string;
  access_token?: string;
}

interface Owned {
  id: string;
  user_id: string;
}

type StoredGrant = Pick<OAuthGrantRow, "tokens" | "expires_at" | "withdrawn_at" | "renewing_by" | "renewing_until">;

/** A token is renewed this long before it expires, so that logging in over a slow line still succeeds. */
const RENEW_BEFORE_MS = 5 * 60_000;
/** A renewal that takes longer than this is assumed to have died with its process. */
const RENEWAL_MS = 45_000;
/** Interval of the check whether another thread's renewal has finished. */
const RENEWAL_POLL_MS = 150;

/**
 * Access tokens for mailboxes that were connected by signing in at the provider. They are renewed shortly before they
 * expire and when a server refuses one. Only one thread renews at a time, because providers revoke a token that is
 * renewed twice. The only owner of the `oauth_grants` table.
 */
export class AccessTokens {
  readonly #running = new Map<string, Promise<string>>();

  constructor(
    private readonly platform: Platform,
    private readonly renew: Renew,
  ) {}

  /** Stores a grant; the account uses it from now on. */
  store({ id, user_id }: Owned, { expires_at, ...tokens }: Grant): void {
    this.platform.db.sql
      .query("INSERT OR REPLACE INTO oauth_grants (account_id, tokens, expires_at) VALUES (?, ?, ?)")
      .run(id, this.#seal({ id, user_id }, tokens), expires_at);
  }

  /**
   * Returns what the account logs in with at this moment.
   * @param refused the token that a server has just refused; it is not returned again
   * @throws NoToken
   */
  async credentials(account: Owned, connection: Connection, refused?: string): Promise<Credentials> {
    const { username, password, oauth } = connection;
    return oauth
      ? { username, password: "", access_token: await this.token(account, refused) }
      : { username, password };
  }

  /** Returns an access token that is valid for some minutes more. @throws NoToken */
  token(account: Owned, refused?: string): Promise<string> {
    const running = this.#running.get(account.id);
    if (running) return running.then((token) => (token === refused ? this.token(account, refused) : token));
    const asked = this.#token(account, refused).finally(() => this.#running.delete(account.id));
    this.#running.set(account.id, asked);
    return asked;
  }

  async #token(account: Owned, refused: string | undefined): Promise<string> {
    const { clock } = this.platform;
    const lease = randomUUID();
    for (;;) {
      const row = this.#row(account.id);
      if (!row) throw new NoToken("withdrawn", "Postroom has no access to this mailbox");
      if (row.withdrawn_at !== null) throw new NoToken("withdrawn", "the provider has revoked the access");
      const tokens = this.#open(account, row.tokens);
      if (tokens.access_token !== refused && row.expires_at - RENEW_BEFORE_MS > clock.now()) return tokens.access_token;
      if (this.#claim(account.id, lease)) return this.#renew(account, tokens, lease);
      // Another thread is renewing.
      await new Promise<void>((resolve) => clock.after(RENEWAL_POLL_MS, resolve));
    }
  }

  async #renew(account: Owned, tokens: OAuthTokens, lease: string): Promise<string> {
    const { db, clock } = this.platform;
    try {
      const renewed = await this.renew(tokens.provider, tokens.refresh_token);
      const refresh_token = renewed.refresh_token ?? tokens.refresh_token;
      const sealed = this.#seal(account, { ...tokens, refresh_token, access_token: renewed.access_token });
      db.sql
        .query(
          `UPDATE oauth_grants SET tokens = ?, expires_at = ?, renewing_by = NULL, renewing_until = NULL
           WHERE account_id = ? AND renewing_by = ?`,
        )
        .run(sealed, clock.now() + renewed.expiresInS * 1000, account.id, lease);
      return renewed.access_token;
    } catch (error) {
      const withdrawn = error instanceof NoToken && error.reason === "withdrawn";
      db.sql
        .query(
          `UPDATE oauth_grants SET renewing_by = NULL, renewing_until = NULL, withdrawn_at = ?
           WHERE account_id = ? AND renewing_by = ?`,
        )
        .run(withdrawn ? clock.now() : null, account.id, lease);
      throw error;
    }
  }

  /** Claims the renewal for this caller. @returns whether the claim succeeded */
  #claim(account_id: string, lease: string): boolean {
    const { db, clock } = this.platform;
    const now = clock.now();
    const { changes } = db.sql
      .query(
        `UPDATE oauth_grants SET renewing_by = ?, renewing_until = ?
         WHERE account_id = ? AND (renewing_until IS NULL OR renewing_until < ?)`,
      )
      .run(lease, now + RENEWAL_MS, account_id, now);
    return changes > 0;
  }

  #row(account_id: string): StoredGrant | null {
    return this.platform.db.sql
      .query<StoredGrant, [string]>(
        "SELECT tokens, expires_at, withdrawn_at, renewing_by, renewing_until FROM oauth_grants WHERE account_id = ?",
      )
      .get(account_id);
  }

  #seal({ id, user_id }: Owned, tokens: OAuthTokens): Uint8Array {
    return this.platform.keyring.forUser(user_id).sealJson(`oauth_grants.tokens:${id}`, tokens);
  }

  #open({ id, user_id }: Owned, sealed: Sealed<OAuthTokens>): OAuthTokens {
    return this.platform.keyring.forUser(user_id).openJson(`oauth_grants.tokens:${id}`, sealed);
  }
}
