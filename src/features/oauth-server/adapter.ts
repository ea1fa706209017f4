import { ACCESS_TOKEN } from "../../http/guard/assistant-token.ts";
import type { Platform } from "../../platform/platform.ts";

/** Values of the library. `jti` is the secret itself: it is never stored, and added again when a value is read. */
type Payload = Record<string, unknown> & { jti?: string; grantId?: string; accountId?: string };

const DAY_MS = 86_400_000;
const GRANTED_KINDS = new Set<string>([ACCESS_TOKEN, "AuthorizationCode", "RefreshToken"]);
/** The page's own session is the only one. The library's would be a second one that no one ends. */
const NOT_STORED = "Session";

/** The kinds of values that the library stores: the names of its classes. */
export const STORED_KINDS = [
  ACCESS_TOKEN,
  "AuthorizationCode",
  "Client",
  "Grant",
  "Interaction",
  "RefreshToken",
  "ReplayDetection",
  "Session",
] as const;
type StoredKind = (typeof STORED_KINDS)[number];

/** Storage of one kind of the library's values, for one issuer (oidc-provider, "Adapter"). */
export interface Adapter {
  upsert(id: string, payload: Payload, expiresInS?: number): Promise<void>;
  find(id: string): Promise<Payload | undefined>;
  findByUid(uid: string): Promise<Payload | undefined>;
  findByUserCode(code: string): Promise<Payload | undefined>;
  consume(id: string): Promise<void>;
  destroy(id: string): Promise<void>;
  revokeByGrantId(id: string): Promise<void>;
}

export interface AdapterOptions {
  platform: Platform;
  /** The URL that tokens of this issuer are for. */
  resource: string;
  /** Makes the error for a code or refresh token that was used before. */
  usedTwice: () => Error;
}

export function createAdapter(options: AdapterOptions, kind: string): Adapter {
  const { platform } = options;
  // Two kinds under one name would be accepted for each other.
  if (!STORED_KINDS.includes(kind as StoredKind)) throw new Error(`"${kind}" is no kind of value that is stored`);
  if (kind === "Client") return clientAdapter(platform);
  if (kind === "Grant") return grantAdapter(options);
  return tokenAdapter(options, kind);
}

const nothing = () => Promise.resolve(undefined);

function clientAdapter({ assistantClients }: Platform): Adapter {
  return {
    upsert: async (id, payload) => assistantClients.put(id, payload),
    find: async (id) => (assistantClients.find(id) as Payload | null) ?? undefined,
    findByUid: nothing,
    findByUserCode: nothing,
    consume: nothing,
    destroy: async (id) => assistantClients.remove(id),
    revokeByGrantId: nothing,
  };
}

/** A grant is a connection: the library reads it, and only consent (consent.ts) writes it. */
function grantAdapter({ platform, resource }: AdapterOptions): Adapter {
  const { connections } = platform;
  return {
    upsert: nothing,
    find: async (id) => {
      const connection = connections.get(id);
      if (!connection || connection.revoked_at !== null) return undefined;
      return {
        jti: id,
        kind: "Grant",
        accountId: connection.user_id,
        clientId: connection.client.id,
        resources: { [resource]: connection.scopes.join(" ") },
      };
    },
    findByUid: nothing,
    findByUserCode: nothing,
    consume: nothing,
    // The client revoked its token (RFC 7009), or a code or refresh token was used twice (RFC 9700 §4.14).
    destroy: async (id) => revoke(platform, id),
    revokeByGrantId: nothing,
  };
}

function revoke({ connections, log }: Platform, id: string): void {
  const reason = "revoked by the client, or a code or token was used twice";
  const was = connections.revoke(id, { actor: { kind: "assistant", id } }, reason);
  if (was) log.warn("a connection was revoked by its client, or because a token was used twice", { connection: id });
}

function tokenAdapter({ platform, usedTwice }: AdapterOptions, kind: string): Adapter {
  const { assistantTokens: tokens, connections, clock, db } = platform;
  const read = (id: string): Payload | undefined => {
    const row = tokens.find<Payload>(kind, id);
    return row ? { ...row.payload, jti: id } : undefined;
  };
  return {
    upsert: async (id, { jti: _, ...payload }, expiresInS) => {
      if (kind === NOT_STORED) return;
      const lastsMs = expiresInS === undefined ? DAY_MS : expiresInS * 1000;
      const grantId = GRANTED_KINDS.has(kind) ? (payload.grantId ?? null) : null;
      const connection = grantId === null ? null : connections.get(grantId);
      tokens.put(kind, id, {
        connection_id: connection?.id ?? null,
        user_id: connection?.user_id ?? null,
        payload,
        expires_at: clock.now() + lastsMs,
      });
    },
    find: async (id) => read(id),
    findByUid: nothing,
    findByUserCode: nothing,
    // The library checks before, but another request can come between the check and this.
    consume: async (id) => {
      const before = db.write(() => {
        const row = tokens.find<Payload>(kind, id);
        if (!row || row.payload.consumed !== undefined) return row;
        const consumed = Math.floor(clock.now() / 1000);
        tokens.put(kind, id, { ...row, payload: { ...row.payload, consumed } });
        return "unused" as const;
      });
      if (before === "unused") return;
      if (before?.connection_id) revoke(platform, before.connection_id);
      throw usedTwice();
    },
    destroy: async (id) => tokens.remove(kind, id),
    revokeByGrantId: async (id) => tokens.removeOf(kind, id),
  };
}
