import type { BackupStatus } from "../../../src/features/backup/model.ts";
import type { System } from "../../../src/features/system/model.ts";

/** Types of `app/api/backup` and `app/api/system`, which only the owner can call. */
export type {
  BackupStatus,
  NewSchedule as BackupSchedule,
  NewTarget as NewBackupTarget,
  TargetTest as BackupTargetTest,
} from "../../../src/features/backup/model.ts";
export type BackupTarget = BackupStatus["target"];
export type SystemState = System;
export type Finding = System["findings"][number];
