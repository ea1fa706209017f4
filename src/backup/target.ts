import { UserError } from "../kernel/errors.ts";
import { OPTIONS, type OptionKey } from "../platform/config/table.ts";
import { openPlace } from "../platform/objects/open.ts";
import { parsePlace, type SftpPlace, type StorePlace, sftpText } from "../platform/objects/place.ts";
import {
  configuredSettings,
  endpointOf,
  type PlaceSettings,
  type S3Settings,
  type SftpSettings,
} from "../platform/objects/place-settings.ts";
import { type ObjectStore, StoreFault } from "../platform/objects/store.ts";
import type { Platform } from "../platform/platform.ts";
import type { ChosenFolder } from "./folder.ts";

/** The place has backups of another installation. */
export class OtherInstallation extends StoreFault {}

/** Key of the row of `settings`. */
export const TARGET_SETTING = "backup.target";

/** A place for copies as the owner chose it on the settings page. */
export type ChosenTarget =
  | ({ kind: "s3"; bucket: string; prefix: string } & Omit<S3Settings, "ca_file">)
  | (SftpPlace & Omit<SftpSettings, "key_file">)
  | ({ kind: "folder" } & ChosenFolder);

/** The place to which copies are sent, with all that is needed to use it. */
export interface BackupTarget extends PlaceSettings {
  place: StorePlace;
  /** As in `backup.to`: "s3://bucket/prefix", "sftp://user@host/path" or the path of a folder. */
  text: string;
  /** Distinguishes places, also those with equal names at different endpoints. */
  id: string;
  /** Where the drive of a folder was mounted when it was chosen; null if that is not known. */
  mount: string | null;
}

type Base = Pick<Platform, "config" | "db" | "grants" | "keyring">;

/**
 * Returns the place to which copies are sent: that of the configuration, else that of the settings page. Null if there
 * is none. If `backup.to` is not set, the configuration can still set parts of the place, such as its credentials.
 */
export function backupTarget(platform: Base): BackupTarget | null {
  return effectiveTarget(platform.config, isConfigured(platform, "backup.to") ? null : storedTarget(platform));
}

interface OpenTargetOptions {
  signal?: AbortSignal;
  /** As `backupTarget` returned it before, if it must not change meanwhile. */
  target?: BackupTarget | null;
  /** For callers that cannot wait long. */
  patience?: { attempts: number; timeoutMs: number };
}

/**
 * Opens the place to which copies are sent.
 * @throws UserError if there is no place, or a setting is missing
 */
export function openTarget(
  platform: Base & Pick<Platform, "clock" | "storeCalls">,
  { target = backupTarget(platform), ...options }: OpenTargetOptions = {},
): ObjectStore {
  if (!target) throw new UserError("No place for copies is set.");
  return openPlace(target.place, target, { clock: platform.clock, calls: platform.storeCalls, ...options });
}

/** Returns whether the configuration sets this, so that the settings page cannot. With `backup.to`, it sets all. */
export function isConfigured({ config }: Pick<Base, "config">, key: OptionKey): boolean {
  return config.isSet("backup.to") || config.isSet(key);
}

/** Returns what was chosen on the settings page, whether or not it applies. */
export function storedTarget({ db, grants, keyring }: Omit<Base, "config">): ChosenTarget | null {
  const stored = db.sql
    .query<{ key: string; value: Uint8Array }, [string]>("SELECT key, value FROM settings WHERE key = ?")
    .get(TARGET_SETTING);
  const row = grants.checked("settings", stored);
  return row && keyring.system().openJson<ChosenTarget>(`settings.value:${TARGET_SETTING}`, row.value);
}

/** Settings that the page has as a text, and the configuration as a file. */
const FILES = { ca: "backup.s3.ca_file", key: "backup.sftp.key_file" } as const;

/** Returns the place that applies if this was chosen on the settings page. */
export function effectiveTarget(config: Base["config"], chosen: ChosenTarget | null): BackupTarget | null {
  const text = chosen ? textOf(chosen) : config.get("backup.to");
  const place = parsePlace(text);
  if (!place) return null;
  const settings = configuredSettings(config);
  if (chosen?.kind === "s3" || chosen?.kind === "sftp") {
    const section: Record<string, unknown> = { ...settings[chosen.kind] };
    for (const [name, value] of Object.entries(chosen)) {
      const key = name in FILES ? FILES[name as keyof typeof FILES] : `backup.${chosen.kind}.${name}`;
      if (name in section && !config.isSet(key as OptionKey)) section[name] = value;
    }
    Object.assign(settings, { [chosen.kind]: section });
  }
  const mount = chosen?.kind === "folder" ? chosen.mount : null;
  return { place, text, id: idOf(place, text, settings), mount, ...settings };
}

/** Returns the place as in `backup.to`. */
function textOf(chosen: ChosenTarget): string {
  switch (chosen.kind) {
    case "folder":
      return chosen.path;
    case "sftp":
      return sftpText(chosen);
    case "s3":
      return `s3://${chosen.bucket}${chosen.prefix === "" ? "" : `/${chosen.prefix}`}`;
  }
}

function idOf({ kind }: StorePlace, text: string, { s3 }: PlaceSettings): string {
  return kind === "s3" ? `${text} at ${new URL(endpointOf(s3)).host}` : text;
}

/** Settings of a bucket that the form begins with. */
export const NEW_S3 = {
  endpoint: "",
  region: OPTIONS["backup.s3.region"].default,
  path_style: OPTIONS["backup.s3.path_style"].default,
};
