import { existsSync, readFileSync } from "node:fs";
import type { Clock } from "../../kernel/clock.ts";
import { UserError } from "../../kernel/errors.ts";
import type { Config } from "../config/load.ts";
import { readCaFile } from "../egress/ca-file.ts";
import type { StoreCallRecorder } from "../ledger/store-calls.ts";
import { FolderStore } from "./folder-store.ts";
import type { SftpPlace, StorePlace } from "./place.ts";
import {
  configuredSettings,
  endpointOf,
  type PlaceSettings,
  type S3Settings,
  type SftpSettings,
} from "./place-settings.ts";
import { S3Store } from "./s3-store.ts";
import { SftpStore } from "./sftp-store.ts";
import type { ObjectStore } from "./store.ts";

interface OpenOptions {
  clock: Clock;
  /** Null when there is no database to record requests in. */
  calls: StoreCallRecorder | null;
  signal?: AbortSignal;
  /** For callers that cannot wait long. */
  patience?: { attempts: number; timeoutMs: number };
}

export interface OpenStoreOptions extends OpenOptions {
  config: Pick<Config, "get">;
}

/**
 * Opens a place with the settings `backup.s3.*` or `backup.sftp.*` of the configuration.
 * @throws UserError if one is missing
 */
export function openStore(place: StorePlace, { config, ...options }: OpenStoreOptions): ObjectStore {
  return openPlace(place, configuredSettings(config), options);
}

/** Opens a place. @throws UserError if a setting is missing */
export function openPlace(place: StorePlace, settings: PlaceSettings, options: OpenOptions): ObjectStore {
  switch (place.kind) {
    case "folder":
      return new FolderStore(place.path, options.clock);
    case "s3":
      return openBucket(place, settings.s3, options);
    case "sftp":
      return openSftp(place, settings.sftp, options);
  }
}

function openSftp(place: SftpPlace, settings: SftpSettings, options: OpenOptions): ObjectStore {
  const { password, key_file, key, key_passphrase, host_key } = settings;
  if (password === "" && key_file === "" && key === "") {
    throw new UserError("Set backup.sftp.key_file or backup.sftp.password to use a place over SFTP.");
  }
  return new SftpStore({
    place,
    login: { password, key: key || readKeyFile(key_file), passphrase: key_passphrase },
    hostKey: host_key,
    ...options,
  });
}

/** @throws UserError */
function readKeyFile(path: string): string | null {
  if (path === "") return null;
  if (!existsSync(path)) throw new UserError(`backup.sftp.key_file names a file that does not exist: ${path}`);
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UserError(`backup.sftp.key_file cannot be read: ${path} (${code}).`);
  }
}

function openBucket(
  { bucket, prefix }: Extract<StorePlace, { kind: "s3" }>,
  settings: S3Settings,
  options: OpenOptions,
): ObjectStore {
  const { region, access_key_id, secret_access_key, path_style, ca_file, ca } = settings;
  if (access_key_id === "" || secret_access_key === "") {
    throw new UserError(
      "Set backup.s3.access_key_id and backup.s3.secret_access_key to use a place in S3, in the configuration or as POSTROOM_BACKUP_S3_ACCESS_KEY_ID and POSTROOM_BACKUP_S3_SECRET_ACCESS_KEY_FILE.",
    );
  }
  return new S3Store({
    bucket,
    prefix,
    endpoint: endpointOf(settings),
    region,
    access_key_id,
    secret_access_key,
    path_style,
    ca: ca || readCaFile("backup.s3.ca_file", ca_file),
    ...options,
  });
}
