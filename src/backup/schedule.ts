import { nextRun } from "../platform/jobs/cron.ts";

export const SCHEDULE_KINDS = ["off", "hours", "day", "week", "custom"] as const;
/** Intervals that divide a day, so that backups are at the same hours every day. */
export const HOUR_STEPS = [1, 2, 3, 4, 6, 8, 12] as const;

/** When backups are made, as it is chosen on the settings page. Each kind uses some of the fields. */
export interface Schedule {
  every: (typeof SCHEDULE_KINDS)[number];
  /** "hours": the interval. */
  hours: number;
  /** "day" and "week": the time of day, "02:30". */
  time: string;
  /** "week": 0 is Sunday. */
  weekday: number;
  /** "custom": a cron expression of five fields. */
  cron: string;
  /** IANA name of the time zone that all of them are in. */
  timezone: string;
}

/** The choices that the form begins with. */
export const NO_SCHEDULE: Schedule = { every: "off", hours: 6, time: "02:30", weekday: 0, cron: "", timezone: "UTC" };

const SHORTEST_GAP_MS = 15 * 60_000;
/** Runs whose distance is checked: an expression can list many times of one day. */
const CHECKED_RUNS = 100;

/** Returns a schedule as a cron expression; "" if it is off. */
function cronOf({ every, hours, time, weekday, cron }: Schedule): string {
  const [hour, minute] = time.split(":").map(Number);
  switch (every) {
    case "off":
      return "";
    case "hours":
      return `0 */${hours} * * *`;
    case "day":
      return `${minute} ${hour} * * *`;
    case "week":
      return `${minute} ${hour} * * ${weekday}`;
    case "custom":
      return cron;
  }
}

/** Returns when the next backup is due after `now`, ms; null if never. */
export function nextOf(schedule: Schedule, now: number): number | null {
  return nextRun(cronOf(schedule), now, schedule.timezone);
}

/** Returns when the next backups are due, ms. */
export function nextRuns(schedule: Schedule, now: number, count: number): number[] {
  const found: number[] = [];
  for (let at = nextOf(schedule, now); at !== null && found.length < count; at = nextOf(schedule, at)) found.push(at);
  return found;
}

/** Returns why a cron expression cannot be used, as a sentence; null if it can. */
export function cronFault(cron: string, now: number): string | null {
  const schedule: Schedule = { ...NO_SCHEDULE, every: "custom", cron };
  if (cron.trim().split(/\s+/).length !== 5) {
    return "A cron expression has five fields: minute, hour, day, month and weekday, such as 30 2 * * *.";
  }
  let runs: number[];
  try {
    runs = nextRuns(schedule, now, CHECKED_RUNS);
  } catch {
    return "This is not a valid cron expression. An example is 30 2 * * *.";
  }
  if (runs.length === 0) return "This expression is never due.";
  const tooClose = runs.some((at, i) => i > 0 && at - runs[i - 1]! < SHORTEST_GAP_MS);
  return tooClose ? "Leave at least 15 minutes between two backups." : null;
}
