import type { Clock } from "../../kernel/clock.ts";
import { UserError } from "../../kernel/errors.ts";
import type { Config } from "../config/load.ts";
import { readCaFile } from "../egress/ca-file.ts";
import type { StoreCalls } from "../ledger/store-calls.ts";
import { FolderStore } from "./folder-store.ts";
import type { StorePlace } from "./place.ts";
import { S3Store } from "./s3-store.ts";
import type { ObjectStore } from "./store.ts";

/** How a bucket is reached. */
export interface S3Settings {
  /** "": Amazon S3 in the region. */
  endpoint: string;
  region: string;
  access_key_id: string;
  secret_access_key: string;
  path_style: boolean;
  /** Additional certificate authorities: a PEM file, or the PEM text itself; "" for none. */
  ca_file: string;
  ca: string;
}

/** How each kind of place is reached. A folder needs nothing. */
export interface PlaceSettings {
  s3: S3Settings;
}

interface OpenOptions {
  clock: Clock;
  /** Null when there is no database to record requests in. */
  calls: StoreCalls | null;
  signal?: AbortSignal;
  /** Gives up soon, because a person waits. */
  impatient?: boolean;
}

export interface OpenStoreOptions extends OpenOptions {
  config: Pick<Config, "get">;
}

const IMPATIENT = { attempts: 2, timeoutMs: 10_000 };

/** Opens a place with the settings `backup.s3.*` of the configuration. @throws UserError if one is missing */
export function openStore(place: StorePlace, { config, ...options }: OpenStoreOptions): ObjectStore {
  return openPlace(place, configuredSettings(config), options);
}

/** Returns how places are reached according to the configuration. */
export function configuredSettings(config: Pick<Config, "get">): PlaceSettings {
  return {
    s3: {
      endpoint: config.get("backup.s3.endpoint"),
      region: config.get("backup.s3.region"),
      access_key_id: config.get("backup.s3.access_key_id").trim(),
      secret_access_key: config.get("backup.s3.secret_access_key").trim(),
      path_style: config.get("backup.s3.path_style"),
      ca_file: config.get("backup.s3.ca_file"),
      ca: "",
    },
  };
}

/** Opens a place. @throws UserError if a setting is missing */
export function openPlace(place: StorePlace, { s3 }: PlaceSettings, options: OpenOptions): ObjectStore {
  const { impatient, ...more } = options;
  if (place.kind === "folder") return new FolderStore(place.path, more.clock);
  const { endpoint, ca_file, ca, ...access } = s3;
  if (access.access_key_id === "" || access.secret_access_key === "") {
    throw new UserError(
      "To use a place in S3, set an access key and its secret (backup.s3.access_key_id, backup.s3.secret_access_key).",
    );
  }
  return new S3Store({
    ...access,
    ...more,
    ...(impatient ? IMPATIENT : {}),
    bucket: place.bucket,
    prefix: place.prefix,
    endpoint: endpointOf(s3),
    ca: ca || readCaFile("backup.s3.ca_file", ca_file),
  });
}

/** Returns the address of a store. */
export function endpointOf({ endpoint, region }: Pick<S3Settings, "endpoint" | "region">): string {
  return endpoint || `https://s3.${region}.amazonaws.com`;
}
