import { resolve } from "node:path";
import type { Actor } from "../platform/ledger/audit.ts";
import type { Platform } from "../platform/platform.ts";
import type { ChosenFolder } from "./folder.ts";
import { NO_SCHEDULE, type Schedule } from "./schedule.ts";

const SETTING = "backup";

/** What the owner chose on the settings page; absent: the default. `folder` null: the default folder. */
export interface StoredBackupSettings {
  schedule?: Schedule;
  folder?: ChosenFolder | null;
  keep?: number;
  incrementals?: number;
}

export type BackupSetting = keyof StoredBackupSettings;
export const BACKUP_SETTINGS = ["schedule", "folder", "keep", "incrementals"] as const satisfies BackupSetting[];

/** The settings that apply: those of the configuration, else those of the settings page, else the defaults. */
export interface BackupSettings {
  schedule: Schedule;
  /** Absolute path. */
  folder: string;
  /** The folder, if it was chosen on the settings page. */
  chosen: ChosenFolder | null;
  /** Newest backups to keep. */
  keep: number;
  /** Incremental backups after each full one. */
  incrementals: number;
}

type Base = Pick<Platform, "config" | "db" | "grants" | "keyring">;

/** Returns the settings for scheduled and requested backups. */
export function backupSettings(platform: Base): BackupSettings {
  const { config } = platform;
  const stored = read(platform);
  const of = <K extends BackupSetting>(name: K) => (isConfigured(platform, name) ? undefined : stored[name]);
  const cron = config.get("backup.schedule");
  const chosen = of("folder") ?? null;
  return {
    schedule: of("schedule") ?? { ...NO_SCHEDULE, every: cron === "" ? "off" : "custom", cron },
    folder: chosen?.path ?? resolve(config.data_dir, config.get("backup.folder")),
    chosen,
    keep: of("keep") ?? config.get("backup.keep"),
    incrementals: of("incrementals") ?? config.get("backup.incrementals"),
  };
}

/** Returns whether the configuration sets this, so that the settings page cannot. */
export function isConfigured({ config }: Pick<Base, "config">, name: BackupSetting): boolean {
  return config.isSet(`backup.${name}`);
}

/**
 * Stores settings of the settings page. They are in the register of grants, because the folder decides where copies of
 * all mail are written. Call it in the transaction of the change.
 */
export function storeBackupSettings(
  platform: Base & Pick<Platform, "clock" | "audit">,
  changes: StoredBackupSettings,
  by: { user_id: string; actor: Actor; request_id?: string | null },
): void {
  const { db, grants, keyring, clock, audit } = platform;
  db.write(() => {
    const stored = read(platform);
    const next = { ...stored, ...changes };
    if (JSON.stringify(next) === JSON.stringify(stored)) return;
    const before = shown(platform);
    const value = keyring.system().sealJson(`settings.value:${SETTING}`, next);
    grants.insert("settings", { key: SETTING, value, updated_at: clock.now() }, "replace");
    audit.record({ ...by, action: "backup.settings", target: null, before, after: shown(platform) });
  });
}

function read({ db, grants, keyring }: Base): StoredBackupSettings {
  const stored = db.sql
    .query<{ key: string; value: Uint8Array }, [string]>("SELECT key, value FROM settings WHERE key = ?")
    .get(SETTING);
  const row = grants.checked("settings", stored);
  return row ? keyring.system().openJson<StoredBackupSettings>(`settings.value:${SETTING}`, row.value) : {};
}

function shown(platform: Base) {
  const { schedule, folder, keep, incrementals } = backupSettings(platform);
  return { schedule, folder, keep, incrementals };
}
