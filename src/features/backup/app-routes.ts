import type { BackupRun } from "../../backup/ledger.ts";
import { backupFolder } from "../../backup/retention.ts";
import type { BackupService } from "../../backup/service.ts";
import { change, type Route, read } from "../../http/route.ts";
import { isoTime } from "../../kernel/clock.ts";
import { ApiError } from "../../kernel/errors.ts";
import { countImported } from "../../mailbox/accounts/accounts.ts";
import type { Platform } from "../../platform/platform.ts";
import { hasRecoveryFile } from "../../platform/sealing/recovery-file.ts";
import { BackupStatus, type BackupView } from "./model.ts";

export interface BackupParts {
  platform: Platform;
  backups: Pick<BackupService, "state" | "present" | "request">;
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
  ];
}

function status({ platform, backups }: BackupParts): BackupStatus {
  const { config } = platform;
  const { running, next_at, runs } = backups.state();
  const files = backups.present();
  const present = new Set(files.map(({ id }) => id));
  const view = (run: BackupRun) => viewBackup(run, present.has(run.id));
  return {
    last: runs[0] ? view(runs[0]) : null,
    running,
    schedule: config.get("backup.schedule"),
    next_at: next_at === null ? null : isoTime(next_at),
    keep: config.get("backup.keep"),
    incrementals: config.get("backup.incrementals"),
    target: backupFolder(config),
    recovery_key: hasRecoveryFile(config.data_dir),
    imported_mailboxes: countImported(platform),
    files: files.map(view),
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
