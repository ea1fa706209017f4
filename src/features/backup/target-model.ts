import { type Static, Type } from "@sinclair/typebox";
import { OneOf } from "../../http/schema.ts";

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
