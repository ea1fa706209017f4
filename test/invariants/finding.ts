import type { Platform } from "../../src/platform/platform.ts";
import type { Sealer } from "../../src/platform/sealing/sealer.ts";

/** A violation of an invariant. */
export interface Finding {
  /** The violated invariant, in a few words: "thread counts", "orphan rows". */
  rule: string;
  /** The details, with ids and never with anything that people wrote. */
  what: string;
}

/** The context that every part of the checker needs. */
export interface Fixture {
  platform: Platform;
  /** All pending work is done: nothing may be in progress any more. */
  settled: boolean;
  deliveries_may_wait: boolean;
  /** Records a finding. */
  miss: (rule: string, what: string) => void;
}

/** Returns all rows of a query, for checks that read everything. */
export function rows<T>(platform: Platform, query: string, ...values: (string | number)[]): T[] {
  return platform.db.sql.query<T, (string | number)[]>(query).all(...values);
}

/**
 * Returns what opens a user's values; null for a user without a data key, or with one that cannot be opened. The
 * keyring would create a missing key, and a checker creates nothing.
 */
export function sealerOf(platform: Platform, user_id: string): Sealer | null {
  if (!platform.db.sql.query("SELECT 1 FROM data_keys WHERE user_id = ?").get(user_id)) return null;
  try {
    return platform.keyring.forUser(user_id);
  } catch {
    return null;
  }
}
