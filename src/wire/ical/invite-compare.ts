/** Compares events as iTIP (RFC 5546 §2.1.5) requires: which are the same, and which is newer. Pure functions. */
import type ICAL from "ical.js";
import { addressOf } from "./describe.ts";
import { timeOf } from "./occurrences.ts";

/** True for the event or series itself, false for a changed occurrence. */
export function isMaster(event: ICAL.Component): boolean {
  return !event.hasProperty("recurrence-id");
}

/** Returns the event in a list with the same identity: the series itself, or the same occurrence. */
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

/** Returns the revision number of an event (RFC 5545 §3.8.7.4). */
export function sequenceOf(event: ICAL.Component): number {
  const value = Number(event.getFirstPropertyValue("sequence") ?? 0);
  return Number.isFinite(value) ? value : 0;
}

/**
 * Compares by SEQUENCE, then by DTSTAMP (RFC 5546 §2.1.5). The same message read again is not newer; otherwise it would
 * undo the answers received since.
 */
export function isNoNewer(event: ICAL.Component, than: ICAL.Component): boolean {
  const difference = sequenceOf(event) - sequenceOf(than);
  if (difference !== 0) return difference < 0;
  const [a, b] = [timeOf(event, "dtstamp"), timeOf(than, "dtstamp")];
  return a !== null && b !== null && a.compare(b) <= 0;
}

/** Returns "THISANDFUTURE" when a RECURRENCE-ID also applies to all later occurrences; else "". */
export function rangeOf(event: ICAL.Component): string {
  return (event.getFirstProperty("recurrence-id")?.getFirstParameter("range") ?? "").toUpperCase();
}

/** Returns the organizer's address in lower case; "" when there is none. */
export function organizerOf(events: readonly ICAL.Component[]): string {
  const property = events.map((event) => event.getFirstProperty("organizer")).find((each) => each !== null);
  return property ? addressOf(property).toLowerCase() : "";
}

/**
 * True when the sender may change the event: only its organizer may. A message without an organizer changes only events
 * without one.
 */
export function sameOrganizer(known: readonly ICAL.Component[], sent: readonly ICAL.Component[]): boolean {
  const [a, b] = [organizerOf(known), organizerOf(sent)];
  return a === "" || a === b;
}
