import { addDays, localDay, startOfDay } from "../../kernel/local-time.ts";
import type { ThreadState } from "../../mailbox/store/state.ts";

/** Returns the period that a brief covers, ms: the day of `now` and the next day. */
export function briefDays(timezone: string, now: number): { from: number; to: number } {
  const today = localDay(timezone, now);
  return { from: startOfDay(timezone, today), to: startOfDay(timezone, addDays(today, 2)) };
}

/** Thread states that a brief covers: everything but trash and spam. */
export const SCANNED_STATES: readonly ThreadState[] = ["inbox", "archived", "snoozed", "sent"];
