import type { Platform } from "../../src/platform/platform.ts";
import { asLines, type CheckOptions, checkInvariants } from "./check.ts";

/**
 * Returns what the checker reports while `damage` is applied, each finding as "rule: what"; reverts the damage
 * afterwards.
 */
export async function findingsOf(
  platform: Platform,
  damage: string | (() => unknown),
  options: CheckOptions = {},
): Promise<string[]> {
  const { sql } = platform.db;
  sql.run("PRAGMA foreign_keys = OFF");
  sql.run("BEGIN");
  try {
    if (typeof damage === "function") damage();
    else if (sql.run(damage).changes === 0) throw new Error(`nothing was damaged: ${damage}`);
    return asLines((await checkInvariants(platform, options)).findings);
  } finally {
    sql.run("ROLLBACK");
    sql.run("PRAGMA foreign_keys = ON");
  }
}
