import type { Config } from "../config/load.ts";
import type { OptionKey } from "../config/table.ts";

/** A setting that decides where a place is and who may use it. */
export type PlaceSetting = Extract<OptionKey, "backup.to" | `backup.${"s3" | "sftp"}.${string}`>;

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

/** How a server with SSH is reached. */
export interface SftpSettings {
  password: string;
  /** Private key: a file, or its text; "" for none. */
  key_file: string;
  key: string;
  /** "" if the private key is not encrypted. */
  key_passphrase: string;
  /** "SHA256:…"; "" if no one has confirmed it yet. */
  host_key: string;
}

/** How each kind of place is reached. A folder needs nothing. */
export interface PlaceSettings {
  s3: S3Settings;
  sftp: SftpSettings;
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
    sftp: {
      password: config.get("backup.sftp.password").replace(/\r?\n$/, ""),
      key_file: config.get("backup.sftp.key_file"),
      key: "",
      key_passphrase: config.get("backup.sftp.key_passphrase"),
      host_key: config.get("backup.sftp.host_key"),
    },
  };
}

/** Returns the address of a store. */
export function endpointOf({ endpoint, region }: Pick<S3Settings, "endpoint" | "region">): string {
  return endpoint || `https://s3.${region}.amazonaws.com`;
}
