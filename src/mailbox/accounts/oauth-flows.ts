import type { Platform } from "../../platform/platform.ts";
import type { OAuthFlow, OAuthFlowRow } from "./tables.ts";

/** Long enough to fetch a phone for the second factor. */
const LIFETIME_MS = 15 * 60_000;
/** Flows that one person can have open; the oldest ones are dropped. */
const MAX_OPEN = 10;

/**
 * Sign-in flows under way. Each can be completed once, by the person who started it. The only owner of the
 * `oauth_flows` table.
 */
export class OAuthFlows {
  constructor(private readonly platform: Platform) {}

  begin(user_id: string, state: string, flow: OAuthFlow): void {
    const { keyring, grants, clock } = this.platform;
    const state_hash = grants.lookup("oauth-state", state);
    const expires_at = clock.now() + LIFETIME_MS;
    const sealed = keyring.forUser(user_id).sealJson(context(state_hash), { ...flow, expires_at });
    grants.batch(() => {
      grants.removeWhere("oauth_flows", "expires_at < ?", clock.now());
      grants.removeWhere(
        "oauth_flows",
        `state_hash IN (SELECT state_hash FROM oauth_flows WHERE user_id = ? ORDER BY expires_at DESC LIMIT -1 OFFSET ?)`,
        user_id,
        MAX_OPEN - 1,
      );
      grants.insert("oauth_flows", {
        state_hash,
        user_id,
        flow: sealed,
        expires_at,
      });
    });
  }

  /** Returns and removes the flow of this state; null when it is unknown, expired or another person's. */
  take(user_id: string, state: string): OAuthFlow | null {
    const { db, keyring, grants, clock } = this.platform;
    const state_hash = grants.lookup("oauth-state", state);
    const row = db.write(() => {
      const stored = db.sql
        .query<OAuthFlowRow, [Uint8Array, string]>(
          "SELECT state_hash, user_id, flow, expires_at FROM oauth_flows WHERE state_hash = ? AND user_id = ?",
        )
        .get(state_hash, user_id);
      const held = grants.checked("oauth_flows", stored);
      if (held) grants.remove("oauth_flows", { state_hash });
      return held;
    });
    if (!row) return null;
    const { expires_at, ...flow } = keyring.forUser(user_id).openJson(context(state_hash), row.flow);
    return expires_at < clock.now() ? null : flow;
  }
}

function context(state_hash: Uint8Array): string {
  return `oauth_flows.flow:${Buffer.from(state_hash).toString("hex")}`;
}
