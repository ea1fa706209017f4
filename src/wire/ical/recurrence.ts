import type ICAL from "ical.js";

/**
 * Maximum number of steps in the search for occurrences of one rule; ical.js alone would search for 30 February without
 * end.
 */
const MAX_STEPS = 20_000;
/** Maximum number of steps of one query, for any number of events, so that invitations cannot block the program. */
const MAX_STEPS_TOGETHER = 100_000;
/** The largest interval of a rule in years; ical.js counts the days of a longer interval month by month. */
const LONGEST_INTERVAL_DAYS = 36_600;

/** The last year that iCalendar can express (RFC 5545 §3.3.4). */
const LAST_YEAR = 9_999;

const SKIPPABLE_DAYS: Partial<Record<string, number>> = { DAILY: 1, WEEKLY: 7 };
const SKIPPABLE_SECONDS: Partial<Record<string, number>> = { SECONDLY: 1, MINUTELY: 60, HOURLY: 3600 };
const DAYS: Partial<Record<string, number>> = { ...SKIPPABLE_DAYS, MONTHLY: 30, YEARLY: 365 };

/** The work left for all the rules of one query. */
export interface Effort {
  steps: number;
}

/** Returns the full work limit of one query. */
export function newEffort(): Effort {
  return { steps: MAX_STEPS_TOGETHER };
}

/** RFC 5545 §3.6.1 allows one rule; more are read when present, up to this number. */
const MAX_RULES = 4;

/** Returns the recurrence rules of an event. */
export function rulesOf(event: ICAL.Component): ICAL.Recur[] {
  return event
    .getAllProperties("rrule")
    .slice(0, MAX_RULES)
    .map((property) => property.getFirstValue() as unknown as ICAL.Recur);
}

/**
 * Yields the times of a rule from `start` on, in order. Times long before `from` may be left out if that changes
 * nothing else. Ends silently when the rule is impossible or takes too much work.
 */
export function* timesOf(
  rule: ICAL.Recur,
  start: ICAL.Time,
  from: ICAL.Time | null,
  effort: Effort,
): Generator<ICAL.Time> {
  const least = Math.max(0, effort.steps - MAX_STEPS);
  const fits = fitting(rule, start);
  if (intervalDays(rule) > LONGEST_INTERVAL_DAYS) {
    if (effort.steps-- > 0 && fits(start)) yield start.clone();
    return;
  }
  try {
    const iterator = rule.iterator(from === null ? start : skipped(rule, start, from)) as ICAL.RecurIterator & {
      check_contracting_rules(): boolean;
    };
    // Called in every iteration of its inner loop.
    const check = iterator.check_contracting_rules.bind(iterator);
    iterator.check_contracting_rules = () => {
      if (--effort.steps < least) throw new Error("The rule takes too long.");
      return check();
    };
    for (let time = iterator.next(); time; time = iterator.next()) {
      if (--effort.steps < least || time.year > LAST_YEAR) return;
      if (fits(time)) yield time.clone();
    }
  } catch {
    // An impossible rule has no times.
  }
}

function intervalDays({ freq, interval }: ICAL.Recur): number {
  return Math.max(1, interval) * (DAYS[freq] ?? (SKIPPABLE_SECONDS[freq] ?? 0) / 86_400);
}

const DAY_PARTS = ["BYMONTHDAY", "BYDAY", "BYYEARDAY", "BYWEEKNO"];

/**
 * Returns a test for valid dates. ical.js lets nonexistent days overflow: 29 February is 1 March in other years, 30
 * February is 2 March. Such dates are not occurrences (RFC 5545 §3.3.10).
 */
function fitting(rule: ICAL.Recur, start: ICAL.Time): (time: ICAL.Time) => boolean {
  const given = rule.getComponent("BYMONTH").map(Number);
  const byDay = DAY_PARTS.some((part) => rule.getComponent(part).length > 0);
  const months = given.length === 0 && rule.freq === "YEARLY" && !byDay ? [start.month] : given;
  const day = (rule.freq === "YEARLY" || rule.freq === "MONTHLY") && !byDay ? start.day : null;
  return (time) => (months.length === 0 || months.includes(time.month)) && (day === null || day === time.day);
}

/** Returns a later start, by whole intervals of the rule, that gives the same times from `from` on. */
function skipped(rule: ICAL.Recur, start: ICAL.Time, from: ICAL.Time): ICAL.Time {
  const { freq, interval } = rule;
  const every = Math.max(1, interval);
  const days = SKIPPABLE_DAYS[freq];
  const seconds = SKIPPABLE_SECONDS[freq];
  // Counted rules must be counted; months and years are few and differ in length.
  if (rule.count || (days === undefined && seconds === undefined) || from.compare(start) <= 0) return start;
  const distanceS = from.subtractDateTz(start).toSeconds();
  const stepS = every * (seconds ?? days! * 86_400);
  const intervals = Math.floor(distanceS / stepS) - 2;
  if (intervals <= 0) return start;
  const later = start.clone();
  if (days !== undefined) later.adjust(intervals * every * days, 0, 0, 0);
  else later.adjust(0, 0, 0, intervals * stepS);
  return later;
}
