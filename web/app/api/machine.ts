import type { System } from "../../../src/features/system/model.ts";

/** The machine itself, for its owner: `app/api/backup` and `app/api/system`. */
export type { BackupStatus, BackupView } from "../../../src/features/backup/model.ts";
export type SystemState = System;
export type Finding = System["findings"][number];
