import type { Scope } from "../../kernel/scopes.ts";
import type { Connection } from "../../platform/identity/connections.ts";
import type { Platform } from "../../platform/platform.ts";
import type { Identity } from "./identity.ts";

/** The data of an access token that the authorization server stores (features/oauth-server). */
interface AccessTokenPayload {
  grantId: string;
  /** The URL for which the token was issued (RFC 8707). */
  aud: string;
  scope: string;
}

/** Kind of access tokens in `platform.assistantTokens`. */
export const ACCESS_TOKEN = "AccessToken";

/**
 * Returns the connection that an access token belongs to, as an identity; null for any other secret. The token must have
 * been issued for this resource, and its connection must be live.
 */
export function connectionOf(platform: Platform, secret: string, resource: string): Omit<Identity, "refusal"> | null {
  const { assistantTokens, connections, users } = platform;
  const token = assistantTokens.find<Partial<AccessTokenPayload>>(ACCESS_TOKEN, secret)?.payload;
  if (!token?.grantId || token.aud !== resource) return null;
  const connection = connections.get(token.grantId);
  if (!connection || connection.revoked_at !== null) return null;
  const user = users.get(connection.user_id);
  if (!user) return null;
  const { id, account_id, created_at, client } = connection;
  const scopes = scopesOf(connection, token.scope);
  return {
    credential: {
      ...{ kind: "connection", id, name: client.name, scopes, account_id, created_at },
      readsContext: connection.scopes.includes("context:read"),
    },
    hint: "connection",
    user,
    actor: { kind: "assistant", id },
    isTest: user.sandbox_of !== null,
    usable: () => connections.get(id)?.revoked_at === null,
  };
}

/** The connection may have lost scopes since the token was issued. */
function scopesOf(connection: Connection, scope = ""): Scope[] {
  const granted = scope.split(" ");
  return connection.scopes.filter((name) => granted.includes(name));
}
