import { existsSync, readFileSync } from "node:fs";
import type { Clock } from "../../kernel/clock.ts";
import { UserError } from "../../kernel/errors.ts";
import type { Config } from "../config/load.ts";
import { readCaFile } from "../egress/ca-file.ts";
import type { StoreCalls } from "../ledger/store-calls.ts";
import { FolderStore } from "./folder-store.ts";
import type { SftpPlace, StorePlace } from "./place.ts";
import { S3Store } from "./s3-store.ts";
import { SftpStore } from "./sftp-store.ts";
import type { ObjectStore } from "./store.ts";

export interface OpenStoreOptions {
  config: Pick<Config, "get">;
  clock: Clock;
  /** Null when there is no database to record requests in. */
  calls: StoreCalls | null;
  signal?: AbortSignal;
  /** For callers that cannot wait long. */
  patience?: { attempts: number; timeoutMs: number };
}

/** Opens a place with the settings `backup.s3.*` or `backup.sftp.*`. @throws UserError if one is missing */
export function openStore(place: StorePlace, options: OpenStoreOptions): ObjectStore {
  switch (place.kind) {
    case "folder":
      return new FolderStore(place.path, options.clock);
    case "s3":
      return openBucket(place, options);
    case "sftp":
      return openSftp(place, options);
  }
}

function openSftp(place: SftpPlace, { config, ...more }: OpenStoreOptions): ObjectStore {
  const password = config.get("backup.sftp.password").replace(/\r?\n$/, "");
  const keyFile = config.get("backup.sftp.key_file");
  if (password === "" && keyFile === "") {
    throw new UserError("Set backup.sftp.key_file or backup.sftp.password to use a place over SFTP.");
  }
  return new SftpStore({
    place,
    login: { password, key: readKeyFile(keyFile), passphrase: config.get("backup.sftp.key_passphrase") },
    hostKey: config.get("backup.sftp.host_key"),
    ...more,
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
  place: Extract<StorePlace, { kind: "s3" }>,
  { config, clock, calls, signal, patience }: OpenStoreOptions,
): ObjectStore {
  const region = config.get("backup.s3.region");
  const [access_key_id, secret_access_key] = [
    config.get("backup.s3.access_key_id").trim(),
    config.get("backup.s3.secret_access_key").trim(),
  ];
  if (access_key_id === "" || secret_access_key === "") {
    throw new UserError("Set backup.s3.access_key_id and backup.s3.secret_access_key to use a place in S3.");
  }
  return new S3Store({
    bucket: place.bucket,
    prefix: place.prefix,
    endpoint: config.get("backup.s3.endpoint") || `https://s3.${region}.amazonaws.com`,
    region,
    access_key_id,
    secret_access_key,
    path_style: config.get("backup.s3.path_style"),
    ca: readCaFile("backup.s3.ca_file", config.get("backup.s3.ca_file")),
    clock,
    calls,
    ...(signal ? { signal } : {}),
    ...(patience ? { patience } : {}),
  });
}
