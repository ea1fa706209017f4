import type { Content, Detail, Kind } from "./kinds.ts";

/** A message to a person, before it takes the form of a service. */
export interface Message {
  title: string;
  text: string;
  kinds: ReadonlySet<Kind>;
  /** Address on the settings page; null: no address is known that works elsewhere. */
  link: string | null;
}

const MAX_LINES = 20;
const NAME_CHARS = 80;
const SUBJECT_CHARS = 140;
const DETAIL_CHARS = 240;
/** ntfy turns messages of more than 4,096 bytes into attachments. */
const MAX_TEXT_BYTES = 3_500;

const TITLES: Record<Kind, string> = {
  mail: "New mail",
  approval: "Approval needed",
  send: "Message not sent",
  brief: "Daily brief",
  health: "Postroom needs you",
};

/**
 * Joins notifications into one message.
 * @param skipped further notifications, which are only counted
 * @param base address of the server without a final slash; null: unknown
 */
export function compose(
  contents: readonly Content[],
  detail: Detail,
  { skipped, base }: { skipped: number; base: string | null },
): Message {
  const kinds = new Set(contents.map(({ kind }) => kind));
  const total = contents.length + skipped;
  const [first] = contents;
  const single = total === 1 && first !== undefined;
  return {
    title: single ? TITLES[first.kind] : `${total} notifications`,
    text: joined(detail === "minimal" ? counts(contents) : contents.map((one) => lineOf(one, detail)), skipped),
    kinds,
    link: base === null ? null : `${base}/app/#/${single ? pageOf(first) : ""}`,
  };
}

/** Returns the message of the Test button. */
export function testMessage(base: string | null): Message {
  return {
    title: "Test from Postroom",
    text: "Notifications from Postroom arrive here.",
    kinds: new Set(),
    link: base === null ? null : `${base}/app/#/notifications`,
  };
}

function joined(lines: readonly string[], skipped: number): string {
  const shown: string[] = [];
  let bytes = 0;
  for (const line of lines.slice(0, MAX_LINES)) {
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > MAX_TEXT_BYTES && shown.length > 0) break;
    shown.push(line);
  }
  const more = lines.length - shown.length + skipped;
  if (more > 0) shown.push(shown.length > 0 ? `and ${more} more` : `${more} more notifications`);
  return shown.join("\n");
}

/** Says only how many notifications of each kind there are. */
function counts(contents: readonly Content[]): string[] {
  const of = (kind: Kind) => contents.filter((content) => content.kind === kind).length;
  const lines: [number, string, string][] = [
    [of("health"), "Something in Postroom needs your attention.", "faults in Postroom need your attention."],
    [of("approval"), "A message waits for your approval.", "messages wait for your approval."],
    [of("send"), "A message could not be sent.", "messages could not be sent."],
    [of("mail"), "A VIP has written to you.", "messages from VIPs have arrived."],
    [of("brief"), "Your daily brief is ready.", "briefs are ready."],
  ];
  return lines.filter(([n]) => n > 0).map(([n, one, many]) => (n === 1 ? one : `${n} ${many}`));
}

function lineOf(content: Content, detail: Exclude<Detail, "minimal">): string {
  const whole = detail === "subject";
  switch (content.kind) {
    case "mail": {
      const { name, email, subject } = content;
      const sender = oneLine(name, NAME_CHARS) ? `${oneLine(name, NAME_CHARS)} (${email})` : email;
      return whole ? `${sender}: ${quoted(subject)}` : `New mail from ${sender}`;
    }
    case "approval": {
      const { asked_by, recipients } = content;
      const people = recipients === 1 ? "one recipient" : `${recipients} recipients`;
      return `${oneLine(asked_by, NAME_CHARS)} wants to send a message to ${people}`;
    }
    case "send": {
      const [first = "unknown recipients", ...others] = content.to.map((address) => oneLine(address, NAME_CHARS));
      const to = others.length === 0 ? first : `${first} and ${others.length} more`;
      const subject = whole ? `${quoted(content.subject)} to ` : "A message to ";
      return `${subject}${to} ${content.bounced ? "was returned" : "could not be sent"}`;
    }
    case "brief": {
      const { needs_reply } = content;
      const waiting = needs_reply === 1 ? "one message waits" : `${needs_reply || "no"} messages wait`;
      return `Your daily brief is ready: ${waiting} for your reply`;
    }
    case "health":
      return whole
        ? `${oneLine(content.name, NAME_CHARS)}: ${oneLine(content.detail, DETAIL_CHARS)}`
        : healthName(content);
  }
}

function healthName({ what, name }: Extract<Content, { kind: "health" }>): string {
  return what === "mailbox" ? `The mailbox ${oneLine(name, NAME_CHARS)} needs you` : `Check failed: ${name}`;
}

function pageOf(content: Content): string {
  switch (content.kind) {
    case "mail":
      return `threads/${content.thread_id}`;
    case "approval":
      return `approvals/${content.approval_id}`;
    case "send":
      return content.draft_id === null ? "" : `read/drafts/${content.draft_id}`;
    case "brief":
      return "";
    case "health":
      return content.page;
  }
}

function quoted(subject: string): string {
  return `“${oneLine(subject, SUBJECT_CHARS) || "no subject"}”`;
}

/** Returns words of others on one line, without characters that move or hide what follows. */
function oneLine(text: string, maxChars: number): string {
  const clean = text
    .toWellFormed()
    .replace(/[\p{Cf}\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
  const chars = [...clean];
  return chars.length <= maxChars ? clean : `${chars.slice(0, maxChars - 1).join("")}…`;
}
