/** One part of a message. */
export interface Part {
  type: string;
  content: string;
}

export interface Composed {
  id: string;
  inReplyTo?: string;
  from: Address;
  to: readonly Address[];
  cc: readonly Address[];
  at: number;
  subject: string;
  headers: Record<string, string>;
  parts: readonly Part[];
}

interface Address {
  name: string;
  email: string;
}

const encoded = (text: string) => Buffer.from(text).toString("base64");
const word = (text: string) => (/^[ -~]*$/.test(text) ? text : `=?utf-8?B?${encoded(text)}?=`);
const shown = ({ name, email }: Address) => `${/[,.;:']/.test(name) ? `"${name}"` : word(name)} <${email}>`;
const folded = (text: string) => encoded(text).replace(/.{76}/g, "$&\r\n");

/** Returns a message as on a server, CRLF line endings. Several parts are alternatives of each other. */
export function message({ id, inReplyTo, from, to, cc, at, subject, headers, parts }: Composed): Uint8Array {
  const head = [
    `From: ${shown(from)}`,
    `To: ${to.map(shown).join(", ")}`,
    ...(cc.length > 0 ? [`Cc: ${cc.map(shown).join(", ")}`] : []),
    `Subject: ${word(subject)}`,
    `Date: ${new Date(at).toUTCString()}`,
    `Message-ID: ${id}`,
    ...(inReplyTo ? [`In-Reply-To: ${inReplyTo}`, `References: ${inReplyTo}`] : []),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    "MIME-Version: 1.0",
  ].join("\r\n");
  const written = parts.map(
    ({ type, content }) => `Content-Type: ${type}\r\nContent-Transfer-Encoding: base64\r\n\r\n${folded(content)}\r\n`,
  );
  if (written.length === 1) return Buffer.from(`${head}\r\n${written[0]}`);
  const body = written.map((part) => `--part\r\n${part}`).join("");
  return Buffer.from(`${head}\r\nContent-Type: multipart/alternative; boundary=part\r\n\r\n${body}--part--\r\n`);
}

export const textPart = (text: string): Part => ({ type: "text/plain; charset=utf-8", content: `${text}\n` });

/** Returns the text as a company's HTML: lines with " | " are rows of a table, everything else paragraphs. */
export function htmlPart(text: string): Part {
  const safe = text.replace(/&/g, "&amp;").replace(/</g, "&lt;");
  const blocks = safe.split(/\n{2,}/).map((block, i) => {
    if (!block.includes(" | ")) return i === 0 ? `<h1>${block}</h1>` : `<p>${block.replace(/\n/g, "<br>")}</p>`;
    const rows = block.split("\n").map((row) => `<tr><td>${row.split(" | ").join("</td><td>")}</td></tr>`);
    return `<table cellpadding="4">${rows.join("")}</table>`;
  });
  const content = `<html><body style="font-family:sans-serif"><div style="max-width:600px">${blocks.join("\n")}</div></body></html>`;
  return { type: "text/html; charset=utf-8", content };
}

/** @param event "SUMMARY | START | END | LOCATION", times in UTC without seconds */
export function calendarPart(uid: string, event: string, organizer: string): Part {
  const [summary = "", start = "", end = "", location = ""] = event.split(" | ");
  const time = (text: string) => `${text.replace(/[-:]/g, "")}00Z`;
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Example//EN",
    "METHOD:REQUEST",
    "BEGIN:VEVENT",
    `UID:${uid}@calendar.example`,
    `DTSTAMP:${time(start)}`,
    `DTSTART:${time(start)}`,
    `DTEND:${time(end)}`,
    `SUMMARY:${summary}`,
    `LOCATION:${location.replace(/,/g, "\\,")}`,
    `ORGANIZER:mailto:${organizer}`,
    "END:VEVENT",
    "END:VCALENDAR",
  ];
  return { type: "text/calendar; charset=utf-8; method=REQUEST", content: lines.join("\r\n") };
}
