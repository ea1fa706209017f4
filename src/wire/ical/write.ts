import ICAL from "ical.js";
import { calendarOf } from "./read.ts";

/** An event as a client describes it. Times are ms; days are "2026-03-02", the end being the day after the last. */
export interface NewEvent {
  uid: string;
  title: string;
  description: string;
  location: string;
  when: { start: number; end: number } | { first_day: string; end_day: string };
  organizer: string | null;
  attendees: readonly string[];
  created_at: number;
}

/** The calendar of a new event. */
export function writeEvent(event: NewEvent): string {
  const component = new ICAL.Component("vevent");
  component.addPropertyWithValue("uid", event.uid);
  component.addPropertyWithValue("dtstamp", utc(event.created_at));
  component.addPropertyWithValue("created", utc(event.created_at));
  component.addPropertyWithValue("sequence", 0);
  component.addPropertyWithValue("status", "CONFIRMED");
  const { when } = event;
  component.addPropertyWithValue(
    "dtstart",
    "start" in when ? utc(when.start) : ICAL.Time.fromDateString(when.first_day),
  );
  component.addPropertyWithValue("dtend", "start" in when ? utc(when.end) : ICAL.Time.fromDateString(when.end_day));
  for (const [name, value] of [
    ["summary", event.title],
    ["description", event.description],
    ["location", event.location],
  ] as const) {
    if (value !== "") component.addPropertyWithValue(name, value);
  }
  if (event.organizer !== null && event.attendees.length > 0) {
    component.addPropertyWithValue("organizer", `mailto:${event.organizer}`);
  }
  for (const email of event.attendees) {
    const attendee = component.addPropertyWithValue("attendee", `mailto:${email}`);
    attendee.setParameter("partstat", "NEEDS-ACTION");
    // Making an event mails nobody: without this a server that schedules would (RFC 6638 §7.1).
    attendee.setParameter("schedule-agent", "CLIENT");
  }
  return calendarOf([component], []).toString();
}

/** A component of a calendar that ical.js wrote: folded lines begin with a space, so these begin and end where they say. */
const COMPONENT = /^BEGIN:(VEVENT|VTIMEZONE)\r?$[\s\S]*?^END:\1\r?$/gm;
const ALARM = /^BEGIN:VALARM\r?$[\s\S]*?^END:VALARM\r?\n/gm;

/**
 * One calendar of many objects as they are stored, for a feed. Alarms stay behind: they belong to the devices of whoever set
 * them. Put together as text, for phones ask often and a parser would need a second for a few thousand events.
 */
export function joinCalendars(name: string, objects: Iterable<string>): string {
  const zones = new Map<string, string>();
  const events: string[] = [];
  for (const ics of objects) {
    for (const [component, kind] of ics.matchAll(COMPONENT)) {
      const text = component.replace(/\r?$/, "");
      if (kind === "VEVENT") events.push(text.replace(ALARM, ""));
      else {
        const tzid = /^TZID[^:]*:(.*?)\r?$/m.exec(text)?.[1] ?? "";
        if (!zones.has(tzid)) zones.set(tzid, text);
      }
    }
  }
  const head = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Postroom//EN", "METHOD:PUBLISH", `X-WR-CALNAME:${name}`];
  return `${[...head, ...zones.values(), ...events, "END:VCALENDAR"].join("\r\n")}\r\n`;
}

function utc(ms: number): ICAL.Time {
  return ICAL.Time.fromJSDate(new Date(Math.floor(ms / 1000) * 1000), true);
}
