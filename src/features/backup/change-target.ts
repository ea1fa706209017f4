import { resolve } from "node:path";
import { checkFolder } from "../../backup/folder.ts";
import { backupSettings } from "../../backup/settings.ts";
import { type ChosenTarget, isConfigured, NEW_S3, storedTarget } from "../../backup/target.ts";
import { invalidParam, UserError } from "../../kernel/errors.ts";
import type { OptionKey } from "../../platform/config/table.ts";
import type { Platform } from "../../platform/platform.ts";
import type { NewTarget } from "./model.ts";
import { addressOf, homePath, S3_CHECKS, type S3Target, SFTP_CHECKS, type SftpTarget } from "./target-checks.ts";

export type TargetField = Exclude<keyof NewTarget, "kind">;

/** The setting of the configuration that decides each field. */
export const SETTING_OF: Record<TargetField, OptionKey> = {
  folder: "backup.to",
  bucket: "backup.to",
  prefix: "backup.to",
  endpoint: "backup.s3.endpoint",
  region: "backup.s3.region",
  access_key_id: "backup.s3.access_key_id",
  secret_access_key: "backup.s3.secret_access_key",
  path_style: "backup.s3.path_style",
  ca: "backup.s3.ca_file",
  host: "backup.to",
  port: "backup.to",
  user: "backup.to",
  path: "backup.to",
  sign_in: "backup.to",
  password: "backup.sftp.password",
  key: "backup.sftp.key_file",
  key_passphrase: "backup.sftp.key_passphrase",
  host_key: "backup.sftp.host_key",
};

/**
 * Checks the fields of the form and completes them with what was chosen before.
 * @returns null for no copies @throws ApiError invalid_params with the field
 */
export function targetOf(platform: Platform, given: NewTarget): ChosenTarget | null {
  requireUnset(platform, "kind", "backup.to");
  for (const [field, key] of Object.entries(SETTING_OF)) {
    if (given[field as keyof NewTarget] !== undefined) requireUnset(platform, field, key);
  }
  switch (given.kind) {
    case "off":
      return null;
    case "folder":
      return folderOf(platform, given.folder ?? "");
    case "s3":
      return bucketOf(platform, given);
    case "sftp":
      return serverOf(platform, given);
  }
}

function folderOf(platform: Platform, given: string): ChosenTarget {
  const { config } = platform;
  try {
    const folder = checkFolder(config.data_dir, given);
    if (resolve(folder.path) === resolve(backupSettings(platform).folder)) {
      throw new UserError(
        "The backups themselves are in this folder, so both would be lost together. Choose a folder on another machine or drive.",
      );
    }
    return { kind: "folder", ...folder };
  } catch (error) {
    throw error instanceof UserError ? invalidParam("folder", error.message) : error;
  }
}

const NEW_BUCKET = { ...NEW_S3, bucket: "", prefix: "", access_key_id: "", secret_access_key: "", ca: "" };

function bucketOf(platform: Platform, given: NewTarget): S3Target {
  const stored = storedTarget(platform);
  const before: Omit<S3Target, "kind"> = stored?.kind === "s3" ? stored : NEW_BUCKET;
  const text = (field: Exclude<keyof S3Target, "kind" | "path_style">) => (given[field] ?? before[field]).trim();
  const target: S3Target = {
    kind: "s3",
    bucket: text("bucket"),
    prefix: text("prefix").replace(/^\/+|\/+$/g, ""),
    endpoint: addressOf(text("endpoint")),
    region: text("region"),
    access_key_id: text("access_key_id"),
    secret_access_key: text("secret_access_key"),
    path_style: given.path_style ?? before.path_style,
    ca: text("ca"),
  };
  // A secret belongs to its access key.
  const otherKey = target.access_key_id !== before.access_key_id && !isConfigured(platform, SETTING_OF.access_key_id);
  if (given.secret_access_key === undefined && otherKey) target.secret_access_key = "";
  requireValid(platform, S3_CHECKS, target);
  return target;
}

const NEW_SERVER = { host: "", port: 22, user: "", path: "", password: "", key: "", key_passphrase: "", host_key: "" };

function serverOf(platform: Platform, given: NewTarget): SftpTarget {
  const stored = storedTarget(platform);
  const before: Omit<SftpTarget, "kind"> = stored?.kind === "sftp" ? stored : NEW_SERVER;
  const text = (field: "host" | "user" | "host_key") => (given[field] ?? before[field]).trim();
  const login = { host: text("host").toLowerCase(), port: given.port ?? before.port, user: text("user") };
  // Another server must not receive the password of this one.
  const known = login.host === before.host && login.port === before.port && login.user === before.user;
  const secrets = known ? before : NEW_SERVER;
  const byKey = (given.sign_in ?? (secrets.password === "" ? "key" : "password")) === "key";
  const key = given.key === undefined ? secrets.key : given.key.trim();
  const target: SftpTarget = {
    kind: "sftp",
    ...login,
    path: given.path === undefined ? before.path : homePath(given.path.trim()),
    password: byKey ? "" : (given.password ?? secrets.password),
    // The format of OpenSSH ends with a line break.
    key: byKey && key !== "" ? `${key}\n` : "",
    key_passphrase: byKey ? (given.key_passphrase ?? (given.key === undefined ? secrets.key_passphrase : "")) : "",
    host_key: text("host_key"),
  };
  if (given.key === undefined) target.key = byKey ? secrets.key : "";
  requireValid(platform, SFTP_CHECKS(byKey), target);
  return target;
}

/** @throws ApiError invalid_params with the first field that is wrong */
function requireValid<T extends object>(
  platform: Platform,
  checks: Partial<Record<TargetField, (target: T) => string | null>>,
  target: T,
): void {
  for (const [field, check] of Object.entries(checks) as [TargetField, (target: T) => string | null][]) {
    const fault = isConfigured(platform, SETTING_OF[field]) ? null : check(target);
    if (fault !== null) throw invalidParam(field, fault);
  }
}

/** @throws ApiError invalid_params */
function requireUnset(platform: Platform, field: string, key: OptionKey): void {
  if (!isConfigured(platform, key)) return;
  const set = platform.config.isSet("backup.to") ? "backup.to" : key;
  throw invalidParam(field, `The configuration sets ${set}. Change it there, or remove it from there.`);
}
