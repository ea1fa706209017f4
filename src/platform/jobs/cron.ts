import { Cron } from "croner";

/**
 * Returns when a schedule is next due after `now`, ms; null if never.
 * @param schedule a cron expression in UTC, or ""
 */
export function nextRun(schedule: string, now: number): number | null {
  if (schedule === "") return null;
  return new Cron(schedule, { timezone: "UTC", paused: true }).nextRun(new Date(now))?.getTime() ?? null;
}
