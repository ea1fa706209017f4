import type { Platform } from "../../platform/platform.ts";
import type { KnownFinding, NotificationFindingsRow, NotificationSettingsRow } from "./tables.ts";
import type { QuietHours } from "./timing.ts";

/** What a person chooses for all targets. */
export interface PersonSettings extends QuietHours {
  /** Addresses that count as VIPs, and `*@domain`, in lower case. */
  senders: string[];
}

/** Stores the settings of persons, and the faults that they have been notified of. */
export class SettingsStore {
  constructor(private readonly platform: Pick<Platform, "db" | "keyring">) {}

  get(user_id: string): PersonSettings {
    const row = this.platform.db.sql
      .query<NotificationSettingsRow, [string]>(
        "SELECT user_id, senders, quiet, quiet_start, quiet_end FROM notification_settings WHERE user_id = ?",
      )
      .get(user_id);
    if (!row) return { senders: [], quiet: false, quiet_start: "22:00", quiet_end: "07:00" };
    const { senders, quiet, quiet_start, quiet_end } = row;
    const sealer = this.platform.keyring.forUser(user_id);
    return {
      senders: sealer.openJson(`notification_settings.senders:${user_id}`, senders),
      quiet: quiet === 1,
      quiet_start,
      quiet_end,
    };
  }

  save(user_id: string, { senders, quiet, quiet_start, quiet_end }: PersonSettings): void {
    const sealed = this.platform.keyring.forUser(user_id).sealJson(`notification_settings.senders:${user_id}`, senders);
    this.platform.db.sql
      .query(
        `INSERT OR REPLACE INTO notification_settings (user_id, senders, quiet, quiet_start, quiet_end)
         VALUES (?, ?, ?, ?, ?)`,
      )
      .run(user_id, sealed, Number(quiet), quiet_start, quiet_end);
  }

  findings(user_id: string): Record<string, KnownFinding> {
    const row = this.platform.db.sql
      .query<Pick<NotificationFindingsRow, "findings">, [string]>(
        "SELECT findings FROM notification_findings WHERE user_id = ?",
      )
      .get(user_id);
    if (!row) return {};
    return this.platform.keyring.forUser(user_id).openJson(`notification_findings.findings:${user_id}`, row.findings);
  }

  saveFindings(user_id: string, findings: Record<string, KnownFinding>): void {
    const sealed = this.platform.keyring
      .forUser(user_id)
      .sealJson(`notification_findings.findings:${user_id}`, findings);
    this.platform.db.sql
      .query("INSERT OR REPLACE INTO notification_findings (user_id, findings) VALUES (?, ?)")
      .run(user_id, sealed);
  }
}
