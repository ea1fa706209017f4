import { existsSync } from "node:fs";
import type { Platform } from "../../platform/platform.ts";
import { type Finding, fault, ok } from "./finding.ts";

/** Clocks of properly synchronized servers differ by less. */
const TOLERANCE_MS = 5 * 60_000;
const SYNCHRONIZED_MARK = "/run/systemd/timesync/synchronized";

/**
 * Checks the clock without a time server, because Postroom connects to nothing that no one configured. A clock that is
 * behind contradicts later timestamps: of mail that a server received, and of the local ledger if the clock was set
 * back. A clock that is ahead shows in the certificates of the mail servers, which appear expired.
 */
export function clockFinding(
  { db, clock }: Pick<Platform, "db" | "clock">,
  synchronized = existsSync(SYNCHRONIZED_MARK),
): Finding {
  const check = "clock";
  const now = clock.now();
  const newest = (sql: string) => db.sql.query<{ at: number | null }, []>(sql).get()?.at ?? 0;
  const arrived = newest(
    `SELECT max(m.internal_date) AS at FROM messages m JOIN accounts a ON a.id = m.account_id WHERE a.provider <> 'sandbox'`,
  );
  const noted = newest("SELECT max(at) AS at FROM audit");
  if (noted > now + TOLERANCE_MS) {
    return fault(
      check,
      `The clock was set back: it shows ${time(now)}, but the audit log has an entry from ${time(noted)}.`,
    );
  }
  if (arrived > now + TOLERANCE_MS) {
    return fault(
      check,
      `The clock is behind: it shows ${time(now)}, but a mail server received mail at ${time(arrived)}.`,
    );
  }
  return ok(
    check,
    synchronized ? `${time(now)}, synchronized by this machine` : `${time(now)}, with no sign of a wrong clock`,
  );
}

const time = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16).replace("T", " ")} UTC`;
