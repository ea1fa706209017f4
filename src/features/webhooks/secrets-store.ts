import type { Platform } from "../../platform/platform.ts";
import { newSecret } from "./signature.ts";
import type { WebhookSecretRow } from "./tables.ts";

/** Time for which a replaced secret continues to sign (docs/webhooks.md, "Rotate the secret"). */
const OVERLAP_MS = 24 * 3_600_000;
/**
 * Each valid secret adds a signature to two headers. With more rotations than this within the overlap, the oldest
 * secrets are dropped.
 */
const MAX_VALID = 16;

export interface Secret {
  secret: string;
  /** null: the current one. */
  expires_at: number | null;
}

/** Stores the secrets that sign the deliveries to an endpoint. */
export class SecretStore {
  constructor(private readonly platform: Pick<Platform, "db" | "keyring" | "clock">) {}

  /**
   * Creates a new current secret; the previous one stays valid for 24 hours. Call it in a transaction.
   * @returns the new one
   */
  rotate({ id, user_id }: { id: string; user_id: string }): string {
    const { db, keyring, clock } = this.platform;
    const now = clock.now();
    const secret = newSecret();
    const sealed = keyring.forUser(user_id).seal(`webhook_secrets.secret:${id}`, secret);
    db.sql.query("DELETE FROM webhook_secrets WHERE endpoint_id = ? AND expires_at <= ?").run(id, now);
    db.sql
      .query("UPDATE webhook_secrets SET expires_at = ? WHERE endpoint_id = ? AND expires_at IS NULL")
      .run(now + OVERLAP_MS, id);
    db.sql.query("INSERT INTO webhook_secrets (endpoint_id, secret) VALUES (?, ?)").run(id, sealed);
    db.sql
      .query(
        `DELETE FROM webhook_secrets WHERE endpoint_id = ?1 AND id NOT IN
           (SELECT id FROM webhook_secrets WHERE endpoint_id = ?1 ORDER BY id DESC LIMIT ?2)`,
      )
      .run(id, MAX_VALID);
    return secret;
  }

  /** Returns all secrets of an endpoint, the current one first; some may have expired since. */
  of({ id, user_id }: { id: string; user_id: string }): Secret[] {
    const { db, keyring } = this.platform;
    const sealer = keyring.forUser(user_id);
    return db.sql
      .query<Pick<WebhookSecretRow, "secret" | "expires_at">, [string]>(
        "SELECT secret, expires_at FROM webhook_secrets WHERE endpoint_id = ? ORDER BY id DESC",
      )
      .all(id)
      .map(({ secret, expires_at }) => ({ secret: sealer.open(`webhook_secrets.secret:${id}`, secret), expires_at }));
  }

  /** Deletes expired secrets. */
  prune(): void {
    this.platform.db.sql.query("DELETE FROM webhook_secrets WHERE expires_at <= ?").run(this.platform.clock.now());
  }
}

/** Returns the secrets that are valid now. */
export function validSecrets(secrets: readonly Secret[], now: number): string[] {
  return secrets.filter(({ expires_at }) => expires_at === null || expires_at > now).map(({ secret }) => secret);
}
