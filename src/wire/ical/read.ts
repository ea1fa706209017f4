import ICAL from "ical.js";
import { ianaZone } from "./zones.ts";

/** Longer calendars are not read. */
const LONGEST_CALENDAR_CHARS = 4 * 1024 * 1024;

/** The content of a calendar file for one event or series (one UID). */
export interface CalendarObject {
  uid: string;
  /** The iTIP method of the file (RFC 5546), upper case; null when there is none. */
  method: string | null;
  /** A complete calendar with only these events and the zones that they use. */
  ics: string;
}

/** Returns the events of a calendar file by UID, in order of appearance; none when it cannot be read. Never throws. */
export function readObjects(text: string): CalendarObject[] {
  try {
    return parseCalendars(text).flatMap(objectsOf);
  } catch {
    return [];
  }
}

/** Opens a calendar that contains one object. @throws when it cannot be read */
export function openCalendar(ics: string): ICAL.Component {
  const [calendar] = parseCalendars(ics);
  if (!calendar) throw new Error("There is no calendar.");
  return calendar;
}

/** Parses the calendars in a text. @throws when it is not iCalendar */
function parseCalendars(text: string): ICAL.Component[] {
  if (text.length > LONGEST_CALENDAR_CHARS) throw new Error("The calendar is too long.");
  const source = text.replace(/^\ufeff/, "").replace(/^\s+/, "");
  let parsed: unknown;
  try {
    parsed = ICAL.parse(source);
  } catch {
    // One broken line must not lose the invitation: lines that are not content lines (RFC 5545 §3.1) are removed.
    parsed = ICAL.parse(withoutBrokenLines(source));
  }
  // Several calendars in one file are returned as a list of components, a single one as the component.
  const list = (Array.isArray((parsed as unknown[])[0]) ? parsed : [parsed]) as string[];
  const calendars = list.map((each) => new ICAL.Component(each)).filter(({ name }) => name === "vcalendar");
  for (const calendar of calendars) boundZones(calendar);
  return calendars;
}

/**
 * Limits of time zones per file and observances per zone; real files have one or two zones, with a few dozen
 * observances each.
 */
const MAX_ZONES = 20;
const MAX_OBSERVANCES = 100;

/**
 * Removes VTIMEZONE rules that are not yearly. ical.js expands every clock change of a VTIMEZONE, so a rule "every
 * second" would never end. Clocks change by yearly rules, and RFC 5545 §3.6.5 has no others.
 */
function boundZones(calendar: ICAL.Component): void {
  const zones = calendar.getAllSubcomponents("vtimezone");
  for (const zone of zones.slice(MAX_ZONES)) calendar.removeSubcomponent(zone);
  for (const zone of zones.slice(0, MAX_ZONES)) {
    const observances = zone.getAllSubcomponents();
    for (const observance of observances.slice(MAX_OBSERVANCES)) zone.removeSubcomponent(observance);
    for (const observance of observances.slice(0, MAX_OBSERVANCES)) {
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
  const byUid = Map.groupBy(calendar.getAllSubcomponents("vevent").filter(isIdentifiable), uidOf);
  return [...byUid].map(([uid, events]) => ({
    uid,
    method: method ? String(method).trim().toUpperCase() : null,
    ics: calendarOf(events, calendar.getAllSubcomponents("vtimezone")).toString(),
  }));
}

/** True when the event or occurrence can be identified: an unreadable one must not make its series unreadable. */
function isIdentifiable(event: ICAL.Component): boolean {
  try {
    return !event.hasProperty("recurrence-id") || event.getFirstPropertyValue("recurrence-id") instanceof ICAL.Time;
  } catch {
    return false;
  }
}

/** Returns the object without embedded files (ATTACH in base64, RFC 5545 §3.8.1.1); links to files are kept. */
export function withoutFiles(object: CalendarObject): CalendarObject {
  if (!/^ATTACH[;:]/m.test(object.ics)) return object;
  const calendar = openCalendar(object.ics);
  for (const event of calendar.getAllSubcomponents("vevent")) {
    for (const file of event.getAllProperties("attach")) if (file.type === "binary") event.removeProperty(file);
  }
  return { ...object, ics: calendar.toString() };
}

/** Returns the UID of an event (RFC 5545 §3.8.4.7), or one derived from its content when it has none. */
function uidOf(event: ICAL.Component): string {
  const given = String(event.getFirstPropertyValue("uid") ?? "").trim();
  if (given !== "") return given;
  const made = `no-uid-${new Bun.CryptoHasher("sha256").update(event.toString()).digest("hex")}`;
  event.updatePropertyWithValue("uid", made);
  return made;
}

/** Returns the UID of a calendar that contains one object. @throws when it cannot be read */
export function uidOfCalendar(ics: string): string {
  const event = openCalendar(ics).getFirstSubcomponent("vevent");
  if (!event) throw new Error("There is no event in the calendar.");
  return uidOf(event);
}

/** Returns a calendar of copies of these events, and of those `zones` that they use. */
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

/** Returns a copy of a component, because ical.js moves a component that is added elsewhere. */
export function copyOf(component: ICAL.Component): ICAL.Component {
  return new ICAL.Component(structuredClone(component.toJSON()) as unknown as string);
}

/** Returns the TZIDs in a component's times. */
function tzidsOf(component: ICAL.Component): string[] {
  return component.getAllProperties().flatMap((property) => {
    const tzid = property.getFirstParameter("tzid");
    return tzid ? [tzid] : [];
  });
}

/**
 * Registers with ical.js the zones of a calendar's times from the runtime's data, for files without their VTIMEZONE.
 */
export function registerZones(calendar: ICAL.Component): string[] {
  const named = new Set(calendar.getAllSubcomponents("vevent").flatMap(tzidsOf));
  // ical.js keeps registered zones until the program ends.
  return [...named].slice(0, MAX_ZONES).filter((tzid) => {
    const zone = ianaZone(tzid);
    if (zone && !ICAL.TimezoneService.has(tzid)) ICAL.TimezoneService.register(zone, tzid);
    return zone !== null;
  });
}

/**
 * Removes a file's own VTIMEZONEs if the runtime's data has a zone of that name: many contain the clock changes of only
 * one year. Use it for reading, not for writing.
 */
export function preferKnownZones(calendar: ICAL.Component): void {
  const known = new Set(registerZones(calendar));
  for (const zone of calendar.getAllSubcomponents("vtimezone")) {
    if (known.has(String(zone.getFirstPropertyValue("tzid")))) calendar.removeSubcomponent(zone);
  }
}
