import ICAL from "ical.js";
import { calendarOf } from "./read.ts";

/** An event as described by a client. Times are ms; days are "2026-03-02", and the end is the day after the last. */
export interface NewEvent {
  uid: string;
  title: string;
  description: string;
  location: string;
  when: { start: number; end: number } | { firstDay: string; endDay: string };
  organizer: string | null;
  attendees: readonly string[];
  created_at: number;
}

/** Returns the calendar of a new event. */
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
    "start" in when ? utc(when.start) : ICAL.Time.fromDateString(when.firstDay),
  );
  component.addPropertyWithValue("dtend", "start" in when ? utc(when.end) : ICAL.Time.fromDateString(when.endDay));
  for (const [name, value] of [
    ["summary", event.title],
    ["description", event.description],
    ["location", event.location],
  ] as const) {
    if (value !== "") component.addPropertyWithValue(name, plain(value));
  }
  if (event.organizer !== null && event.attendees.length > 0) {
    component.addPropertyWithValue("organizer", `mailto:${event.organizer}`);
  }
  for (const email of event.attendees) {
    const attendee = component.addPropertyWithValue("attendee", `mailto:${email}`);
    attendee.setParameter("partstat", "NEEDS-ACTION");
    // Creating an event sends no mail: without this parameter, a scheduling server would send invitations (RFC 6638
    // §7.1).
    attendee.setParameter("schedule-agent", "CLIENT");
  }
  return calendarOf([component], []).toString();
}

/**
 * Returns one calendar of many stored objects, for a feed. Alarms are left out, because they belong to the devices of
 * the person who set them. The calendar is assembled as text: phones fetch feeds often, and a parser would need a
 * second for a few thousand events.
 */
export function joinCalendars(name: string, objects: Iterable<string>): string {
  const zones = new Map<string, string>();
  const events: string[] = [];
  for (const ics of objects) {
    for (const { kind, lines } of componentsOf(ics)) {
      if (kind === "VEVENT") events.push(...lines);
      else if (kind === "VTIMEZONE") {
        const tzid = lines.find((line) => /^TZID[:;]/.test(line)) ?? "";
        if (!zones.has(tzid)) zones.set(tzid, lines.join("\r\n"));
      }
    }
  }
  const head = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Postroom//EN", "METHOD:PUBLISH", `X-WR-CALNAME:${name}`];
  return `${[...head, ...zones.values(), ...events, "END:VCALENDAR"].join("\r\n")}\r\n`;
}

/**
 * Yields the top-level components of a calendar written by ical.js, without alarms. Only CRLF ends a line: untrusted
 * texts may contain other characters that look like line ends, and must not end a component.
 */
function* componentsOf(ics: string): Generator<{ kind: string; lines: string[] }> {
  const open: string[] = [];
  let lines: string[] = [];
  for (const line of ics.split("\r\n")) {
    const begun = /^BEGIN:([A-Z0-9-]+)$/.exec(line)?.[1];
    if (begun) open.push(begun);
    if (open.length > 1 && !open.includes("VALARM")) lines.push(line.replace(LINE_ENDS, " "));
    if (open.length > 0 && line === `END:${open.at(-1)}`) {
      const kind = open.pop()!;
      if (open.length !== 1) continue;
      yield { kind, lines };
      lines = [];
    }
  }
}

/** Characters that other programs may treat as a line end. */
const LINE_ENDS = /[\r\n\v\f\u0085\u2028\u2029]/g;

/**
 * Removes characters that RFC 5545 §3.1 does not allow in a calendar: control characters other than tab and line feed.
 */
function plain(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, "\n")
    .replace(/[^\P{Cc}\n\t]/gu, "");
}

function utc(ms: number): ICAL.Time {
  return ICAL.Time.fromJSDate(new Date(Math.floor(ms / 1000) * 1000), true);
}
