import { createHash } from "node:crypto";
import type { Platform } from "../platform/platform.ts";
import type { ServerAddress } from "./accounts.ts";
import type { OAuthProviderName } from "./oauth-clients.ts";

/** Somebody is at a provider's page to let us into a mailbox. */
export interface OAuthFlow {
  provider: OAuthProviderName;
  email: string;
  /** The mailbox that is connected again; null for a new one. */
  account_id: string | null;
  verifier: string;
  redirect_uri: string;
  imap: ServerAddress;
  smtp: ServerAddress | null;
  username: string;
}

/** Long enough to find one's telephone for the second factor. */
const LIFE_MS = 15 * 60_000;
/** Of one person at a time; older ones are forgotten. */
const MOST_OPEN = 10;

/** Flows under way: each is taken up once, by the person who began it. The only owner of the `oauth_flows` table. */
export class OAuthFlows {
  constructor(private readonly platform: Platform) {}

  begin(user_id: string, state: string, flow: OAuthFlow): void {
    const { db, keyring, clock } = this.platform;
    const sealed = keyring.forUser(user_id).sealJson("oauth_flows.flow", flow);
    db.write(() => {
      db.sql.query("DELETE FROM oauth_flows WHERE expires_at < ?").run(clock.now());
      db.sql
        .query(
          `DELETE FROM oauth_flows WHERE state_hash IN (SELECT state_hash FROM oauth_flows WHERE user_id = ?
             ORDER BY expires_at DESC LIMIT -1 OFFSET ?)`,
        )
        .run(user_id, MOST_OPEN - 1);
      db.sql
        .query("INSERT INTO oauth_flows (state_hash, user_id, flow, expires_at) VALUES (?, ?, ?, ?)")
        .run(hash(state), user_id, sealed, clock.now() + LIFE_MS);
    });
  }

  /** The flow of this state, once; null when it is unknown, another person's, or too old. */
  take(user_id: string, state: string): OAuthFlow | null {
    const { db, keyring, clock } = this.platform;
    const row = db.write(() =>
      db.sql
        .query<{ flow: Uint8Array; expires_at: number }, [Uint8Array, string]>(
          "DELETE FROM oauth_flows WHERE state_hash = ? AND user_id = ? RETURNING flow, expires_at",
        )
        .get(hash(state), user_id),
    );
    if (!row || row.expires_at < clock.now()) return null;
    return keyring.forUser(user_id).openJson<OAuthFlow>("oauth_flows.flow", row.flow);
  }
}

function hash(state: string): Uint8Array {
  return createHash("sha256").update(state).digest();
}
