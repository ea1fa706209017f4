import type { Actor } from "../platform/ledger/audit.ts";
import { endpointOf } from "../platform/objects/place-settings.ts";
import type { Platform } from "../platform/platform.ts";
import { type BackupTarget, backupTarget, type ChosenTarget, storedTarget, TARGET_SETTING } from "./target.ts";

/** Changes the place to which copies are sent. A change applies without a restart. */
export class TargetService {
  readonly #listeners: (() => void)[] = [];

  constructor(private readonly platform: Platform) {}

  /** Calls `listener` after each change of the place or of what is needed to use it, once the change is stored. */
  onChanged(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /**
   * Stores what was chosen on the settings page, sealed; null for no copies. It is in the register of grants, because it
   * decides where copies of all mail are sent. Call it in the transaction of the change.
   */
  choose(chosen: ChosenTarget | null, by: { user_id: string; actor: Actor; request_id?: string | null }): void {
    const { db, grants, keyring, clock, audit } = this.platform;
    if (JSON.stringify(chosen) === JSON.stringify(storedTarget(this.platform))) return;
    db.write(() => {
      const before = backupTarget(this.platform);
      if (chosen) {
        const value = keyring.system().sealJson(`settings.value:${TARGET_SETTING}`, chosen);
        grants.insert("settings", { key: TARGET_SETTING, value, updated_at: clock.now() }, "replace");
      } else grants.remove("settings", { key: TARGET_SETTING });
      const after = backupTarget(this.platform);
      audit.record({
        ...by,
        action: "backup.target",
        target: null,
        before: before && shown(before),
        after: after && {
          ...shown(after),
          ...(before && newSecrets(before, after) ? { credentials: "replaced" } : {}),
        },
      });
    });
    // After the transaction has committed or rolled back.
    queueMicrotask(() => {
      for (const listener of this.#listeners) listener();
    });
  }
}

/** Returns what the audit log may show: no credentials. */
function shown({ place, text, s3, sftp }: BackupTarget) {
  if (place.kind === "sftp") return { place: text, host_key: sftp.host_key };
  if (place.kind !== "s3") return { place: text };
  const { region, path_style, ca, ca_file } = s3;
  return { place: text, endpoint: endpointOf(s3), region, path_style, authority: ca !== "" || ca_file !== "" };
}

function newSecrets(before: BackupTarget, after: BackupTarget): boolean {
  const secrets = ({ s3, sftp: { host_key, ...login } }: BackupTarget) =>
    JSON.stringify([s3.access_key_id, s3.secret_access_key, login]);
  return before.place.kind === after.place.kind && secrets(before) !== secrets(after);
}
