import type { Brief } from "./model.ts";
import { dayInWords } from "./rank.ts";

/** A brief as a mail to its user: plain text, no links. */
export function briefText(brief: Brief): { subject: string; text: string } {
  const { date, needs_reply, commitments, undated, calendar } = brief;
  const person = ({ name, email }: { name: string; email: string }) => name || email;
  const by = (item: { by: "me" | "them"; with: { name: string; email: string } }) =>
    item.by === "me" ? `You, to ${person(item.with)}` : person(item.with);
  const sections: [string, string[]][] = [
    ["Waiting for your answer", needs_reply.map((item) => `${person(item.from)}, “${item.subject}”: ${item.why}`)],
    ["Promised", commitments.map((item) => `${dayInWords(item.due, date)}: ${by(item)}: ${item.promise}`)],
    ["Promised without a day", undated.map((item) => `${by(item)}: ${item.promise}`)],
    ["Calendar", calendar.map((item) => `${item.start.slice(0, 16).replace("T", " ")} UTC: ${item.title}`)],
  ];
  const text = sections
    .filter(([, lines]) => lines.length > 0)
    .map(([title, lines]) => `${title}\n${lines.map((line) => `- ${line.replace(/\s+/g, " ")}`).join("\n")}`)
    .join("\n\n");
  return { subject: `Your brief of ${date}`, text: text || "Nothing waits for you today." };
}
