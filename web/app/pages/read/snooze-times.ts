export interface SnoozeTime {
  label: string;
  at: Date;
}

const MORNING_HOUR = 8;
const LATER_HOURS = 3;
const FRIDAY = 5;
const MONDAY = 1;

/** Returns suggestions for a snooze, in the browser's time zone: later today while there is time, tomorrow, next week. */
export function snoozeTimes(now: Date): SnoozeTime[] {
  const later = new Date(now);
  later.setHours(now.getHours() + LATER_HOURS, 0, 0, 0);
  const times: SnoozeTime[] = [];
  if (later.getDate() === now.getDate()) times.push({ label: "Later today", at: later });
  times.push({ label: "Tomorrow", at: morning(now, 1) });
  if (now.getDay() > 0 && now.getDay() < FRIDAY) {
    times.push({ label: "This weekend", at: morning(now, FRIDAY + 1 - now.getDay()) });
  }
  times.push({ label: "Next week", at: morning(now, ((MONDAY - now.getDay() + 6) % 7) + 1) });
  return times;
}

function morning(now: Date, days: number): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, MORNING_HOUR);
}

/** Returns a time as the value of an <input type="datetime-local">: "2026-11-26T08:00". */
export function localInput(at: Date): string {
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`;
}
