import { checkFolder } from "../../backup/folder.ts";
import { cronFault, nextRuns, type Schedule } from "../../backup/schedule.ts";
import type { BackupService } from "../../backup/service.ts";
import {
  BACKUP_SETTINGS,
  type BackupSetting,
  backupSettings,
  isConfigured,
  type StoredBackupSettings,
  storeBackupSettings,
} from "../../backup/settings.ts";
import type { Caller } from "../../http/guard/caller.ts";
import { requireRecentAuth } from "../../http/guard/recent-auth.ts";
import { invalidParam, UserError } from "../../kernel/errors.ts";
import type { Session } from "../../platform/identity/sessions.ts";
import type { Platform } from "../../platform/platform.ts";
import type { BackupSettingsPatch, NewSchedule } from "./model.ts";

interface Parts {
  platform: Platform;
  backups: Pick<BackupService, "reschedule">;
}

const PREVIEWED_RUNS = 3;

/**
 * Changes the settings of backups. They apply at once.
 * @throws ApiError invalid_params with the reason; proof_required for another folder
 */
export function changeSettings(
  parts: Parts,
  caller: Caller,
  patch: BackupSettingsPatch,
  session: Session | null,
): void {
  const { platform, backups } = parts;
  const changes: StoredBackupSettings = {};
  for (const name of BACKUP_SETTINGS) if (patch[name] !== undefined) requireUnset(platform, name);
  if (patch.schedule) changes.schedule = scheduleOf(parts, caller, patch.schedule, "schedule.");
  if (patch.keep !== undefined) changes.keep = patch.keep;
  if (patch.incrementals !== undefined) changes.incrementals = patch.incrementals;
  if (patch.folder !== undefined) {
    const { chosen } = backupSettings(platform);
    if ((patch.folder?.trim() ?? null) !== (chosen?.path ?? null)) {
      // Copies of all mail are written there.
      requireRecentAuth(session, platform.clock.now());
      changes.folder = patch.folder === null ? null : folderOf(platform, patch.folder);
    }
  }
  const { user_id, actor, request_id } = caller;
  storeBackupSettings(platform, changes, { user_id, actor, request_id });
  if (changes.schedule) backups.reschedule();
}

/** Returns when the next backups of a schedule would be made, ms. @throws ApiError invalid_params */
export function previewSchedule(parts: Parts, caller: Caller, asked: NewSchedule): number[] {
  const { clock } = parts.platform;
  return nextRuns(scheduleOf(parts, caller, asked, ""), clock.now(), PREVIEWED_RUNS);
}

/** Completes a schedule with what was chosen before. Its times are in the owner's time zone. */
function scheduleOf({ platform }: Parts, { user }: Caller, asked: NewSchedule, path: string): Schedule {
  const before = backupSettings(platform).schedule;
  const next: Schedule = { ...before, ...asked, timezone: user.timezone };
  if (next.every === "custom") {
    const fault = cronFault(next.cron, platform.clock.now());
    if (fault) throw invalidParam(`${path}cron`, fault);
  }
  return next;
}

function folderOf({ config }: Platform, given: string) {
  try {
    return checkFolder(config.data_dir, given);
  } catch (error) {
    throw error instanceof UserError ? invalidParam("folder", error.message) : error;
  }
}

/** @throws ApiError invalid_params */
function requireUnset(platform: Platform, name: BackupSetting): void {
  if (!isConfigured(platform, name)) return;
  throw invalidParam(name, `The configuration sets backup.${name}. Change it there, or remove it from there.`);
}
