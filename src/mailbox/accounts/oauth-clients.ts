import type { Actor } from "../../platform/ledger/audit.ts";
import type { Platform } from "../../platform/platform.ts";
import type { OAuthClientRow, OAuthProviderName, StoredOAuthClient } from "./tables.ts";

/** The OAuth clients of this installation. The only owner of the `oauth_clients` table. */
export class OAuthClients {
  constructor(private readonly platform: Platform) {}

  get(provider: OAuthProviderName): StoredOAuthClient | null {
    const row = this.platform.db.sql
      .query<Pick<OAuthClientRow, "client">, [string]>("SELECT client FROM oauth_clients WHERE provider = ?")
      .get(provider);
    return row && this.platform.keyring.system().openJson(contextOf(provider), row.client);
  }

  /** Creates or replaces a client. */
  put(user_id: string, actor: Actor, provider: OAuthProviderName, client: StoredOAuthClient): void {
    const { db, keyring, clock, audit } = this.platform;
    const sealed = keyring.system().sealJson(contextOf(provider), client);
    db.write(() => {
      db.sql
        .query("INSERT OR REPLACE INTO oauth_clients (provider, client, updated_at) VALUES (?, ?, ?)")
        .run(provider, sealed, clock.now());
      const { client_id, tenant } = client;
      audit.record({ user_id, actor, action: "oauth_client.update", target: provider, after: { client_id, tenant } });
    });
  }

  /** Removes a client. Mailboxes that were connected with it cannot renew their tokens from now on. */
  remove(user_id: string, actor: Actor, provider: OAuthProviderName): void {
    const { db, audit } = this.platform;
    db.write(() => {
      const { changes } = db.sql.query("DELETE FROM oauth_clients WHERE provider = ?").run(provider);
      if (changes > 0) audit.record({ user_id, actor, action: "oauth_client.delete", target: provider });
    });
  }
}

const contextOf = (provider: OAuthProviderName) => `oauth_clients.client:${provider}`;
