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
  host: string;
  port: string;
  user: string;
  path: string;
  sign_in: BackupTarget["sign_in"];
  /** "": keep the stored one, also for the private key. */
  password: string;
  key: string;
  key_passphrase: string;
  host_key: string;
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
  const { has_secret, configured, port, ...shown } = target;
  const isNew = shown.kind !== "s3" && shown.endpoint === "";
  const preset = isNew ? OTHER : PRESETS.find(({ matches }) => matches.test(shown.endpoint))!.value;
  const secrets = { secret_access_key: "", password: "", key: "", key_passphrase: "" };
  return { ...shown, ...secrets, preset, port: String(port) };
}

/** Returns the request for these values, without what the configuration sets or does not change. */
export function bodyOf(values: Values, { configured }: BackupTarget): NewBackupTarget {
  const { kind, folder, bucket, prefix, endpoint, region, access_key_id, secret_access_key, path_style, ca } = values;
  if (kind === "off") return { kind };
  if (kind === "folder") return { kind, folder: folder.trim() };
  if (kind === "sftp") return serverBody(values, configured);
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

function serverBody(values: Values, configured: readonly string[]): NewBackupTarget {
  const { host, port, user, path, sign_in, password, key, key_passphrase, host_key } = values;
  const own = <T extends object>(name: string, field: T) => (configured.includes(`backup.sftp.${name}`) ? {} : field);
  const byConfiguration = ["password", "key_file"].some((name) => configured.includes(`backup.sftp.${name}`));
  const secret =
    sign_in === "password"
      ? { ...(password === "" ? {} : { password }) }
      : {
          ...(key.trim() === "" ? {} : { key }),
          ...(key_passphrase === "" ? {} : own("key_passphrase", { key_passphrase })),
        };
  return {
    kind: "sftp",
    host: host.trim(),
    port: Number(port),
    user: user.trim(),
    path: path.trim(),
    sign_in,
    ...(byConfiguration ? {} : secret),
    ...own("host_key", { host_key: host_key.trim() }),
  };
}

/** Returns whether the stored secret belongs to the access key in the form. */
export function keepsSecret({ access_key_id }: Values, target: BackupTarget): boolean {
  return target.kind === "s3" && target.has_secret && access_key_id.trim() === target.access_key_id;
}

/** Returns whether the stored key or password belongs to the server and the user in the form. */
export function keepsLogin({ host, port, user, sign_in }: Values, target: BackupTarget): boolean {
  const same = host.trim().toLowerCase() === target.host && port === String(target.port) && user.trim() === target.user;
  return target.kind === "sftp" && target.has_secret && same && sign_in === target.sign_in;
}

export function faultsOf(values: Values, target: BackupTarget): Faults {
  const { kind, folder, preset, bucket, endpoint, region, access_key_id, secret_access_key } = values;
  const faults: Faults = {};
  if (kind === "folder" && folder.trim() === "")
    faults.folder = "Enter the path of a folder, such as /mnt/nas/postroom.";
  if (kind === "sftp") return serverFaults(values, target);
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

function serverFaults(values: Values, target: BackupTarget): Faults {
  const { host, port, user, path, sign_in, password, key } = values;
  const faults: Faults = {};
  if (host.trim() === "") faults.host = "Enter the name or address of the server.";
  if (!/^\d+$/.test(port.trim()) || Number(port) < 1 || Number(port) > 65_535) {
    faults.port = "Enter a number from 1 to 65535.";
  }
  if (user.trim() === "") faults.user = "Enter the name of the user on the server.";
  if (path.trim() === "") faults.path = "Enter the path of a folder on the server.";
  const configured = ["password", "key_file"].some((name) => target.configured.includes(`backup.sftp.${name}`));
  if (configured || keepsLogin(values, target)) return faults;
  if (sign_in === "key" && key.trim() === "") faults.key = "Paste the private key.";
  if (sign_in === "password" && password === "") faults.password = "Enter the password of the user.";
  return faults;
}

/** Returns the place as people write it. */
export function placeOf({ kind, folder, bucket, prefix, host, user, path }: BackupTarget): string {
  switch (kind) {
    case "off":
      return "Off";
    case "folder":
      return folder;
    case "sftp":
      return `sftp://${user}@${host}${path.startsWith("/") ? path : `/${path}`}`;
    case "s3":
      return `s3://${bucket}${prefix === "" ? "" : `/${prefix}`}`;
  }
}
