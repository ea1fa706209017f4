import { Cron } from "croner";

/** When a schedule is next due after `now`, ms; null: it never is. @param schedule a cron expression in UTC; "": none */
export function nextRun(schedule: string, now: number): number | null {
  if (schedule === "") return null;
  return new Cron(schedule, { timezone: "UTC", paused: true }).nextRun(new Date(now))?.getTime() ?? null;
}
