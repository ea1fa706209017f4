import { copyingState } from "../../backup/continuous/state.ts";
import { type CopyStatus, FAULT_AFTER_MS } from "../../backup/copies/status.ts";
import type { BackupRow } from "../../backup/tables.ts";
import { countImported } from "../../mailbox/accounts/accounts.ts";
import type { Platform } from "../../platform/platform.ts";
import { advice, type Finding, fault, ok } from "./finding.ts";

const DAY_MS = 86_400_000;
const OLD_DAYS = 8;

type Attempt = Pick<BackupRow, "state" | "error" | "started_at">;

/** Checks the age of the newest backup and whether the last attempt succeeded. A failed one is a fault. */
export function backupFinding(platform: Pick<Platform, "config" | "db" | "clock" | "grants" | "keyring">): Finding {
  const { db, clock } = platform;
  const check = "backup";
  const rows = db.sql
    .query<Attempt, []>(
      "SELECT state, error, started_at FROM backups WHERE state <> 'running' ORDER BY started_at DESC, id DESC LIMIT 50",
    )
    .all();
  const last = rows.find(({ state }) => state === "done");
  const failed =
    rows[0]?.state === "failed" ? ` The last attempt failed: ${rows[0].error ?? "no reason was recorded"}` : "";
  const notice = failed ? fault : advice;
  if (!last) {
    const imported = countImported(platform);
    const only = imported === 1 ? "1 imported mailbox exists" : `${imported} imported mailboxes exist`;
    const isCopied = copyingState(platform)?.base != null;
    const risk = imported === 0 || isCopied ? "" : `, and ${only} only here`;
    return notice(check, `There is no backup yet${risk} (see 'postroom backup --help').${failed}`);
  }
  const days = Math.floor((clock.now() - last.started_at) / DAY_MS);
  const age =
    days < 1 ? "The last backup is from today" : `The last backup is ${days === 1 ? "1 day" : `${days} days`} old`;
  return days >= OLD_DAYS || failed ? notice(check, `${age}.${failed}`) : ok(check, `${age}.`);
}

/** Checks whether backups reach the chosen place. Failures of more than a day are a fault. */
export function copyFindings(status: CopyStatus | null, now: number): Finding[] {
  if (!status) return [];
  const check = "backup copy";
  const { place, copies, pending, failing_since, error, warning, kept_objects, lagMs } = status;
  const waiting = `${pending} ${pending === 1 ? "backup is" : "backups are"} not in ${place} yet`;
  if (failing_since !== null) {
    const detail = `Sending backups to ${place} fails: ${error ?? "no reason was recorded"} ${waiting}.`;
    return [(now - failing_since >= FAULT_AFTER_MS ? fault : advice)(check, detail)];
  }
  if (lagMs >= FAULT_AFTER_MS) return [fault(check, `${waiting}, for more than a day. Is the server running?`)];
  if (warning !== null) return [advice(check, warning)];
  if (copies === 0) return [advice(check, `No backup is in ${place} yet. The next one is sent there.`)];
  const newer = pending === 0 ? "" : ` ${waiting}.`;
  const locked = kept_objects === 0 ? "" : ` Old objects that the store does not delete yet: ${kept_objects}.`;
  return [ok(check, `${copies} ${copies === 1 ? "backup is" : "backups are"} in ${place}.${newer}${locked}`)];
}
