import ICAL from "ical.js";
import { describeEvent, type EventDetails } from "./describe.ts";
import { openCalendar, preferKnownZones } from "./read.ts";
import { type Effort, newEffort, rulesOf, timesOf } from "./recurrence.ts";
import type { IanaZone } from "./zones.ts";

/** One occurrence of an event. Times are ms. */
export interface Occurrence extends EventDetails {
  start: number;
  end: number;
  /** True for all-day occurrences; `start` and `end` are then midnights in the reader's zone. */
  all_day: boolean;
  /** Identifies an occurrence of a series by the start that its rule gives; null for a single event. */
  recurrence_id: number | null;
}

/** Half-open, ms. */
export interface Window {
  from: number;
  to: number;
}

/** The reader's zone, and the limit for the work. */
interface Reader {
  floating: IanaZone;
  effort: Effort;
}

/** Maximum number of occurrences of one series in one window. */
const MAX_OCCURRENCES = 1_000;

/**
 * Returns the occurrences of an event or series that touch the window, ordered by start. Rules are expanded, and
 * exceptions and changed occurrences are applied. Each occurrence has its local time regardless of daylight saving
 * time. Canceled ones are marked as such.
 * @param floating the reader's zone, for days and for times without a zone
 * @param effort limit for the work on rules, shared by all events of one query
 * @throws when the calendar cannot be read
 */
export function occurrences(
  ics: string,
  window: Window,
  floating: IanaZone,
  effort: Effort = newEffort(),
): Occurrence[] {
  const calendar = openCalendar(ics);
  preferKnownZones(calendar);
  const events = calendar.getAllSubcomponents("vevent");
  const master = events.find((event) => !event.hasProperty("recurrence-id"));
  const changed = new Map<number, ICAL.Component>();
  for (const event of events) {
    const id = timeOf(event, "recurrence-id");
    if (id) changed.set(instant(id, floating), event);
  }
  const found: Occurrence[] = [];
  for (const [recurrence_id, event] of changed) {
    const one = occurrenceAt(event, timeOf(event, "dtstart"), floating, recurrence_id);
    if (one && touches(one, window)) found.push(one);
  }
  if (master) found.push(...expand(master, changed, window, { floating, effort }));
  return found.sort((a, b) => a.start - b.start).slice(0, MAX_OCCURRENCES);
}

function expand(
  master: ICAL.Component,
  changed: ReadonlyMap<number, ICAL.Component>,
  window: Window,
  reader: Reader,
): Occurrence[] {
  const { floating } = reader;
  const start = timeOf(master, "dtstart");
  if (!start) return [];
  if (!isRecurring(master)) {
    const one = occurrenceAt(master, start, floating, null);
    return one && touches(one, window) ? [one] : [];
  }
  const lasts = lengthOf(master, start, floating);
  const excluded = excludedTimes(master, floating);
  const found = new Map<number, Occurrence>();
  for (const time of startTimes(master, start, window.from - lasts, reader)) {
    const at = instant(time, floating);
    if (at >= window.to || found.size >= MAX_OCCURRENCES) break;
    if (changed.has(at) || excluded(time, at)) continue;
    const one = occurrenceAt(master, time, floating, at);
    if (one && touches(one, window)) found.set(at, one);
  }
  return [...found.values()];
}

/** Yields all start times from rules and added dates, in order. */
function* startTimes(
  master: ICAL.Component,
  start: ICAL.Time,
  fromMs: number,
  { floating, effort }: Reader,
): Generator<ICAL.Time> {
  const from = timeFrom(fromMs, start, floating);
  const added = master
    .getAllProperties("rdate")
    .flatMap((property) => property.getValues() as unknown[])
    .map((value) => (value instanceof ICAL.Period ? value.start : value))
    .filter((value) => value instanceof ICAL.Time);
  const rules = rulesOf(master);
  // DTSTART is the first occurrence (RFC 5545 §3.8.2.4); a rule yields it as well.
  const dates = [...(rules.length === 0 ? [start] : []), ...added].sort((a, b) => a.compare(b));
  const sources = [dates[Symbol.iterator](), ...rules.map((rule) => timesOf(rule, start, from, effort))];
  const heads = sources.map((source) => source.next());
  for (;;) {
    let next = -1;
    for (const [i, head] of heads.entries()) {
      if (!head.done && (next === -1 || head.value.compare(heads[next]!.value as ICAL.Time) < 0)) next = i;
    }
    if (next === -1) return;
    yield heads[next]!.value as ICAL.Time;
    heads[next] = sources[next]!.next();
  }
}

function excludedTimes(master: ICAL.Component, floating: IanaZone): (time: ICAL.Time, at: number) => boolean {
  const instants = new Set<number>();
  const days = new Set<string>();
  for (const property of master.getAllProperties("exdate")) {
    for (const value of property.getValues() as unknown[]) {
      if (!(value instanceof ICAL.Time)) continue;
      if (value.isDate) days.add(dayOf(value));
      else instants.add(instant(value, floating));
    }
  }
  return (time, at) => instants.has(at) || days.has(dayOf(time));
}

const dayOf = ({ year, month, day }: ICAL.Time) => `${year}-${month}-${day}`;

function occurrenceAt(
  event: ICAL.Component,
  start: ICAL.Time | null,
  floating: IanaZone,
  recurrence_id: number | null,
): Occurrence | null {
  if (!start) return null;
  const at = instant(start, floating);
  return {
    ...describeEvent(event),
    start: at,
    end: endOf(event, start, floating),
    all_day: start.isDate,
    recurrence_id,
  };
}

/** ical.js counts days month by month, so a DURATION of a billion days would take minutes. */
const LONGEST_EVENT_DAYS = 36_600;

/** Returns DTEND, or DTSTART plus DURATION. Without both, RFC 5545 §3.6.1 applies: a day, or no duration. */
function endOf(event: ICAL.Component, start: ICAL.Time, floating: IanaZone): number {
  const first = timeOf(event, "dtstart")!;
  const givenEnd = timeOf(event, "dtend");
  if (start.isDate) {
    const days = givenEnd ? Math.max(1, givenEnd.subtractDate(first).toSeconds() / 86_400) : daysOf(event);
    const end = start.clone();
    end.adjust(Math.min(days, LONGEST_EVENT_DAYS), 0, 0, 0);
    return instant(end, floating);
  }
  const at = instant(start, floating);
  // Every occurrence lasts exactly as long as the first one (RFC 5545 §3.8.5.3).
  if (givenEnd) return at + Math.max(0, instant(givenEnd, floating) - instant(first, floating));
  const duration = event.getFirstPropertyValue("duration");
  if (!(duration instanceof ICAL.Duration)) return at;
  // Days and weeks are calendar days, hours are elapsed hours (§3.3.6).
  const end = start.clone();
  const sign = duration.isNegative ? -1 : 1;
  end.adjust(sign * Math.min(duration.days + 7 * duration.weeks, LONGEST_EVENT_DAYS), 0, 0, 0);
  const clockS = sign * (duration.hours * 3600 + duration.minutes * 60 + duration.seconds);
  return Math.max(at, instant(end, floating) + clockS * 1000);
}

function daysOf(event: ICAL.Component): number {
  const duration = event.getFirstPropertyValue("duration");
  return duration instanceof ICAL.Duration ? Math.max(1, Math.round(duration.toSeconds() / 86_400)) : 1;
}

function lengthOf(event: ICAL.Component, start: ICAL.Time, floating: IanaZone): number {
  return endOf(event, start, floating) - instant(start, floating);
}

/** True when an occurrence touches the window. An event without duration counts at its start. */
function touches({ start, end }: Occurrence, { from, to }: Window): boolean {
  return start < to && (end > from || (start === end && start >= from));
}

function isRecurring(event: ICAL.Component): boolean {
  return event.hasProperty("rrule") || event.hasProperty("rdate");
}

/** Returns the value of a property that contains one time; null when it is absent or not a time. */
export function timeOf(event: ICAL.Component, name: string): ICAL.Time | null {
  const value: unknown = event.getFirstPropertyValue(name);
  return value instanceof ICAL.Time ? value : null;
}

/** Returns a time in ms; days and times without a zone are in the reader's zone. */
export function instant(time: ICAL.Time, floating: IanaZone): number {
  if (!time.isDate && time.zone !== ICAL.Timezone.localTimezone) return time.toUnixTime() * 1000;
  const { year, month, day, hour, minute, second } = time;
  const wall = new ICAL.Time({ year, month, day, hour, minute, second, isDate: false }, floating);
  return wall.toUnixTime() * 1000;
}

/** Returns an instant in the zone and of the type of `like`. */
function timeFrom(ms: number, like: ICAL.Time, floating: IanaZone): ICAL.Time {
  const utc = ICAL.Time.fromJSDate(new Date(ms), true);
  const zone = like.isDate || like.zone === ICAL.Timezone.localTimezone ? floating : like.zone;
  // Off by an hour around a clock change, which only costs one step of the rule.
  const local = utc.clone();
  local.zone = zone;
  local.adjust(0, 0, 0, zone.utcOffset(utc));
  local.zone = like.zone;
  local.isDate = like.isDate;
  return local;
}
