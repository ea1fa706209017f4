import type ICAL from "ical.js";
import { describeEvent } from "./describe.ts";
import { instant, timeOf } from "./occurrences.ts";
import { openCalendar, readObjects } from "./read.ts";
import { ianaZone } from "./zones.ts";

/** More events are a calendar, not an invitation. */
const MAX_EVENTS = 5;
const LONGEST_LINE_CHARS = 300;
const DAY_MS = 86_400_000;

/**
 * Returns an invitation as text, one line for each event: its title, day, time in a time zone, and place. Empty where
 * nothing can be read. Never throws. @param timezone an IANA name
 */
export function invitationText(calendar: string, timezone: string): string {
  return readObjects(calendar)
    .slice(0, MAX_EVENTS)
    .map(({ ics, method }) => {
      try {
        const event = openCalendar(ics).getFirstSubcomponent("vevent");
        return event === null || method === "REPLY" ? "" : lineOf(event, method === "CANCEL", timezone);
      } catch {
        return "";
      }
    })
    .filter((line) => line !== "")
    .join("\n");
}

function lineOf(event: ICAL.Component, isCancelled: boolean, timezone: string): string {
  const { title, location, status } = describeEvent(event);
  const start = timeOf(event, "dtstart");
  if (!start) return "";
  const zone = ianaZone(timezone) ?? ianaZone("UTC")!;
  const end = timeOf(event, "dtend");
  const [from, to] = [instant(start, zone), end && instant(end, zone)];
  const day = (ms: number) => format(ms, timezone, { weekday: "long", day: "numeric", month: "long", year: "numeric" });
  const time = (ms: number) => format(ms, timezone, { hour: "2-digit", minute: "2-digit" });
  // The end of whole days is the day after the last one.
  const last = start.isDate && to !== null && to - from > DAY_MS ? ` to ${day(to - DAY_MS)}` : "";
  const hours = start.isDate ? last : `, ${time(from)}${to === null ? "" : ` to ${time(to)}`}`;
  const said =
    isCancelled || status === "cancelled" ? `${title || "Appointment"} is cancelled` : title || "Appointment";
  return [`${said}: ${day(from)}${hours}`, location]
    .filter((part) => part !== "")
    .join(", ")
    .replace(/\s+/g, " ")
    .slice(0, LONGEST_LINE_CHARS);
}

function format(ms: number, timeZone: string, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat("en-GB", { ...options, timeZone }).format(ms).replace(/^(\p{L}+), /u, "$1 ");
}
