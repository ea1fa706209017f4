import ICAL from "ical.js";
import { ianaZone } from "./zones.ts";

/** Calendars longer than this are not read. */
const LONGEST_CALENDAR_CHARS = 4 * 1024 * 1024;

/** What a calendar file says about one event or series (one UID). */
export interface CalendarObject {
  uid: string;
  /** The iTIP method of the file (RFC 5546), upper case; null where there is none. */
  method: string | null;
  /** A whole calendar with these events only, and the zones that they name. */
  ics: string;
}

/** The events of a calendar file by UID, in order of appearance; none where it cannot be read. Never throws. */
export function readObjects(text: string): CalendarObject[] {
  try {
    return parseCalendars(text).flatMap(objectsOf);
  } catch {
    return [];
  }
}

/** Opens a calendar that holds one object. @throws when it cannot be read */
export function openCalendar(ics: string): ICAL.Component {
  const [calendar] = parseCalendars(ics);
  if (!calendar) throw new Error("There is no calendar.");
  return calendar;
}

/** @throws when it is no iCalendar */
function parseCalendars(text: string): ICAL.Component[] {
  if (text.length > LONGEST_CALENDAR_CHARS) throw new Error("The calendar is too long.");
  const source = text.replace(/^\ufeff/, "").replace(/^\s+/, "");
  let parsed: unknown;
  try {
    parsed = ICAL.parse(source);
  } catch {
    // One broken line must not cost the invitation: what is no content line (RFC 5545 §3.1) is left out.
    parsed = ICAL.parse(withoutBrokenLines(source));
  }
  // Several calendars in one file come as a list of components, one as the component.
  const list = (Array.isArray((parsed as unknown[])[0]) ? parsed : [parsed]) as string[];
  const calendars = list.map((each) => new ICAL.Component(each)).filter(({ name }) => name === "vcalendar");
  for (const calendar of calendars) boundZones(calendar);
  return calendars;
}

/** Time zones of a file; real ones have one or two, and a few dozen observances each. */
const MOST_ZONES = 20;
const MOST_OBSERVANCES = 100;

/**
 * ical.js writes out every change of the clock that a VTIMEZONE names, so a rule that says "every second" would never end. The
 * clock changes by the year (RFC 5545 §3.6.5 knows no other rules); what is otherwise is taken away.
 */
function boundZones(calendar: ICAL.Component): void {
  const zones = calendar.getAllSubcomponents("vtimezone");
  for (const zone of zones.slice(MOST_ZONES)) calendar.removeSubcomponent(zone);
  for (const zone of zones.slice(0, MOST_ZONES)) {
    const observances = zone.getAllSubcomponents();
    for (const observance of observances.slice(MOST_OBSERVANCES)) zone.removeSubcomponent(observance);
    for (const observance of observances.slice(0, MOST_OBSERVANCES)) {
      const [rule, ...more] = observance.getAllProperties("rrule");
      for (const property of more) observance.removeProperty(property);
      if (rule && !isYearly(rule)) observance.removeProperty(rule);
    }
  }
}

function isYearly(property: ICAL.Property): boolean {
  const { freq, interval, parts } = property.getFirstValue() as unknown as ICAL.Recur;
  return freq === "YEARLY" && interval === 1 && Object.keys(parts).every((part) => ZONE_RULE_PARTS.has(part));
}

const ZONE_RULE_PARTS = new Set(["BYMONTH", "BYDAY", "BYMONTHDAY", "BYHOUR", "BYMINUTE", "BYSECOND"]);

function withoutBrokenLines(text: string): string {
  return text
    .replace(/\r?\n[ \t]/g, "")
    .split(/\r?\n/)
    .filter((line) => /^[A-Za-z0-9-]+(?:;[A-Za-z0-9-]+=(?:"[^"]*"|[^";:,]*)(?:,(?:"[^"]*"|[^";:,]*))*)*:/.test(line))
    .join("\r\n");
}

function objectsOf(calendar: ICAL.Component): CalendarObject[] {
  const method = calendar.getFirstPropertyValue("method");
  const byUid = Map.groupBy(calendar.getAllSubcomponents("vevent").filter(hasPlace), uidOf);
  return [...byUid].map(([uid, events]) => ({
    uid,
    method: method ? String(method).trim().toUpperCase() : null,
    ics: calendarOf(events, calendar.getAllSubcomponents("vtimezone")).toString(),
  }));
}

/** Whether it can be told which event or occurrence this is: one that cannot must not make its series unreadable. */
function hasPlace(event: ICAL.Component): boolean {
  try {
    return !event.hasProperty("recurrence-id") || event.getFirstPropertyValue("recurrence-id") instanceof ICAL.Time;
  } catch {
    return false;
  }
}

/** The same without the files that are packed into it (ATTACH in base64, RFC 5545 §3.8.1.1); links to files stay. */
export function withoutFiles(object: CalendarObject): CalendarObject {
  if (!/^ATTACH[;:]/m.test(object.ics)) return object;
  const calendar = openCalendar(object.ics);
  for (const event of calendar.getAllSubcomponents("vevent")) {
    for (const file of event.getAllProperties("attach")) if (file.type === "binary") event.removeProperty(file);
  }
  return { ...object, ics: calendar.toString() };
}

/** Every event has a UID (RFC 5545 §3.8.4.7); one that has none gets one from what it says. */
function uidOf(event: ICAL.Component): string {
  const given = String(event.getFirstPropertyValue("uid") ?? "").trim();
  if (given !== "") return given;
  const made = `no-uid-${new Bun.CryptoHasher("sha256").update(event.toString()).digest("hex")}`;
  event.updatePropertyWithValue("uid", made);
  return made;
}

/** The UID of a calendar that holds one object. @throws when it cannot be read */
export function uidOfCalendar(ics: string): string {
  const event = openCalendar(ics).getFirstSubcomponent("vevent");
  if (!event) throw new Error("There is no event in the calendar.");
  return uidOf(event);
}

/** A calendar of copies of these events, and of the zones among `zones` that they name. */
export function calendarOf(events: readonly ICAL.Component[], zones: readonly ICAL.Component[]): ICAL.Component {
  const calendar = new ICAL.Component("vcalendar");
  calendar.addPropertyWithValue("version", "2.0");
  calendar.addPropertyWithValue("prodid", "-//Postroom//EN");
  const named = new Set(events.flatMap(tzidsOf));
  for (const zone of zones) {
    if (named.has(String(zone.getFirstPropertyValue("tzid")))) calendar.addSubcomponent(copyOf(zone));
  }
  for (const event of events) calendar.addSubcomponent(copyOf(event));
  return calendar;
}

/** A component of its own: ical.js moves a component that is added elsewhere. */
export function copyOf(component: ICAL.Component): ICAL.Component {
  return new ICAL.Component(structuredClone(component.toJSON()) as unknown as string);
}

/** The TZIDs that a component's times name. */
function tzidsOf(component: ICAL.Component): string[] {
  return component.getAllProperties().flatMap((property) => {
    const tzid = property.getFirstParameter("tzid");
    return tzid ? [tzid] : [];
  });
}

/** Makes zones of the run time's data that a calendar's times name known to ical.js, for files without their VTIMEZONE. */
export function registerZones(calendar: ICAL.Component): string[] {
  const named = new Set(calendar.getAllSubcomponents("vevent").flatMap(tzidsOf));
  // ical.js keeps what is registered until the program ends.
  return [...named].slice(0, MOST_ZONES).filter((tzid) => {
    const zone = ianaZone(tzid);
    if (zone && !ICAL.TimezoneService.has(tzid)) ICAL.TimezoneService.register(zone, tzid);
    return zone !== null;
  });
}

/**
 * Takes a file's own VTIMEZONEs away where the run time's data have a zone of that name: many know one year's changes of the
 * clock only. For reading, not for writing.
 */
export function preferKnownZones(calendar: ICAL.Component): void {
  const known = new Set(registerZones(calendar));
  for (const zone of calendar.getAllSubcomponents("vtimezone")) {
    if (known.has(String(zone.getFirstPropertyValue("tzid")))) calendar.removeSubcomponent(zone);
  }
}
