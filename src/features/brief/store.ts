import type { Platform } from "../../platform/platform.ts";
import type { CompiledBrief } from "./compile.ts";
import type { BriefRow, BriefSettingsRow } from "./tables.ts";

export interface DailySettings {
  daily: boolean;
  /** HH:MM in the user's time zone. */
  time: string;
  mail: boolean;
}

/** Stores the briefs and their settings. The only owner of the `briefs` and `brief_settings` tables. */
export class BriefStore {
  constructor(private readonly platform: Platform) {}

  /** Stores a brief and replaces an earlier one of the same day. */
  save(user_id: string, brief: CompiledBrief): void {
    const { db, keyring, clock } = this.platform;
    const content = keyring.forUser(user_id).sealJson(`briefs.content:${user_id}:${brief.date}`, brief);
    db.sql
      .query("INSERT OR REPLACE INTO briefs (user_id, day, content, created_at) VALUES (?, ?, ?, ?)")
      .run(user_id, brief.date, content, clock.now());
  }

  latest(user_id: string): CompiledBrief | null {
    const { db, keyring } = this.platform;
    const row = db.sql
      .query<Pick<BriefRow, "day" | "content">, [string]>(
        "SELECT day, content FROM briefs WHERE user_id = ? ORDER BY created_at DESC, day DESC LIMIT 1",
      )
      .get(user_id);
    return row && keyring.forUser(user_id).openJson(`briefs.content:${user_id}:${row.day}`, row.content);
  }

  settings(user_id: string): DailySettings {
    const row = this.platform.db.sql
      .query<Pick<BriefSettingsRow, "daily" | "at" | "mail">, [string]>(
        "SELECT daily, at, mail FROM brief_settings WHERE user_id = ?",
      )
      .get(user_id);
    if (!row) return { daily: true, time: this.platform.config.get("brief.time"), mail: false };
    return { daily: row.daily === 1, time: row.at, mail: row.mail === 1 };
  }

  saveSettings(user_id: string, { daily, time, mail }: DailySettings): void {
    this.platform.db.sql
      .query("INSERT OR REPLACE INTO brief_settings (user_id, daily, at, mail) VALUES (?, ?, ?, ?)")
      .run(user_id, Number(daily), time, Number(mail));
  }

  /** Deletes briefs created before `before` (ms), but never a user's latest one. */
  prune(before: number): number {
    return this.platform.db.sql
      .query(
        `DELETE FROM briefs WHERE created_at < ? AND created_at < (
           SELECT max(created_at) FROM briefs b WHERE b.user_id = briefs.user_id)`,
      )
      .run(before).changes;
  }
}
