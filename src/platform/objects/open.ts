import type { Clock } from "../../kernel/clock.ts";
import { UserError } from "../../kernel/errors.ts";
import type { Config } from "../config/load.ts";
import { readCaFile } from "../egress/ca-file.ts";
import type { StoreCalls } from "../ledger/store-calls.ts";
import { FolderStore } from "./folder-store.ts";
import type { StorePlace } from "./place.ts";
import { S3Store } from "./s3-store.ts";
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

/** Opens a place with the settings `backup.s3.*`. @throws UserError if one is missing */
export function openStore(
  place: StorePlace,
  { config, clock, calls, signal, patience }: OpenStoreOptions,
): ObjectStore {
  if (place.kind === "folder") return new FolderStore(place.path, clock);
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
