import type { Platform } from "../../platform/platform.ts";
import { advice, type Finding, fault, ok } from "./finding.ts";

/** Checks whether every processing step succeeded for every message. */
export function stepsFinding({ db }: Pick<Platform, "db">): Finding {
  const check = "arriving mail";
  const rows = db.sql
    .query<{ step: string; waiting: number; given_up: number }, []>(
      `SELECT step, sum(next_at IS NOT NULL) AS waiting, sum(next_at IS NULL) AS given_up
       FROM failed_steps GROUP BY step ORDER BY step`,
    )
    .all();
  const list = (of: "waiting" | "given_up") =>
    rows
      .filter((row) => row[of] > 0)
      .map((row) => `${row.step} (${row[of]})`)
      .join(", ");
  const why = 'The messages themselves are stored. For the reasons, see the log lines "a step failed for a message"';
  const given_up = list("given_up");
  if (given_up !== "") {
    return fault(
      check,
      `These steps failed too often and were abandoned: ${given_up}. ${why}. The steps run again after an upgrade.`,
    );
  }
  const waiting = list("waiting");
  if (waiting !== "") return advice(check, `These steps failed and will run again later: ${waiting}. ${why}.`);
  return ok(check, "Every step succeeded for every message.");
}
