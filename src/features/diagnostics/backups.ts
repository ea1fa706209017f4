import type { Platform } from "../../platform/platform.ts";
import { advice, type Finding, ok } from "./finding.ts";

const DAY_MS = 86_400_000;
const OLD_DAYS = 8;

interface BackupRow {
  state: "running" | "done" | "failed";
  error: string | null;
  started_at: number;
}

/** Checks the age of the newest backup and whether the last attempt succeeded. */
export function backupFinding({ db, clock }: Pick<Platform, "db" | "clock">): Finding {
  const check = "backup";
  const rows = db.sql
    .query<BackupRow, []>(
      "SELECT state, error, started_at FROM backups WHERE state <> 'running' ORDER BY started_at DESC, id DESC LIMIT 50",
    )
    .all();
  const last = rows.find(({ state }) => state === "done");
  const failed =
    rows[0]?.state === "failed" ? ` The last attempt failed: ${rows[0].error ?? "no reason was recorded"}` : "";
  if (!last) return advice(check, `There is no backup yet (see 'postroom backup --help').${failed}`);
  const days = Math.floor((clock.now() - last.started_at) / DAY_MS);
  const age =
    days < 1 ? "The last backup is from today" : `The last backup is ${days === 1 ? "1 day" : `${days} days`} old`;
  return days >= OLD_DAYS || failed ? advice(check, `${age}.${failed}`) : ok(check, `${age}.`);
}
