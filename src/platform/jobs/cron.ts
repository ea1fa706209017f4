import { Cron } from "croner";

/**
 * Returns when a schedule is next due after `now`, ms; null if never.
 * @param schedule a cron expression, or "" @param timezone an IANA name
 */
export function nextRun(schedule: string, now: number, timezone = "UTC"): number | null {
  if (schedule === "") return null;
  return new Cron(schedule, { timezone, paused: true }).nextRun(new Date(now))?.getTime() ?? null;
}
