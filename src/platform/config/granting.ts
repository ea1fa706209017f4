import type { OptionKey } from "./table.ts";

/**
 * Lists whether each setting grants access or decides where mail, passwords and backups are sent. Such a setting in a
 * file in the data folder takes effect only after the owner has accepted the file (docs/decisions/0023). Every setting
 * is listed here, so that a new setting does not compile until it is classified. The numbers of `limits.*`
 * are exempt, because they only restrict access. `limits.programs` also lifts what plans leave out.
 */
const GRANTING: Record<Exclude<OptionKey, `limits.${string}`> | "limits.programs", boolean> = {
  // The settings page accepts it as its host name, and it decides who can reach the server.
  "http.host": true,
  "http.port": false,
  "http.trusted_proxies": true,
  "http.cors_origins": true,
  "http.public_url": true,
  "http.base_path": false,
  "http.allowed_hosts": true,
  "http.forward_auth_header": true,
  "http.metrics_token": true,
  "mcp.enabled": true,
  "log.level": false,
  "log.format": false,
  "owner.email": false,
  "limits.programs": true,
  "owner.plan": false,
  "owner.timezone": false,
  // Needed before the register opens. Any key other than that of the installation is refused.
  "master.key": false,
  "master.passphrase": false,
  "ai.base_url": true,
  "ai.model": true,
  "ai.api_key": true,
  "ai.allow_hosts": true,
  "ai.timeout_seconds": false,
  "ai.context_tokens": false,
  "ai.metered": false,
  "brief.time": false,
  "agent.schedule": false,
  "agent.actions_per_run": false,
  "agent.actions_per_day": false,
  "agent.followup_days": false,
  "embedding.model": true,
  "embedding.hub": true,
  "webhooks.allow": true,
  "webhooks.loopback": true,
  "webhooks.ca_file": true,
  "mail.ca_file": true,
  "mail.allow": true,
  "mail.ispdb": true,
  "mail.ispdb_url": true,
  "mail.poll_seconds": false,
  "mail.batch_bytes": false,
  "mail.full_source_bytes": false,
  "mail.text_part_bytes": false,
  "mail.text_read_bytes": false,
  "oauth.google_authorize_url": true,
  "oauth.google_token_url": true,
  "oauth.microsoft_authorize_url": true,
  "oauth.microsoft_token_url": true,
  "store.attachments": false,
  "store.cache_bytes": false,
  "calendar.poll_seconds": false,
  "sessions.days": true,
  "sessions.idle_days": true,
  "oidc.issuer": true,
  "oidc.client_id": true,
  "oidc.client_secret": true,
  "oidc.name": true,
  "backup.schedule": false,
  "backup.folder": true,
  "backup.keep": false,
  "backup.incrementals": false,
  "upgrade.keep_copies": false,
  "retention.events_days": false,
  "retention.audit_days": false,
  "retention.ai_calls_days": false,
  "retention.jobs_days": false,
};

/** Returns whether a setting from a file in the data folder takes effect only after the owner has accepted the file. */
export function grantsAccess(key: OptionKey): boolean {
  return (GRANTING as Partial<Record<OptionKey, boolean>>)[key] ?? !key.startsWith("limits.");
}
