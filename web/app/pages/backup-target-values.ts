import type { BackupTarget, NewBackupTarget } from "../api/machine.ts";
import type { Faults } from "../state/form.ts";

export type Kind = BackupTarget["kind"];

export interface Values {
  kind: Kind;
  folder: string;
  preset: string;
  bucket: string;
  prefix: string;
  endpoint: string;
  region: string;
  access_key_id: string;
  /** "": keep the stored one. */
  secret_access_key: string;
  path_style: boolean;
  ca: string;
}

interface Preset {
  value: string;
  label: string;
  /** Capital letters are to be replaced. */
  endpoint: string;
  region: string;
  path_style: boolean;
  /** Recognizes a stored endpoint. */
  matches: RegExp;
  hint: string;
}

export const AMAZON = "amazon";
const OTHER = "other";
const B2_HOST = /s3\.([a-z0-9-]+)\.backblazeb2\.com/i;

export const PRESETS: readonly Preset[] = [
  {
    value: "minio",
    label: "MinIO",
    endpoint: "http://nas.lan:9000",
    region: "us-east-1",
    path_style: true,
    matches: /:9000$/,
    hint: "The address of your server, with the port of its API, usually 9000. The port of its web console does not work.",
  },
  {
    value: "garage",
    label: "Garage",
    endpoint: "http://nas.lan:3900",
    region: "garage",
    path_style: true,
    matches: /:3900$/,
    hint: "The address of your server, with the port of its S3 API, usually 3900. The region is s3_region of its configuration.",
  },
  {
    value: "ceph",
    label: "Ceph (RADOS Gateway)",
    endpoint: "http://nas.lan:7480",
    region: "us-east-1",
    path_style: true,
    matches: /:7480$/,
    hint: "The address of your gateway, with its port, usually 7480.",
  },
  {
    value: "b2",
    label: "Backblaze B2",
    endpoint: "https://s3.REGION.backblazeb2.com",
    region: "",
    path_style: true,
    matches: B2_HOST,
    hint: "Backblaze shows the endpoint with the bucket. The key must be an application key, not the master key.",
  },
  {
    value: "r2",
    label: "Cloudflare R2",
    endpoint: "https://ACCOUNT.r2.cloudflarestorage.com",
    region: "auto",
    path_style: true,
    matches: /\.r2\.cloudflarestorage\.com/i,
    hint: "Cloudflare shows the endpoint, with the ID of your account, when you create an R2 token.",
  },
  {
    value: AMAZON,
    label: "Amazon S3",
    endpoint: "",
    region: "us-east-1",
    path_style: false,
    matches: /^$/,
    hint: "",
  },
  {
    value: OTHER,
    label: "Another S3-compatible store",
    endpoint: "",
    region: "us-east-1",
    path_style: true,
    matches: /./,
    hint: "The address of the store. http:// works only in your own network.",
  },
];

/** Returns the fields that a preset fills. */
export function filledBy(preset: Preset): Pick<Values, "preset" | "endpoint" | "region" | "path_style"> {
  const { value, endpoint, region, path_style } = preset;
  return { preset: value, endpoint, region, path_style };
}

/** Returns the region that an endpoint names; null if it names none. */
export function regionIn(endpoint: string): string | null {
  const region = B2_HOST.exec(endpoint)?.[1];
  return region === undefined || region === "REGION" ? null : region.toLowerCase();
}

export function valuesOf(target: BackupTarget): Values {
  const { kind, folder, bucket, prefix, endpoint, region, access_key_id, path_style, ca } = target;
  const isNew = kind !== "s3" && endpoint === "";
  const preset = isNew ? OTHER : PRESETS.find(({ matches }) => matches.test(endpoint))!.value;
  const all = {
    folder,
    preset,
    bucket,
    prefix,
    endpoint,
    region,
    access_key_id,
    secret_access_key: "",
    path_style,
    ca,
  };
  return { kind, ...all };
}

/** Returns the request for these values, without what the configuration sets or does not change. */
export function bodyOf(values: Values, { configured }: BackupTarget): NewBackupTarget {
  const { kind, folder, bucket, prefix, endpoint, region, access_key_id, secret_access_key, path_style, ca } = values;
  if (kind === "off") return { kind };
  if (kind === "folder") return { kind, folder: folder.trim() };
  const own = <T extends object>(key: string, field: T) => (configured.includes(`backup.s3.${key}`) ? {} : field);
  return {
    kind,
    bucket: bucket.trim(),
    prefix: prefix.trim(),
    ...own("endpoint", { endpoint: values.preset === AMAZON ? "" : endpoint.trim() }),
    ...own("region", { region: region.trim() }),
    ...own("access_key_id", { access_key_id: access_key_id.trim() }),
    ...own("secret_access_key", secret_access_key === "" ? {} : { secret_access_key }),
    ...own("path_style", { path_style }),
    ...own("ca_file", { ca: ca.trim() }),
  };
}

/** Returns whether the stored secret belongs to the access key in the form. */
export function keepsSecret({ access_key_id }: Values, target: BackupTarget): boolean {
  return target.has_secret && access_key_id.trim() === target.access_key_id;
}

export function faultsOf(values: Values, target: BackupTarget): Faults {
  const { kind, folder, preset, bucket, endpoint, region, access_key_id, secret_access_key } = values;
  const faults: Faults = {};
  if (kind === "folder" && folder.trim() === "")
    faults.folder = "Enter the path of a folder, such as /mnt/nas/postroom.";
  if (kind !== "s3") return faults;
  const own = (key: string) => !target.configured.includes(`backup.s3.${key}`);
  if (own("endpoint") && preset !== AMAZON && endpoint.trim() === "")
    faults.endpoint = "Enter the address of the store.";
  if (own("region") && region.trim() === "") faults.region = "Enter the region of the bucket.";
  if (bucket.trim() === "") faults.bucket = "Enter the name of the bucket.";
  if (own("access_key_id") && access_key_id.trim() === "") faults.access_key_id = "Enter the ID of the access key.";
  if (own("secret_access_key") && secret_access_key === "" && !keepsSecret(values, target)) {
    faults.secret_access_key = "Enter the secret of the access key.";
  }
  return faults;
}
