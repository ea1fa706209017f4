/** What a scheduling message does to an event (iTIP, RFC 5546). Pure: text in, text out. */
import ICAL from "ical.js";
import { addressOf } from "./describe.ts";
import { isRecurring, timeOf } from "./occurrences.ts";
import { type CalendarObject, calendarOf, copyOf, openCalendar, registerZones } from "./read.ts";

export type InviteOutcome =
  /** The event as it is from now on. */
  | { kind: "created" | "updated" | "cancelled" | "replied"; ics: string }
  /** Nothing changes, and why. */
  | { kind: "ignored"; reason: "older" | "not_organizer" | "unknown_event" | "method" };

/** REQUEST invites and updates, PUBLISH tells; a file without a method is one that somebody saved (RFC 5546 §1.4). */
const TELLING = ["REQUEST", "PUBLISH", null];

/**
 * Applies a message to the event as it is known; null: not at all. A message that is older than what is known (SEQUENCE, then
 * DTSTAMP) changes nothing, so the order in which mail is read does not matter.
 * @throws when a calendar cannot be read
 */
export function applyInvite(known_ics: string | null, message: CalendarObject): InviteOutcome {
  const known = known_ics === null ? null : openEvents(known_ics);
  const sent = openEvents(message.ics);
  if (known && message.method !== "REPLY" && !sameOrganizer(known.events, sent.events)) {
    return { kind: "ignored", reason: "not_organizer" };
  }
  if (TELLING.includes(message.method)) return tell(known, sent);
  if (message.method === "CANCEL") return cancel(known, sent);
  if (message.method === "REPLY") return reply(known, sent);
  return { kind: "ignored", reason: "method" };
}

interface Events {
  calendar: ICAL.Component;
  events: ICAL.Component[];
}

function openEvents(ics: string): Events {
  const calendar = openCalendar(ics);
  registerZones(calendar);
  return { calendar, events: calendar.getAllSubcomponents("vevent") };
}

function tell(known: Events | null, sent: Events): InviteOutcome {
  if (!known) return { kind: "created", ics: joined(sent.events, [sent]) };
  const master = sent.events.find(isMaster);
  const before = known.events.find(isMaster);
  if (master) {
    if (before && isNoNewer(master, before)) return { kind: "ignored", reason: "older" };
    // A series that was planned anew (RFC 5546 §3.2.2.1) has only the exceptions that come with it.
    const replanned = !before || sequenceOf(master) > sequenceOf(before);
    const kept = replanned ? [] : known.events.filter((event) => !isMaster(event) && !twinOf(event, sent.events));
    const changed = sent.events.filter((event) => !isMaster(event));
    // What came before its series was heard of stays when it is newer.
    const early = before
      ? []
      : known.events.filter((event) => !twinOf(event, sent.events) && sequenceOf(event) >= sequenceOf(master));
    return { kind: "updated", ics: joined([master, ...kept, ...early, ...changed], [sent, known]) };
  }
  const newer = sent.events.filter((event) => {
    const twin = twinOf(event, known.events);
    // A changed occurrence of a plan that is no more.
    if (!twin) return !before || sequenceOf(event) >= sequenceOf(before);
    return !isNoNewer(event, twin);
  });
  if (newer.length === 0) return { kind: "ignored", reason: "older" };
  const kept = known.events.filter((event) => !twinOf(event, newer) || isMaster(event));
  return { kind: "updated", ics: joined([...kept, ...newer], [known, sent]) };
}

function cancel(known: Events | null, sent: Events): InviteOutcome {
  if (!known) {
    for (const event of sent.events) event.updatePropertyWithValue("status", "CANCELLED");
    return { kind: "cancelled", ics: joined(sent.events, [sent]) };
  }
  const master = sent.events.find(isMaster);
  if (master) {
    const newest = known.events.reduce((most, event) => Math.max(most, sequenceOf(event)), 0);
    if (sequenceOf(master) < newest) return { kind: "ignored", reason: "older" };
    for (const event of known.events) markCancelled(event, master);
    return { kind: "cancelled", ics: joined(known.events, [known]) };
  }
  let events = known.events;
  let changes = 0;
  for (const event of sent.events) {
    const twin = twinOf(event, events);
    const series = events.find(isMaster);
    if (twin ? isNoNewer(event, twin) : series && sequenceOf(event) < sequenceOf(series)) continue;
    changes++;
    if (series && rangeOf(event) === "THISANDFUTURE") events = endedBefore(events, series, event);
    else if (twin) markCancelled(twin, event);
    else {
      const one = series ? occurrenceOf(series, event) : copyOf(event);
      markCancelled(one, event);
      events = [...events, one];
    }
  }
  if (changes === 0) return { kind: "ignored", reason: "older" };
  return { kind: "cancelled", ics: joined(events, [known, sent]) };
}

/** An attendee's answer goes into the event; answers to plans that are no more do not (RFC 5546 §3.2.3). */
function reply(known: Events | null, sent: Events): InviteOutcome {
  if (!known) return { kind: "ignored", reason: "unknown_event" };
  let events = known.events;
  let changes = 0;
  let older = false;
  for (const answer of sent.events) {
    const series = events.find(isMaster);
    let target = twinOf(answer, events) ?? null;
    if (!target && !isMaster(answer) && series) target = occurrenceOf(series, answer);
    if (!target) continue;
    if (sequenceOf(answer) < sequenceOf(target)) older = true;
    else if (noteAnswers(target, answer)) {
      changes++;
      if (!events.includes(target)) events = [...events, target];
    }
  }
  if (changes === 0) return { kind: "ignored", reason: older ? "older" : "unknown_event" };
  return { kind: "replied", ics: joined(events, [known]) };
}

/** @returns whether an attendee of the event answered otherwise than before */
function noteAnswers(target: ICAL.Component, answer: ICAL.Component): boolean {
  let changed = false;
  for (const given of answer.getAllProperties("attendee")) {
    const partstat = given.getFirstParameter("partstat");
    const email = addressOf(given).toLowerCase();
    const attendee = target.getAllProperties("attendee").find((each) => addressOf(each).toLowerCase() === email);
    if (!partstat || !attendee || attendee.getFirstParameter("partstat") === partstat) continue;
    attendee.setParameter("partstat", partstat);
    changed = true;
  }
  return changed;
}

/** One occurrence of a series as an event of its own, at its place. */
function occurrenceOf(series: ICAL.Component, like: ICAL.Component): ICAL.Component {
  const one = copyOf(series);
  for (const name of ["rrule", "rdate", "exdate", "recurrence-id"]) one.removeAllProperties(name);
  const id = like.getFirstProperty("recurrence-id")!;
  one.addProperty(new ICAL.Property(structuredClone(id.toJSON()) as unknown as string));
  const [start, end] = [timeOf(series, "dtstart"), timeOf(series, "dtend")];
  const at = timeOf(like, "recurrence-id");
  if (start && at) {
    const moved = renamed(id, "dtstart");
    one.removeAllProperties("dtstart");
    one.addProperty(moved);
    if (end) {
      const until = at.clone();
      until.addDuration(end.subtractDate(start));
      const finish = renamed(id, "dtend");
      finish.setValue(until);
      one.removeAllProperties("dtend");
      one.addProperty(finish);
    }
  }
  return one;
}

/** A RECURRENCE-ID under another name: the same time in the same zone. */
function renamed(property: ICAL.Property, name: string): ICAL.Property {
  const [, parameters, type, value] = structuredClone(property.toJSON()) as [string, object, string, unknown];
  return new ICAL.Property([name, parameters, type, value] as unknown as string);
}

/** A series that ends before the occurrence that `from` names. */
function endedBefore(
  events: readonly ICAL.Component[],
  series: ICAL.Component,
  from: ICAL.Component,
): ICAL.Component[] {
  const at = timeOf(from, "recurrence-id")!;
  const until = at.clone();
  until.adjust(at.isDate ? -1 : 0, 0, 0, at.isDate ? 0 : -1);
  for (const property of series.getAllProperties("rrule")) {
    const rule = property.getFirstValue() as unknown as ICAL.Recur;
    rule.count = null as unknown as number;
    rule.until = at.isDate ? until : until.convertToZone(ICAL.Timezone.utcTimezone);
    property.setValue(rule as unknown as string);
  }
  return events.filter((event) => isMaster(event) || timeOf(event, "recurrence-id")!.compare(at) < 0);
}

function markCancelled(event: ICAL.Component, by: ICAL.Component): void {
  event.updatePropertyWithValue("status", "CANCELLED");
  event.updatePropertyWithValue("sequence", Math.max(sequenceOf(event), sequenceOf(by)));
  const stamp = by.getFirstPropertyValue("dtstamp");
  if (stamp) event.updatePropertyWithValue("dtstamp", stamp);
}

/** A calendar of these events with the zones of their sources. */
function joined(events: readonly ICAL.Component[], sources: readonly Events[]): string {
  const zones = new Map<string, ICAL.Component>();
  for (const { calendar } of sources) {
    for (const zone of calendar.getAllSubcomponents("vtimezone")) {
      const tzid = String(zone.getFirstPropertyValue("tzid"));
      if (!zones.has(tzid)) zones.set(tzid, zone);
    }
  }
  return calendarOf(events, [...zones.values()]).toString();
}

function isMaster(event: ICAL.Component): boolean {
  return !event.hasProperty("recurrence-id");
}

/** The event of a list that stands for the same: the series itself, or the same occurrence. */
function twinOf(event: ICAL.Component, list: readonly ICAL.Component[]): ICAL.Component | undefined {
  const id = timeOf(event, "recurrence-id");
  if (!id) return list.find(isMaster);
  return list.find((other) => {
    const other_id = timeOf(other, "recurrence-id");
    return other_id !== null && sameTime(id, other_id);
  });
}

function sameTime(a: ICAL.Time, b: ICAL.Time): boolean {
  return a.isDate || b.isDate
    ? a.toJSON().toString().slice(0, 10) === b.toJSON().toString().slice(0, 10)
    : a.compare(b) === 0;
}

function sequenceOf(event: ICAL.Component): number {
  const value = Number(event.getFirstPropertyValue("sequence") ?? 0);
  return Number.isFinite(value) ? value : 0;
}

/**
 * By SEQUENCE, then by DTSTAMP (RFC 5546 §2.1.5). The same message read again is no newer, or it would undo the answers that
 * came since.
 */
function isNoNewer(event: ICAL.Component, than: ICAL.Component): boolean {
  const difference = sequenceOf(event) - sequenceOf(than);
  if (difference !== 0) return difference < 0;
  const [a, b] = [timeOf(event, "dtstamp"), timeOf(than, "dtstamp")];
  return a !== null && b !== null && a.compare(b) <= 0;
}

function rangeOf(event: ICAL.Component): string {
  return (event.getFirstProperty("recurrence-id")?.getFirstParameter("range") ?? "").toUpperCase();
}

function organizerOf(events: readonly ICAL.Component[]): string {
  const property = events.map((event) => event.getFirstProperty("organizer")).find((each) => each !== null);
  return property ? addressOf(property).toLowerCase() : "";
}

/** Only an event's organizer may change it; where one side names none there is nothing to compare. */
function sameOrganizer(known: readonly ICAL.Component[], sent: readonly ICAL.Component[]): boolean {
  const [a, b] = [organizerOf(known), organizerOf(sent)];
  return a === "" || b === "" || a === b;
}

/** Whether an event repeats. */
export function repeats(ics: string): boolean {
  return openEvents(ics).events.some((event) => isMaster(event) && isRecurring(event));
}
