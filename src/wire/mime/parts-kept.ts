/** Attachments whose bytes are read when mail arrives, because Postroom itself uses them. */

/** True for an invitation, an answer to one, or a calendar file (RFC 5545 §8.1). */
export function isCalendar(mime: string, name: string): boolean {
  return mime === "text/calendar" || mime === "application/ics" || /\.ics$/i.test(name);
}
