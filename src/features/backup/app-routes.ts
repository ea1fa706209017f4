import { resolve } from "node:path";
import { readDrill } from "../../backup/continuous/drill-result.ts";
import { copyingState, lagMs } from "../../backup/continuous/state.ts";
import type { CopyService } from "../../backup/copies/service.ts";
import { type ChosenFolder, freeBytes, requireFolder } from "../../backup/folder.ts";
import type { BackupRun } from "../../backup/ledger.ts";
import type { BackupService } from "../../backup/service.ts";
import { backupSettings, isConfigured } from "../../backup/settings.ts";
import { backupTarget } from "../../backup/target.ts";
import type { TargetService } from "../../backup/target-service.ts";
import { change, type Route, read } from "../../http/route.ts";
import { isoTime } from "../../kernel/clock.ts";
import { ApiError, UserError } from "../../kernel/errors.ts";
import { countImported } from "../../mailbox/accounts/accounts.ts";
import { OPTIONS } from "../../platform/config/table.ts";
import { nextRun } from "../../platform/jobs/cron.ts";
import type { Platform } from "../../platform/platform.ts";
import { hasRecoveryFile } from "../../platform/sealing/recovery-file.ts";
import { changeSettings, previewSchedule } from "./change-settings.ts";
import { BackupSettingsPatch, BackupStatus, type BackupView, NewSchedule, SchedulePreview } from "./model.ts";
import { restoreCommands } from "./restore-commands.ts";
import { targetRoutes, viewTarget } from "./target-routes.ts";

export interface BackupParts {
  platform: Platform;
  backups: Pick<BackupService, "state" | "present" | "request" | "reschedule">;
  copies: Pick<CopyService, "status">;
  targets: Pick<TargetService, "choose">;
}

/**
 * Returns the routes for the backup status and for a backup on request. Only the owner may use them, because backups hold
 * every user's mail.
 */
export function backupAppRoutes(parts: BackupParts): Route[] {
  return [
    read({
      method: "GET",
      path: "/backup",
      audience: "session",
      role: "owner",
      response: BackupStatus,
      handle: () => status(parts),
    }),
    change({
      method: "POST",
      path: "/backup",
      audience: "session",
      role: "owner",
      response: BackupStatus,
      status: 202,
      handle: ({ caller }) => {
        if (!parts.backups.request())
          throw new ApiError("backup_running", "A backup is already running. Wait until it has finished.");
        const { user_id, actor, request_id } = caller;
        parts.platform.audit.record({ user_id, actor, action: "backup.create", target: null, request_id });
        return status(parts);
      },
    }),
    change({
      method: "PATCH",
      path: "/backup/settings",
      audience: "session",
      role: "owner",
      body: BackupSettingsPatch,
      response: BackupStatus,
      errors: ["proof_required"],
      handle: ({ caller, body, context }) => {
        changeSettings(parts, caller, body, context.session);
        return status(parts);
      },
    }),
    read({
      method: "POST",
      path: "/backup/preview",
      audience: "session",
      role: "owner",
      body: NewSchedule,
      response: SchedulePreview,
      handle: ({ caller, body }) => ({ next: previewSchedule(parts, caller, body).map(isoTime) }),
    }),
    ...targetRoutes(parts, () => status(parts)),
  ];
}

function status({ platform, backups, copies }: BackupParts): BackupStatus {
  const { config } = platform;
  const { schedule, folder, chosen, keep, incrementals } = backupSettings(platform);
  const { running, next_at, runs } = backups.state();
  const files = backups.present();
  const present = new Set(files.map(({ id }) => id));
  const view = (run: BackupRun) => viewBackup(run, present.has(run.id));
  return {
    last: runs[0] ? view(runs[0]) : null,
    running,
    settings: { schedule, folder, default_folder: folder === defaultFolder(config.data_dir), keep, incrementals },
    configured: {
      schedule: isConfigured(platform, "schedule"),
      folder: isConfigured(platform, "folder"),
      keep: isConfigured(platform, "keep"),
      incrementals: isConfigured(platform, "incrementals"),
    },
    next_at: next_at === null ? null : isoTime(next_at),
    // The default folder is created by its first backup.
    free_bytes: freeBytes(folder) ?? (chosen ? null : freeBytes(config.data_dir)),
    folder_fault: chosen && folderFault(chosen),
    recovery_key: hasRecoveryFile(config.data_dir),
    imported_mailboxes: countImported(platform),
    files: files.map(view),
    elsewhere: viewCopies(platform, copies),
    target: viewTarget(platform),
  };
}

function viewCopies(platform: Platform, service: BackupParts["copies"]): BackupStatus["elsewhere"] {
  const status = service.status();
  const target = backupTarget(platform);
  if (!status || !target) return null;
  const continuous = viewContinuous(platform);
  const { place, sending, copies, pending, lagMs, last, failing_since, error, warning, kept_objects, requests } =
    status;
  return {
    place,
    sending,
    copies,
    pending,
    lag_seconds: Math.round(lagMs / 1000),
    last: last && { sent_at: isoTime(last.at), made_at: isoTime(last.made_at), bytes: last.bytes },
    failing_since: failing_since === null ? null : isoTime(failing_since),
    error,
    warning,
    kept_objects,
    requests,
    restore: restoreCommands(target, continuous !== null),
    continuous,
  };
}

function viewContinuous(platform: Platform): NonNullable<BackupStatus["elsewhere"]>["continuous"] {
  const { config, clock } = platform;
  const state = copyingState(platform);
  if (!state) return null;
  const { standby, lease, holder, lease_error, last, since, failing_since, error, base, base_progress } = state;
  const drill = readDrill(config.data_dir, state.placeId);
  const time = (ms: number | null) => (ms === null ? null : isoTime(ms));
  return {
    standby,
    lease,
    holder: holder && { name: holder.name, since: isoTime(holder.since) },
    lease_error,
    last: time(last),
    since: time(since),
    lag_seconds: Math.round(lagMs(state, clock.now()) / 1000),
    failing_since: time(failing_since),
    error,
    base: base && { at: isoTime(base.at), bytes: base.bytes },
    base_progress,
    drill: drill && { at: isoTime(drill.at), seconds: drill.ms / 1000, ok: drill.ok, error: drill.error },
    next_drill_at: time(nextRun(config.get("backup.drill"), clock.now(), "UTC")),
  };
}

function viewBackup(run: BackupRun, present: boolean): BackupView {
  const { id, state, kind, file, bytes, rows, files, error } = run;
  return {
    id,
    state,
    kind,
    file,
    bytes,
    rows,
    files,
    error,
    started_at: isoTime(run.started_at),
    ended_at: run.ended_at === null ? null : isoTime(run.ended_at),
    present,
  };
}

function defaultFolder(data_dir: string): string {
  return resolve(data_dir, OPTIONS["backup.folder"].default);
}

function folderFault(chosen: ChosenFolder): string | null {
  try {
    requireFolder(chosen);
    return null;
  } catch (error) {
    if (error instanceof UserError) return error.message;
    throw error;
  }
}
