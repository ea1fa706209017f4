import { type Static, Type } from "@sinclair/typebox";
import { Nullable, OneOf, Timestamp } from "../../http/schema.ts";

/** One backup, finished or not. */
export const BackupView = Type.Object(
  {
    id: Type.String(),
    state: OneOf(["running", "done", "failed"]),
    kind: OneOf(["full", "incremental"]),
    file: Type.String({ description: "Absolute path." }),
    bytes: Type.Integer(),
    rows: Type.Integer(),
    files: Type.Integer(),
    error: Nullable(Type.String()),
    started_at: Timestamp(),
    ended_at: Nullable(Timestamp()),
    present: Type.Boolean({ description: "The file is still there." }),
  },
  { $id: "Backup" },
);
export type BackupView = Static<typeof BackupView>;

export const BackupStatus = Type.Object(
  {
    last: Nullable(BackupView),
    running: Nullable(
      Type.Object({
        done: Type.Integer({ description: "Bytes." }),
        total: Type.Integer({ description: "Bytes, an estimate; 0 while it begins." }),
      }),
    ),
    schedule: Type.String({ description: "A cron expression in UTC; empty: none." }),
    next_at: Nullable(Timestamp()),
    keep: Type.Integer(),
    incrementals: Type.Integer(),
    target: Type.String({ description: "Folder that backups are made in." }),
    recovery_key: Type.Boolean({ description: "Backups open with the recovery key, not only with the master key." }),
    files: Type.Array(BackupView),
  },
  { $id: "BackupStatus" },
);
export type BackupStatus = Static<typeof BackupStatus>;
