import type { Platform } from "../../src/platform/platform.ts";
import type { Sealer } from "../../src/platform/sealing/sealer.ts";

/** Something that is not as it must be. */
export interface Finding {
  /** Which invariant it breaks, in a few words: "thread counts", "orphan rows". */
  rule: string;
  /** What exactly, with ids and never with anything that people wrote. */
  what: string;
}

/** What every part of the checker needs. */
export interface Fixture {
  platform: Platform;
  /** Everything that was to be done has been done: nothing may be on its way any more. */
  settled: boolean;
  deliveries_may_wait: boolean;
  /** Notes a finding. */
  miss: (rule: string, what: string) => void;
}

/** All rows of a query, for checks that look at everything. */
export function rows<T>(platform: Platform, query: string, ...values: (string | number)[]): T[] {
  return platform.db.sql.query<T, (string | number)[]>(query).all(...values);
}

/**
 * What opens a user's values; null for who has no data key, or one that does not open itself. The keyring would make a key for
 * whoever has none, and a checker makes nothing.
 */
export function sealerOf(platform: Platform, user_id: string): Sealer | null {
  if (!platform.db.sql.query("SELECT 1 FROM data_keys WHERE user_id = ?").get(user_id)) return null;
  try {
    return platform.keyring.forUser(user_id);
  } catch {
    return null;
  }
}
