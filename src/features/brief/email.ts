import { localDay } from "../../kernel/local-time.ts";
import type { Brief, CalendarItem } from "./model.ts";
import { dayInWords } from "./rank.ts";

/** Renders a brief as a plain-text mail without links. @param timezone of the user, for the times of events */
export function briefText(brief: Brief, timezone: string): { subject: string; text: string } {
  const { date, needs_reply, commitments, undated, calendar } = brief;
  const sections: [string, string[]][] = [
    ["Waiting for your reply", needs_reply.map((item) => `${person(item.from)}, ${title(item.subject)}: ${item.why}`)],
    [
      "Promised",
      commitments.map((item) => {
        const day = dayInWords(item.due, date);
        return `${capital(item.overdue ? `was due ${day}` : day)}, ${fromTo(item)}: “${item.promise}”`;
      }),
    ],
    ["Promised without a date", undated.map((item) => `${capital(fromTo(item))}: “${item.promise}”`)],
    ["Calendar", calendar.map((item) => `${whenInWords(item, date, timezone)}: ${item.title}`)],
  ];
  const text = sections
    .filter(([, lines]) => lines.length > 0)
    .map(([heading, lines]) => `${heading}\n${lines.map((line) => `- ${line.replace(/\s+/g, " ")}`).join("\n")}`)
    .join("\n\n");
  return { subject: `Your brief for ${date}`, text: text || "Nothing needs your attention today." };
}

interface Person {
  name: string;
  email: string;
}

const person = ({ name, email }: Person): string => name || email;
const fromTo = (item: { by: "me" | "them"; with: Person }): string =>
  item.by === "me" ? `you to ${person(item.with)}` : `${person(item.with)} to you`;
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Returns a subject without reply prefixes, in quotation marks. */
function title(subject: string): string {
  const bare = subject.replace(/^(?:\s*(?:re|aw|sv|antw|r|res|rv|fwd?|wg|tr|enc)\s*:)+\s*/i, "");
  return bare === "" ? "no subject" : `“${bare}”`;
}

/** Returns "Today at 13:00". An event that starts at midnight counts as all-day. */
function whenInWords({ start }: CalendarItem, today: string, timezone: string): string {
  const at = Date.parse(start);
  const day = capital(dayInWords(localDay(timezone, at), today));
  const time = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: timezone }).format(at);
  return time === "00:00" ? day : `${day} at ${time}`;
}
