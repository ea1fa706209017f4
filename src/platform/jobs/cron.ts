import { Cron } from "croner";

/**
 * Returns when a schedule is next due after `now`, ms; null if never.
 * @param schedule a cron expression, or "" @param timezone an IANA name
 */
export function nextRun(schedule: string, now: number, timezone = "UTC"): number | null {
  if (schedule === "") return null;
  return new Cron(schedule, { timezone, paused: true }).nextRun(new Date(now))?.getTime() ?? null;
}

/** Returns when a schedule is next due in a time zone after `now`, ms. @param schedule a cron expression that recurs */
export function nextRunIn(timezone: string, schedule: string, now: number): number {
  const next = new Cron(schedule, { timezone, paused: true }).nextRun(new Date(now));
  if (!next) throw new Error(`The schedule ${schedule} has no next occurrence.`);
  return next.getTime();
}

/** Returns when a clock in a zone next shows this time of day, ms. When the clocks change, still once a day. @param time HH:MM */
export function nextTimeOfDay(time: string, timezone: string, now: number): number {
  const [hour, minute] = time.split(":").map(Number);
  return nextRunIn(timezone, `${minute} ${hour} * * *`, now);
}
