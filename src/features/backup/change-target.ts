import { X509Certificate } from "node:crypto";
import { resolve } from "node:path";
import { checkFolder } from "../../backup/folder.ts";
import { backupSettings } from "../../backup/settings.ts";
import { type ChosenTarget, isConfigured, NEW_S3, storedTarget } from "../../backup/target.ts";
import { invalidParam, UserError } from "../../kernel/errors.ts";
import type { OptionKey } from "../../platform/config/table.ts";
import { parsePlace } from "../../platform/objects/place.ts";
import type { Platform } from "../../platform/platform.ts";
import type { NewTarget } from "./target-model.ts";

type S3Target = Extract<ChosenTarget, { kind: "s3" }>;
type S3Field = Exclude<keyof S3Target, "kind">;

/** The setting of the configuration that decides each field. */
export const SETTING_OF: Record<Exclude<keyof NewTarget, "kind">, OptionKey> = {
  folder: "backup.to",
  bucket: "backup.to",
  prefix: "backup.to",
  endpoint: "backup.s3.endpoint",
  region: "backup.s3.region",
  access_key_id: "backup.s3.access_key_id",
  secret_access_key: "backup.s3.secret_access_key",
  path_style: "backup.s3.path_style",
  ca: "backup.s3.ca_file",
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
  if (given.kind === "off") return null;
  return given.kind === "folder" ? folderOf(platform, given.folder ?? "") : bucketOf(platform, given);
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

function bucketOf(platform: Platform, given: NewTarget): ChosenTarget {
  const stored = storedTarget(platform);
  const before: Omit<S3Target, "kind"> =
    stored?.kind === "s3"
      ? stored
      : { ...NEW_S3, bucket: "", prefix: "", access_key_id: "", secret_access_key: "", ca: "" };
  const text = (field: Exclude<S3Field, "path_style">) => (given[field] ?? before[field]).trim();
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
  for (const field of Object.keys(CHECKS) as S3Field[]) {
    const fault = isConfigured(platform, SETTING_OF[field]) ? null : CHECKS[field](target);
    if (fault !== null) throw invalidParam(field, fault);
  }
  return target;
}

/** "s3.example.com" and "s3.example.com/" are "https://s3.example.com". */
function addressOf(text: string): string {
  if (text === "") return "";
  return (/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`).replace(/\/+$/, "");
}

/** For each field, what is wrong with it, as a sentence; null if nothing is. In the order of the form. */
const CHECKS: Record<S3Field, (target: S3Target) => string | null> = {
  endpoint({ endpoint }) {
    if (endpoint === "") return null;
    const [placeholder] = /REGION|ACCOUNT/.exec(endpoint) ?? [];
    if (placeholder) return `Replace ${placeholder} in the endpoint. The web console of the store shows the address.`;
    const url = URL.canParse(endpoint) ? new URL(endpoint) : null;
    if (
      !url ||
      !/^https?:$/.test(url.protocol) ||
      /[?#\s]/.test(endpoint) ||
      url.username !== "" ||
      url.password !== ""
    ) {
      return "Enter an address that begins with https://, or with http:// in your own network.";
    }
    return null;
  },
  region: ({ region }) =>
    /^[a-z0-9-]{1,64}$/i.test(region) ? null : "Enter a region, such as eu-central-1. Many stores accept us-east-1.",
  bucket({ bucket, endpoint, path_style }) {
    if (bucket === "") return "Enter the name of the bucket.";
    if (parsePlace(`s3://${bucket}`) === null || bucket.includes("/")) {
      return "The name of a bucket has lowercase letters, digits, dots and hyphens, without s3:// and slashes.";
    }
    if (bucket.includes(".") && !path_style && !endpoint.startsWith("http://")) {
      return "The certificate of the store does not include names with dots. Turn on the path style under More settings.";
    }
    return null;
  },
  prefix: ({ prefix }) =>
    prefix === "" || parsePlace(`s3://bucket/${prefix}`) !== null
      ? null
      : "A prefix has letters, digits, dots, hyphens, underscores and single slashes.",
  access_key_id: ({ access_key_id }) => (access_key_id === "" ? "Enter the ID of the access key." : null),
  secret_access_key: ({ secret_access_key }) =>
    secret_access_key === "" ? "Enter the secret of the access key." : null,
  path_style: () => null,
  ca: ({ ca }) =>
    ca === "" || isCertificate(ca) ? null : "Paste the certificate as PEM text, with its BEGIN and END lines.",
};

function isCertificate(pem: string): boolean {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  try {
    return blocks.length > 0 && blocks.every((block) => new X509Certificate(block).subject !== null);
  } catch {
    return false;
  }
}

/** @throws ApiError invalid_params */
function requireUnset(platform: Platform, field: string, key: OptionKey): void {
  if (!isConfigured(platform, key)) return;
  const set = platform.config.isSet("backup.to") ? "backup.to" : key;
  throw invalidParam(field, `The configuration sets ${set}. Change it there, or remove it from there.`);
}
