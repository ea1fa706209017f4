import type ICAL from "ical.js";

/** Steps that looking for occurrences of one rule may take; ical.js alone would look for 30 February for ever. */
const MOST_STEPS = 20_000;

const SKIPPABLE_DAYS: Partial<Record<string, number>> = { DAILY: 1, WEEKLY: 7 };
const SKIPPABLE_SECONDS: Partial<Record<string, number>> = { SECONDLY: 1, MINUTELY: 60, HOURLY: 3600 };

/**
 * The times of a rule from `start` on, in order. Those long before `from` may be left out where that changes nothing else.
 * Ends without a word when the rule is impossible or asks for too much work.
 */
export function* timesOf(rule: ICAL.Recur, start: ICAL.Time, from: ICAL.Time | null): Generator<ICAL.Time> {
  let steps = 0;
  const fits = fitting(rule, start);
  try {
    const iterator = rule.iterator(from === null ? start : skipped(rule, start, from)) as ICAL.RecurIterator & {
      check_contracting_rules(): boolean;
    };
    // Every turn of its inner loop asks this.
    const check = iterator.check_contracting_rules.bind(iterator);
    iterator.check_contracting_rules = () => {
      if (++steps > MOST_STEPS) throw new Error("The rule takes too long.");
      return check();
    };
    for (let time = iterator.next(); time; time = iterator.next()) {
      if (++steps > MOST_STEPS) return;
      if (fits(time)) yield time.clone();
    }
  } catch {
    // A rule that cannot be is one without times.
  }
}

const DAY_PARTS = ["BYMONTHDAY", "BYDAY", "BYYEARDAY", "BYWEEKNO"];

/**
 * ical.js lets days that do not exist run over: 29 February is 1 March in other years, 30 February is 2 March. Such dates
 * are no occurrences (RFC 5545 §3.3.10).
 */
function fitting(rule: ICAL.Recur, start: ICAL.Time): (time: ICAL.Time) => boolean {
  const given = rule.getComponent("BYMONTH").map(Number);
  const by_day = DAY_PARTS.some((part) => rule.getComponent(part).length > 0);
  const months = given.length === 0 && rule.freq === "YEARLY" && !by_day ? [start.month] : given;
  const day = (rule.freq === "YEARLY" || rule.freq === "MONTHLY") && !by_day ? start.day : null;
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
  const apart_s = from.subtractDateTz(start).toSeconds();
  const step_s = every * (seconds ?? days! * 86_400);
  const intervals = Math.floor(apart_s / step_s) - 2;
  if (intervals <= 0) return start;
  const later = start.clone();
  if (days !== undefined) later.adjust(intervals * every * days, 0, 0, 0);
  else later.adjust(0, 0, 0, intervals * step_s);
  return later;
}
