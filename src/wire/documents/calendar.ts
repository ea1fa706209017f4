/** The properties of a calendar that contain text (RFC 5545 §3.8.1, §3.8.4). */
const WORDS = new Set(["SUMMARY", "DESCRIPTION", "LOCATION", "COMMENT", "CATEGORIES", "RESOURCES", "X-WR-CALNAME"]);
const PEOPLE = new Set(["ORGANIZER", "ATTENDEE", "CONTACT"]);
const LONGEST_LINE_CHARS = 20_000;

/**
 * Returns the text of a calendar: titles, places, descriptions and people, one per line. Never throws; broken lines are
 * skipped.
 */
export function calendarText(ics: string): string {
  const unfolded = ics.replace(/\r?\n[ \t]/g, "");
  const lines: string[] = [];
  for (const line of unfolded.split(/\r?\n/)) {
    const match = /^([A-Za-z-]+)(;(?:"[^"]*"|[^":])*)?:(.*)$/.exec(line.slice(0, LONGEST_LINE_CHARS));
    if (!match) continue;
    const [, name, parameters, value] = match as unknown as [string, string, string | undefined, string];
    if (WORDS.has(name.toUpperCase())) lines.push(unescaped(value));
    else if (PEOPLE.has(name.toUpperCase())) lines.push(person(parameters ?? "", value));
  }
  return lines.join("\n");
}

/** Undoes the escapes of RFC 5545 §3.3.11. */
function unescaped(value: string): string {
  return value.replace(/\\([\\;,nN])/g, (_, letter: string) => (letter.toLowerCase() === "n" ? "\n" : letter));
}

function person(parameters: string, value: string): string {
  const name = /;CN=(?:"([^"]*)"|([^;:]*))/i.exec(parameters);
  const address = value.replace(/^mailto:/i, "");
  return [name?.[1] ?? name?.[2] ?? "", address].filter(Boolean).join(" ");
}
