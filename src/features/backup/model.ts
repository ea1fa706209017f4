import { type Static, Type } from "@sinclair/typebox";
import { HOUR_STEPS, SCHEDULE_KINDS } from "../../backup/schedule.ts";
import { Nullable, OneOf, Timestamp } from "../../http/schema.ts";

const TIME_OF_DAY = "^([01]\\d|2[0-3]):[0-5]\\d$";

/** When backups are made. Each kind uses some of the fields. */
const ScheduleView = Type.Object({
  every: OneOf(SCHEDULE_KINDS),
  hours: Type.Integer(),
  time: Type.String(),
  weekday: Type.Integer({ description: "0 is Sunday." }),
  cron: Type.String(),
  timezone: Type.String(),
});

export const NewSchedule = Type.Object(
  {
    every: OneOf(SCHEDULE_KINDS),
    hours: Type.Optional(Type.Union(HOUR_STEPS.map((hours) => Type.Literal(hours)))),
    time: Type.Optional(Type.String({ pattern: TIME_OF_DAY })),
    weekday: Type.Optional(Type.Integer({ minimum: 0, maximum: 6 })),
    cron: Type.Optional(Type.String({ maxLength: 200 })),
  },
  { $id: "NewBackupSchedule" },
);
export type NewSchedule = Static<typeof NewSchedule>;

export const BackupSettingsPatch = Type.Object(
  {
    schedule: Type.Optional(NewSchedule),
    folder: Type.Optional(Nullable(Type.String({ description: "Absolute path; null: the default folder." }))),
    keep: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
    incrementals: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
  },
  { $id: "BackupSettingsPatch" },
);
export type BackupSettingsPatch = Static<typeof BackupSettingsPatch>;

export const SchedulePreview = Type.Object(
  { next: Type.Array(Timestamp(), { description: "The next three backups; empty: none." }) },
  { $id: "BackupSchedulePreview" },
);

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

const BackupProgress = Type.Object({
  done: Type.Integer({ description: "Bytes." }),
  total: Type.Integer({ description: "Estimated bytes; 0 while the backup starts." }),
});

/** The continuous copy in the chosen place. */
const Continuous = Type.Object({
  standby: Type.Boolean({ description: "Whether another machine may take over." }),
  lease: OneOf(["held", "none", "waiting", "taken_over"]),
  holder: Nullable(Type.Object({ name: Type.String(), since: Timestamp() })),
  lease_error: Nullable(Type.String()),
  last: Nullable(Timestamp()),
  since: Nullable(Timestamp()),
  lag_seconds: Type.Integer({ description: "Age of the oldest change that is not there; 0: none." }),
  failing_since: Nullable(Timestamp()),
  error: Nullable(Type.String({ description: "Why the last attempt failed." })),
  base: Nullable(Type.Object({ at: Timestamp(), bytes: Type.Integer() }, { description: "The last complete copy." })),
  base_progress: Nullable(BackupProgress),
  drill: Nullable(
    Type.Object(
      { at: Timestamp(), seconds: Type.Number(), ok: Type.Boolean(), error: Nullable(Type.String()) },
      { description: "The last test restore." },
    ),
  ),
  next_drill_at: Nullable(Timestamp()),
});

/** The copies in the chosen place. */
const Elsewhere = Type.Object({
  place: Type.String({ description: "`s3://BUCKET/PREFIX`, `sftp://USER@HOST/PATH` or the path of a folder." }),
  restore: Type.Array(Type.String(), {
    description: "Commands that restore the copies elsewhere, without the secret.",
  }),
  sending: Nullable(BackupProgress),
  copies: Type.Integer({ description: "Backups that are completely there." }),
  pending: Type.Integer({ description: "Backups that are still to be sent." }),
  lag_seconds: Type.Integer({ description: "Age of the oldest backup that is still to be sent; 0: none." }),
  last: Nullable(Type.Object({ sent_at: Timestamp(), made_at: Timestamp(), bytes: Type.Integer() })),
  failing_since: Nullable(Timestamp()),
  error: Nullable(Type.String({ description: "Why the last attempt failed." })),
  warning: Nullable(Type.String({ description: "Something unexpected that was repaired." })),
  kept_objects: Type.Integer({ description: "Old objects that the store does not delete yet, because of a lock." }),
  requests: Type.Object(
    { calls: Type.Integer(), bytes_out: Type.Integer(), bytes_in: Type.Integer() },
    { description: "Requests of the last 30 days." },
  ),
  continuous: Nullable(Continuous),
});

const TARGET_KINDS = ["off", "s3", "sftp", "folder"] as const;
/** How Postroom signs in to a server with SSH. */
const SIGN_INS = ["key", "password"] as const;

const PEM_CHARS = 100_000;
const text = (maxLength: number, description?: string) =>
  Type.Optional(Type.String({ maxLength, ...(description ? { description } : {}) }));

/** Where copies are sent. Each kind uses some of the fields; an absent one stays as it is. */
export const NewTarget = Type.Object(
  {
    kind: OneOf(TARGET_KINDS),
    folder: text(1_000, "Absolute path."),
    bucket: text(100),
    prefix: text(500),
    endpoint: text(500, "Address of the store; empty: Amazon S3."),
    region: text(64),
    access_key_id: text(200),
    secret_access_key: text(500),
    path_style: Type.Optional(Type.Boolean()),
    ca: text(PEM_CHARS, "PEM text of additional certificate authorities."),
    host: text(255),
    port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535 })),
    user: text(200),
    path: text(1_000, "Absolute, or `~/…` in the home folder of the user."),
    sign_in: Type.Optional(OneOf(SIGN_INS)),
    password: text(1_000),
    key: text(PEM_CHARS, "Text of the private key."),
    key_passphrase: text(1_000),
    host_key: text(60, "Fingerprint of the host key; empty: the test shows it."),
  },
  { $id: "NewBackupTarget" },
);
export type NewTarget = Static<typeof NewTarget>;

/** The place of the copies, without secrets. */
export const TargetView = Type.Object({
  kind: OneOf(TARGET_KINDS),
  folder: Type.String(),
  bucket: Type.String(),
  prefix: Type.String(),
  endpoint: Type.String(),
  region: Type.String(),
  access_key_id: Type.String({ description: "Empty also if the configuration sets it." }),
  path_style: Type.Boolean(),
  ca: Type.String({ description: "Empty also if the configuration sets it." }),
  host: Type.String(),
  port: Type.Integer(),
  user: Type.String(),
  path: Type.String(),
  sign_in: OneOf(SIGN_INS),
  host_key: Type.String(),
  has_secret: Type.Boolean({ description: "True if a secret, private key or password is stored for this kind." }),
  configured: Type.Array(Type.String(), {
    description:
      "Settings that the configuration sets, so that they cannot be changed here, such as `backup.s3.region`.",
  }),
});
export type TargetView = Static<typeof TargetView>;

export const TargetTest = Type.Object(
  {
    conditional_writes: Type.Boolean({
      description: "True if the place checks conditions of writes. A standby needs this.",
    }),
    deletes: Type.Boolean({ description: "False if the place keeps deleted objects, for example because of a lock." }),
    copies: Type.Integer({ description: "Backups of this installation that are already there." }),
  },
  { $id: "BackupTargetTest" },
);
export type TargetTest = Static<typeof TargetTest>;

export const BackupStatus = Type.Object(
  {
    last: Nullable(BackupView),
    running: Nullable(BackupProgress),
    settings: Type.Object({
      schedule: ScheduleView,
      folder: Type.String({ description: "Absolute path." }),
      default_folder: Type.Boolean({ description: "True for `backups` in the data folder." }),
      keep: Type.Integer(),
      incrementals: Type.Integer(),
    }),
    configured: Type.Object(
      { schedule: Type.Boolean(), folder: Type.Boolean(), keep: Type.Boolean(), incrementals: Type.Boolean() },
      { description: "Settings that the configuration sets, so that they cannot be changed here." },
    ),
    next_at: Nullable(Timestamp()),
    free_bytes: Nullable(Type.Integer({ description: "On the drive of the folder; null if the folder is missing." })),
    folder_fault: Nullable(Type.String({ description: "Why the next backup cannot be written to the folder." })),
    recovery_key: Type.Boolean({ description: "True if the recovery key can open backups, not only the master key." }),
    imported_mailboxes: Type.Integer({ description: "Mailboxes whose mail is on no mail server." }),
    files: Type.Array(BackupView),
    elsewhere: Nullable(Elsewhere),
    target: TargetView,
  },
  { $id: "BackupStatus" },
);
export type BackupStatus = Static<typeof BackupStatus>;
