/** Which of two events is which, and which is newer: what iTIP (RFC 5546 §2.1.5) compares messages by. Pure. */
import type ICAL from "ical.js";
import { addressOf } from "./describe.ts";
import { timeOf } from "./occurrences.ts";

/** The event or series itself, rather than one changed occurrence. */
export function isMaster(event: ICAL.Component): boolean {
  return !event.hasProperty("recurrence-id");
}

/** The event of a list that stands for the same: the series itself, or the same occurrence. */
export function duplicateOf(event: ICAL.Component, list: readonly ICAL.Component[]): ICAL.Component | undefined {
  const id = timeOf(event, "recurrence-id");
  if (!id) return list.find(isMaster);
  return list.find((other) => {
    const otherId = timeOf(other, "recurrence-id");
    return otherId !== null && sameTime(id, otherId);
  });
}

function sameTime(a: ICAL.Time, b: ICAL.Time): boolean {
  return a.isDate || b.isDate ? a.toString().slice(0, 10) === b.toString().slice(0, 10) : a.compare(b) === 0;
}

/** How often the organizer planned anew (RFC 5545 §3.8.7.4). */
export function sequenceOf(event: ICAL.Component): number {
  const value = Number(event.getFirstPropertyValue("sequence") ?? 0);
  return Number.isFinite(value) ? value : 0;
}

/**
 * By SEQUENCE, then by DTSTAMP (RFC 5546 §2.1.5). The same message read again is no newer, or it would undo the answers that
 * came since.
 */
export function isNoNewer(event: ICAL.Component, than: ICAL.Component): boolean {
  const difference = sequenceOf(event) - sequenceOf(than);
  if (difference !== 0) return difference < 0;
  const [a, b] = [timeOf(event, "dtstamp"), timeOf(than, "dtstamp")];
  return a !== null && b !== null && a.compare(b) <= 0;
}

/** "THISANDFUTURE" where a RECURRENCE-ID means all that follow, too; else "". */
export function rangeOf(event: ICAL.Component): string {
  return (event.getFirstProperty("recurrence-id")?.getFirstParameter("range") ?? "").toUpperCase();
}

/** Address of the organizer, lower case; "" where nobody is named. */
export function organizerOf(events: readonly ICAL.Component[]): string {
  const property = events.map((event) => event.getFirstProperty("organizer")).find((each) => each !== null);
  return property ? addressOf(property).toLowerCase() : "";
}

/** Only an event's organizer may change it. A message that names none changes only events that have none. */
export function sameOrganizer(known: readonly ICAL.Component[], sent: readonly ICAL.Component[]): boolean {
  const [a, b] = [organizerOf(known), organizerOf(sent)];
  return a === "" || a === b;
}
