/** Applies a scheduling message to an event (iTIP, RFC 5546). Pure functions: text in, text out. */
import ICAL from "ical.js";
import { addressOf } from "./describe.ts";
import { duplicateOf, isMaster, isNoNewer, organizerOf, rangeOf, sameOrganizer, sequenceOf } from "./invite-compare.ts";
import { instant, occurrences, timeOf } from "./occurrences.ts";
import { type CalendarObject, calendarOf, copyOf, openCalendar, registerZones } from "./read.ts";
import { ianaZone } from "./zones.ts";

export type InviteOutcome =
  /** The event after the message. */
  | { kind: "created" | "updated" | "cancelled" | "replied"; ics: string }
  /** Nothing changes; the reason is given. */
  | { kind: "ignored"; reason: "older" | "not_organizer" | "unknown_event" | "method" | "too_large" };

/** Changed occurrences of one series. Legitimate senders use fewer, and comparing them takes time. */
const MAX_EVENTS = 1_000;

/**
 * Methods that create or update an event: REQUEST, PUBLISH, and none, for a file that someone saved (RFC 5546 §1.4).
 */
const ANNOUNCING = ["REQUEST", "PUBLISH", null];

/**
 * Applies a message to the known event, or to null when there is none. A message older than the known event (by
 * SEQUENCE, then DTSTAMP) changes nothing, so the order in which mail is read does not matter.
 * @param mayAnswerFor whether the sender may report an attendee's answer, by lower-case address. For other attendees
 * the known answer is kept; without one they count as not having answered
 * @throws when a calendar cannot be read
 */
export function applyInvite(
  knownIcs: string | null,
  message: CalendarObject,
  mayAnswerFor: (email: string) => boolean = () => true,
): InviteOutcome {
  const known = knownIcs === null ? null : openEvents(knownIcs);
  const sent = openEvents(message.ics);
  if (sent.events.length + (known?.events.length ?? 0) > MAX_EVENTS) return { kind: "ignored", reason: "too_large" };
  if (known && message.method !== "REPLY" && !sameOrganizer(known.events, sent.events)) {
    return { kind: "ignored", reason: "not_organizer" };
  }
  if (ANNOUNCING.includes(message.method)) {
    keepAnswers(known, sent, mayAnswerFor);
    return announce(known, sent);
  }
  if (message.method === "CANCEL") return cancel(known, sent);
  if (message.method === "REPLY") return reply(known, sent, mayAnswerFor);
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

function announce(known: Events | null, sent: Events): InviteOutcome {
  if (!known) return { kind: "created", ics: joined(sent.events, [sent]) };
  const series = sent.events.find(isMaster);
  return series ? announceSeries(known, sent, series) : announceOccurrences(known, sent);
}

/** Keeps the known answers. An organizer may reset an answer (NEEDS-ACTION), but may not answer for others. */
function keepAnswers(known: Events | null, sent: Events, mayAnswerFor: (email: string) => boolean): void {
  for (const event of sent.events) {
    const before = known && (duplicateOf(event, known.events) ?? known.events.find(isMaster));
    for (const attendee of event.getAllProperties("attendee")) {
      const email = addressOf(attendee).toLowerCase();
      const claimed = String(attendee.getFirstParameter("partstat") ?? "NEEDS-ACTION").toUpperCase();
      if (claimed === "NEEDS-ACTION" || mayAnswerFor(email)) continue;
      const same = before?.getAllProperties("attendee").find((other) => addressOf(other).toLowerCase() === email);
      attendee.setParameter("partstat", String(same?.getFirstParameter("partstat") ?? "NEEDS-ACTION"));
    }
  }
}

/** Returns the new series, with the known exceptions that remain valid. */
function announceSeries(known: Events, sent: Events, series: ICAL.Component): InviteOutcome {
  const before = known.events.find(isMaster);
  if (before && isNoNewer(series, before)) return { kind: "ignored", reason: "older" };
  const others = known.events.filter((event) => !isMaster(event) && !duplicateOf(event, sent.events));
  // A revised series (RFC 5546 §3.2.2.1) has only the exceptions that are sent with it. An exception that arrived
  // before its series is kept when it is newer.
  const kept = others.filter((event) =>
    before ? sequenceOf(series) <= sequenceOf(before) : sequenceOf(event) >= sequenceOf(series),
  );
  const changed = sent.events.filter((event) => !isMaster(event));
  return { kind: "updated", ics: joined([series, ...kept, ...changed], [sent, known]) };
}

/** Applies single occurrences that differ from their series. */
function announceOccurrences(known: Events, sent: Events): InviteOutcome {
  const series = known.events.find(isMaster);
  const newer = sent.events.filter((event) => {
    const duplicate = duplicateOf(event, known.events);
    if (duplicate) return !isNoNewer(event, duplicate);
    // Skips an occurrence of an outdated revision.
    return !series || sequenceOf(event) >= sequenceOf(series);
  });
  if (newer.length === 0) return { kind: "ignored", reason: "older" };
  const kept = known.events.filter((event) => !duplicateOf(event, newer) || isMaster(event));
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
    const duplicate = duplicateOf(event, events);
    const series = events.find(isMaster);
    if (duplicate ? isNoNewer(event, duplicate) : series && sequenceOf(event) < sequenceOf(series)) continue;
    changes++;
    if (series && rangeOf(event) === "THISANDFUTURE") events = endedBefore(events, series, event);
    else if (duplicate) markCancelled(duplicate, event);
    else {
      const one = series ? occurrenceOf(series, event) : copyOf(event);
      markCancelled(one, event);
      events = [...events, one];
    }
  }
  if (changes === 0) return { kind: "ignored", reason: "older" };
  return { kind: "cancelled", ics: joined(events, [known, sent]) };
}

/** Records an attendee's answer in the event, unless it refers to an outdated revision (RFC 5546 §3.2.3). */
function reply(known: Events | null, sent: Events, mayAnswerFor: (email: string) => boolean): InviteOutcome {
  if (!known) return { kind: "ignored", reason: "unknown_event" };
  let events = known.events;
  let changes = 0;
  let older = false;
  for (const answer of sent.events) {
    const series = events.find(isMaster);
    let target = duplicateOf(answer, events) ?? null;
    if (!target && series && isOccurrenceOf(known, answer)) target = occurrenceOf(series, answer);
    if (!target) continue;
    if (sequenceOf(answer) < sequenceOf(target)) older = true;
    else if (noteAnswers(target, answer, mayAnswerFor)) {
      changes++;
      if (!events.includes(target)) events = [...events, target];
    }
  }
  if (changes === 0) return { kind: "ignored", reason: older ? "older" : "unknown_event" };
  return { kind: "replied", ics: joined(events, [known]) };
}

/** Records answers. @returns whether an attendee's answer changed */
function noteAnswers(
  target: ICAL.Component,
  answer: ICAL.Component,
  mayAnswerFor: (email: string) => boolean,
): boolean {
  const attendees = new Map(
    target.getAllProperties("attendee").map((attendee) => [addressOf(attendee).toLowerCase(), attendee]),
  );
  let changed = false;
  for (const given of answer.getAllProperties("attendee")) {
    const partstat = given.getFirstParameter("partstat");
    const email = addressOf(given).toLowerCase();
    const attendee = attendees.get(email);
    if (!partstat || !attendee || attendee.getFirstParameter("partstat") === partstat) continue;
    if (!mayAnswerFor(email)) continue;
    attendee.setParameter("partstat", partstat);
    changed = true;
  }
  return changed;
}

/** True when a RECURRENCE-ID is a time of the series, because an answer must not add times to it. */
function isOccurrenceOf({ calendar }: Events, answer: ICAL.Component): boolean {
  const id = timeOf(answer, "recurrence-id");
  if (!id) return false;
  const utc = ianaZone("UTC")!;
  const at = instant(id, utc);
  return occurrences(calendar.toString(), { from: at, to: at + 1 }, utc).some(
    ({ recurrence_id }) => recurrence_id === at,
  );
}

/** Returns one occurrence of a series as a separate event at its time. */
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

/** Returns a RECURRENCE-ID under another name, with the same time in the same zone. */
function renamed(property: ICAL.Property, name: string): ICAL.Property {
  const [, parameters, type, value] = structuredClone(property.toJSON()) as [string, object, string, unknown];
  return new ICAL.Property([name, parameters, type, value] as unknown as string);
}

/** Returns a series that ends before the occurrence in `from`. */
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

/** Returns a calendar of these events with the zones of their sources. */
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

/**
 * Returns the organizer of a calendar's event in lower case; "" when it names none. @throws when the calendar cannot be
 * read
 */
export function organizerOfCalendar(ics: string): string {
  return organizerOf(openEvents(ics).events);
}
