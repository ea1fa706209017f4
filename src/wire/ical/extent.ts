import ICAL from "ical.js";
import { instant, timeOf } from "./occurrences.ts";
import { openCalendar, preferKnownZones } from "./read.ts";
import { type Effort, newEffort, rulesOf, timesOf } from "./recurrence.ts";
import type { IanaZone } from "./zones.ts";

const DAY_MS = 86_400_000;
/** Days and times without a zone may differ by this much for a reader in another zone. */
const SLACK_MS = DAY_MS;
/** A counted series with more occurrences counts as endless. */
const MAX_COUNTED = 2_000;

/** The period that contains all occurrences of an event, ms. */
export interface Extent {
  /** Null when the event has no time. */
  start: number | null;
  /** Null when the event never ends. */
  end: number | null;
}

/**
 * Returns the bounds of an event or series, rather slightly too wide than too narrow. @throws when the calendar cannot
 * be read
 */
export function extentOf(ics: string, floating: IanaZone): Extent {
  const calendar = openCalendar(ics);
  preferKnownZones(calendar);
  const effort = newEffort();
  let start = Number.POSITIVE_INFINITY;
  let end: number | null = Number.NEGATIVE_INFINITY;
  for (const event of calendar.getAllSubcomponents("vevent")) {
    const first = timeOf(event, "dtstart");
    if (!first) continue;
    const at = instant(first, floating);
    const length = lengthOf(event, at, floating);
    const last = lastStart(event, first, { floating, effort });
    start = Math.min(start, at, ...addedTimes(event, floating));
    end = end === null || last === null ? null : Math.max(end, last + length);
  }
  if (start === Number.POSITIVE_INFINITY) return { start: null, end: null };
  return { start: start - SLACK_MS, end: end === null ? null : end + SLACK_MS };
}

function lastStart(
  event: ICAL.Component,
  first: ICAL.Time,
  { floating, effort }: { floating: IanaZone; effort: Effort },
): number | null {
  let last = Math.max(instant(first, floating), ...addedTimes(event, floating));
  for (const rule of rulesOf(event)) {
    if (rule.until) last = Math.max(last, instant(rule.until, floating));
    else if (!rule.count || rule.count > MAX_COUNTED) return null;
    else for (const time of timesOf(rule, first, null, effort)) last = Math.max(last, instant(time, floating));
  }
  return last;
}

function addedTimes(event: ICAL.Component, floating: IanaZone): number[] {
  return event
    .getAllProperties("rdate")
    .flatMap((property) => property.getValues() as unknown[])
    .map((value) => (value instanceof ICAL.Period ? value.start : value))
    .filter((value) => value instanceof ICAL.Time)
    .map((value) => instant(value, floating));
}

function lengthOf(event: ICAL.Component, at: number, floating: IanaZone): number {
  const end = timeOf(event, "dtend");
  if (end) return Math.max(0, instant(end, floating) - at);
  const duration = event.getFirstPropertyValue("duration");
  return duration instanceof ICAL.Duration ? Math.max(0, duration.toSeconds() * 1000) : DAY_MS;
}
