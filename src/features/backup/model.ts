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
    present: Type.Boolean({ description: "True if the file still exists." }),
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
        total: Type.Integer({ description: "Estimated bytes; 0 while the backup starts." }),
      }),
    ),
    schedule: Type.String({ description: "A cron expression in UTC; empty: no scheduled backups." }),
    next_at: Nullable(Timestamp()),
    keep: Type.Integer(),
    incrementals: Type.Integer(),
    target: Type.String({ description: "Folder for backups." }),
    recovery_key: Type.Boolean({ description: "True if the recovery key can open backups, not only the master key." }),
    imported_mailboxes: Type.Integer({ description: "Mailboxes whose mail is on no mail server." }),
    files: Type.Array(BackupView),
  },
  { $id: "BackupStatus" },
);
export type BackupStatus = Static<typeof BackupStatus>;
