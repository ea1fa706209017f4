import type ICAL from "ical.js";

/** Steps that looking for occurrences of one rule may take; ical.js alone would look for 30 February for ever. */
const MOST_STEPS = 20_000;
/** Steps that one question may take, whatever the number of events: whoever sends invitations must not stop the clock. */
const MOST_STEPS_TOGETHER = 100_000;
/** A rule repeats once in so many years at least; ical.js counts the days of a longer interval month by month. */
const LONGEST_INTERVAL_DAYS = 36_600;

/** The last one that iCalendar can write (RFC 5545 §3.3.4). */
const LAST_YEAR = 9_999;

const SKIPPABLE_DAYS: Partial<Record<string, number>> = { DAILY: 1, WEEKLY: 7 };
const SKIPPABLE_SECONDS: Partial<Record<string, number>> = { SECONDLY: 1, MINUTELY: 60, HOURLY: 3600 };
const DAYS: Partial<Record<string, number>> = { ...SKIPPABLE_DAYS, MONTHLY: 30, YEARLY: 365 };

/** How much work is left for all the rules of one question. */
export interface Effort {
  steps: number;
}

export function newEffort(): Effort {
  return { steps: MOST_STEPS_TOGETHER };
}

/** RFC 5545 §3.6.1 wants one rule at most; more are read where they are, but not any number. */
const MOST_RULES = 4;

/** The recurrence rules of an event. */
export function rulesOf(event: ICAL.Component): ICAL.Recur[] {
  return event
    .getAllProperties("rrule")
    .slice(0, MOST_RULES)
    .map((property) => property.getFirstValue() as unknown as ICAL.Recur);
}

/**
 * The times of a rule from `start` on, in order. Those long before `from` may be left out where that changes nothing else.
 * Ends without a word when the rule is impossible or asks for too much work.
 */
export function* timesOf(
  rule: ICAL.Recur,
  start: ICAL.Time,
  from: ICAL.Time | null,
  effort: Effort,
): Generator<ICAL.Time> {
  const least = Math.max(0, effort.steps - MOST_STEPS);
  const fits = fitting(rule, start);
  if (intervalDays(rule) > LONGEST_INTERVAL_DAYS) {
    if (effort.steps-- > 0 && fits(start)) yield start.clone();
    return;
  }
  try {
    const iterator = rule.iterator(from === null ? start : skipped(rule, start, from)) as ICAL.RecurIterator & {
      check_contracting_rules(): boolean;
    };
    // Every turn of its inner loop asks this.
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
    // A rule that cannot be is one without times.
  }
}

function intervalDays({ freq, interval }: ICAL.Recur): number {
  return Math.max(1, interval) * (DAYS[freq] ?? (SKIPPABLE_SECONDS[freq] ?? 0) / 86_400);
}

const DAY_PARTS = ["BYMONTHDAY", "BYDAY", "BYYEARDAY", "BYWEEKNO"];

/**
 * ical.js lets days that do not exist run over: 29 February is 1 March in other years, 30 February is 2 March. Such dates
 * are no occurrences (RFC 5545 §3.3.10).
 */
function fitting(rule: ICAL.Recur, start: ICAL.Time): (time: ICAL.Time) => boolean {
  const given = rule.getComponent("BYMONTH").map(Number);
  const byDay = DAY_PARTS.some((part) => rule.getComponent(part).length > 0);
  const months = given.length === 0 && rule.freq === "YEARLY" && !byDay ? [start.month] : given;
  const day = (rule.freq === "YEARLY" || rule.freq === "MONTHLY") && !byDay ? start.day : null;
  return (time) => (months.length === 0 || months.includes(time.month)) && (day === null || day === time.day);
}

/** A later start that gives the same times from `from` on: whole intervals of the rule later. */
function skipped(rule: ICAL.Recur, start: ICAL.Time, from: ICAL.Time): ICAL.Time {
  const { freq, interval } = rule;
  const every = Math.max(1, interval);
  const days = SKIPPABLE_DAYS[freq];
  const seconds = SKIPPABLE_SECONDS[freq];
  // Counted rules have to be counted; months and years are few and differ in length.
  if (rule.count || (days === undefined && seconds === undefined) || from.compare(start) <= 0) return start;
  const apartS = from.subtractDateTz(start).toSeconds();
  const stepS = every * (seconds ?? days! * 86_400);
  const intervals = Math.floor(apartS / stepS) - 2;
  if (intervals <= 0) return start;
  const later = start.clone();
  if (days !== undefined) later.adjust(intervals * every * days, 0, 0, 0);
  else later.adjust(0, 0, 0, intervals * stepS);
  return later;
}
