import { personOf } from "./people.ts";
import type { Invite } from "./types.ts";
import { resolveWhen } from "./when.ts";

const utc = (date: Date) => date.toISOString().replace(/[-:]|\.\d{3}/g, "");
const escaped = (text: string) => text.replace(/[\\;,]/g, "\\$&").replace(/\n/g, "\\n");

/** Folds a line at 75 octets; continuation lines begin with a space (RFC 5545 3.1). */
function folded(line: string): string {
  const out: string[] = [];
  let current = "";
  for (const char of line) {
    if (Buffer.byteLength(current + char) > 73) {
      out.push(current);
      current = "";
    }
    current += char;
  }
  return [...out, current].join("\r\n ");
}

/**
 * Returns the iCalendar object of an invitation (RFC 5546, REQUEST or CANCEL), stamped with the date of its message.
 */
export function icalendar(invite: Invite, stamp: Date, now: Date): string {
  const start = resolveWhen(invite.start, now);
  const organizer = personOf(invite.organizer);
  const cancelled = invite.method === "CANCEL";
  const lines = [
    "BEGIN:VCALENDAR",
    "PRODID:-//Sandbox//Calendar 1.0//EN",
    "VERSION:2.0",
    "CALSCALE:GREGORIAN",
    `METHOD:${invite.method}`,
    "BEGIN:VEVENT",
    `UID:${invite.uid}-${utc(now).slice(0, 8)}@${organizer.email.split("@")[1]}`,
    `DTSTAMP:${utc(stamp)}`,
    `DTSTART:${utc(start)}`,
    `DTEND:${utc(new Date(start.getTime() + invite.minutes * 60_000))}`,
    ...(invite.rrule ? [`RRULE:${invite.rrule}`] : []),
    `SEQUENCE:${invite.sequence}`,
    `STATUS:${cancelled ? "CANCELLED" : "CONFIRMED"}`,
    `SUMMARY:${escaped(invite.summary)}`,
    ...(invite.location ? [`LOCATION:${escaped(invite.location)}`] : []),
    ...(invite.description ? [`DESCRIPTION:${escaped(invite.description)}`] : []),
    `ORGANIZER;CN="${organizer.name}":mailto:${organizer.email}`,
    ...invite.attendees.map((key) => {
      const person = personOf(key);
      const state = key === invite.organizer ? "ACCEPTED" : "NEEDS-ACTION";
      return `ATTENDEE;CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT;PARTSTAT=${state};RSVP=TRUE;CN="${person.name}":mailto:${person.email}`;
    }),
    "TRANSP:OPAQUE",
    "END:VEVENT",
    "END:VCALENDAR",
  ];
  return `${lines.map(folded).join("\r\n")}\r\n`;
}
