import type { Caller } from "../../http/guard/caller.ts";
import { isoTime } from "../../kernel/clock.ts";
import { notFound } from "../../kernel/errors.ts";
import type { Connection } from "../../platform/identity/connections.ts";
import type { Users } from "../../platform/identity/users.ts";
import type { Platform } from "../../platform/platform.ts";
import type { ConnectionView } from "./model.ts";

/** Lists and revokes a person's connections, those to the sandbox included. */
export class ConnectionService {
  constructor(private readonly platform: Platform) {}

  /** Returns live connections first, then the revoked ones; newest first within each. */
  list(caller: Caller): ConnectionView[] {
    const { connections, users } = this.platform;
    const rows = connections.list(this.#usersOf(caller)).sort((a, b) => (a.id < b.id ? 1 : -1));
    const isLive = ({ revoked_at }: Connection) => revoked_at === null;
    return [...rows.filter(isLive), ...rows.filter((row) => !isLive(row))].map((row) => viewConnection(users, row));
  }

  /** Revokes a connection at once and ends its open streams. Idempotent. @throws ApiError not_found */
  revoke(caller: Caller, id: string): void {
    const { connections } = this.platform;
    if (!connections.isOf(this.#usersOf(caller), id)) throw notFound("connection");
    connections.revoke(id, caller);
  }

  #usersOf({ user }: Caller): string[] {
    return this.platform.users.rowsOf(user.sandbox_of ?? user.id);
  }
}

export function viewConnection(users: Users, connection: Connection): ConnectionView {
  const { id, client, scopes, user_id, account_id, created_at, revoked_at, last_used_at } = connection;
  const { name, uri, redirect_host, verified } = client;
  return {
    id,
    name,
    uri,
    redirect_host,
    verified,
    scopes,
    sandbox: users.get(user_id)?.sandbox_of !== null,
    account_id,
    created_at: isoTime(created_at),
    revoked_at: revoked_at === null ? null : isoTime(revoked_at),
    last_used_at: last_used_at === null ? null : isoTime(last_used_at),
  };
}
