/** Attachments whose bytes are read as mail comes in, because they mean something to Postroom itself. */

/** An invitation, an answer to one, or a calendar file (RFC 5545 §8.1). */
export function isCalendar(mime: string, name: string): boolean {
  return mime === "text/calendar" || mime === "application/ics" || /\.ics$/i.test(name);
}
