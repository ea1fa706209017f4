import type { Actor } from "../ledger/audit.ts";
import type { Platform } from "../platform.ts";

const SETTING = "mcp_enabled";

type Base = Pick<Platform, "config" | "db" | "grants" | "keyring" | "clock" | "audit" | "keys">;

/** Returns whether the tool server is on: in the configuration, or by the owner on the settings page. */
export function mcpEnabled(platform: Base): boolean {
  return platform.config.get("mcp.enabled") || mcpStored(platform);
}

/** Returns whether the owner turned the tool server on, on the settings page. */
export function mcpStored({ db, grants, keyring }: Base): boolean {
  const stored = db.sql
    .query<{ key: string; value: Uint8Array }, [string]>("SELECT key, value FROM settings WHERE key = ?")
    .get(SETTING);
  const row = grants.checked("settings", stored);
  return row !== null && keyring.system().openJson<boolean>(`settings.value:${SETTING}`, row.value);
}

/** Turns the tool server on or off on the settings page. `mcp.enabled` in the configuration turns it on regardless. */
export function storeMcpEnabled(
  platform: Base,
  enabled: boolean,
  by: { user_id: string; actor: Actor; request_id?: string | null },
): void {
  const { db, grants, keyring, clock, audit, keys } = platform;
  db.write(() => {
    const before = { enabled: mcpStored(platform) };
    if (before.enabled === enabled) return;
    const value = keyring.system().sealJson(`settings.value:${SETTING}`, enabled);
    if (enabled) grants.insert("settings", { key: SETTING, value, updated_at: clock.now() }, "replace");
    else grants.remove("settings", { key: SETTING });
    audit.record({ ...by, action: "mcp.settings", target: null, before, after: { enabled } });
    // Ends open connections.
    keys.announce();
  });
}
