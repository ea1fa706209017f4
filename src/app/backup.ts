import { DrillService } from "../backup/continuous/drills.ts";
import { CopyService } from "../backup/copies/service.ts";
import { forgetRunning } from "../backup/ledger.ts";
import type { Head } from "../backup/manifest.ts";
import { BackupService, type BackupWorker } from "../backup/service.ts";
import { TargetService } from "../backup/target-service.ts";
import type { Clock } from "../kernel/clock.ts";
import { markDueSendsSubmitted } from "../outbound/sends/restored-sends.ts";
import type { ConfigSources } from "../platform/config/load.ts";
import { openDb } from "../platform/db/open.ts";
import type { Platform } from "../platform/platform.ts";
import { workerUrl } from "../platform/process/worker-url.ts";
import { VERSION } from "../version.ts";

export interface BackupServices {
  backups: BackupService;
  copies: CopyService;
  drills: DrillService;
  targets: TargetService;
}

/** Opens scheduled and on-demand backups, their copies elsewhere, and tests of the continuous copy, which run on separate workers (`src/workers/backup.ts`). */
export function openBackups(platform: Platform, given: ConfigSources): BackupServices {
  const sources = { ...given, env: { ...process.env } };
  const startWorker = () => new Worker(workerUrl("workers/backup.ts"), { smol: true }) as unknown as BackupWorker;
  const copies = new CopyService({ platform, sources, startWorker });
  const made = () => copies.request();
  const targets = new TargetService(platform);
  targets.onChanged(() => copies.moved());
  const backups = new BackupService({ platform, sources, version: VERSION, startWorker, made });
  return { backups, copies, drills: new DrillService({ platform, sources, startWorker }), targets };
}

/**
 * Neutralizes what a restored database must not simply resume: running backups and sends that were due. The database is
 * not migrated first; the first start does that.
 * @returns the number of sends that may have left since the backup
 */
export function prepareRestored(database: string, { migrations }: Pick<Head, "migrations">, clock: Clock): number {
  const db = openDb(database, "full");
  try {
    if (migrations.includes("0011_backup")) forgetRunning(db);
    return migrations.includes("0003_outbound") ? markDueSendsSubmitted(db, clock.now()) : 0;
  } finally {
    db.close();
  }
}
