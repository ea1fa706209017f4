import type { Lang, PersonKey } from "./person.ts";

/** The folder of a message. The owner has seen snoozed and archived mail before, but not spam and trash. */
export type SandboxFolder = (typeof FOLDERS)[number];
export const FOLDERS = ["inbox", "archive", "sent", "trash", "spam", "snoozed"] as const;

/**
 * A time relative to the seeding time:
 * `-25m`, `-3h` (minutes, hours ago), `-12d 14:20` (12 days ago, at this time in Lisbon), `-12b 14:20` (the same, but a
 * weekend day becomes the Friday before), `+4b 10:00` (a weekend day becomes the Monday after), `+10fri 19:00` (the
 * first Friday on or after that day).
 */
export type When = string;

export interface Invite {
  method: "REQUEST" | "CANCEL";
  /** Shared by the update and the cancellation of an event. */
  uid: string;
  sequence: number;
  summary: string;
  location?: string;
  description?: string;
  start: When;
  minutes: number;
  organizer: PersonKey;
  attendees: PersonKey[];
  /** RFC 5545 recurrence rule, e.g. `FREQ=WEEKLY;COUNT=6`. */
  rrule?: string;
}

/** An attachment in editable form. Its bytes are generated when the message is composed. */
export type SandboxAttachment = { name: string; cid?: string } & (
  | { pdf: { title: string; lines: string[] } }
  | { docx: string[] }
  | { csv: string[][] }
  | { text: string; mime?: string }
  | { picture: Picture }
);

/** A picture of colored bands and one disc: a valid PNG of a few hundred bytes. */
export interface Picture {
  width: number;
  height: number;
  /** From top to bottom, `rrggbb`, equal heights. */
  bands: string[];
  /** Center and radius as fractions of the width and the height (radius: of the smaller). */
  disc?: { x: number; y: number; r: number; color: string };
}

export interface SandboxMessage {
  from: PersonKey;
  at: When;
  /** If absent, a reply is sent to all, and a first message to the owner. */
  to?: PersonKey[];
  cc?: PersonKey[];
  /** If absent, the thread's subject, with the sender's reply prefix in replies. */
  subject?: string;
  /**
   * The sender's text without quotes, paragraphs separated by blank lines. Templates are allowed. Also the text part of
   * `html`.
   */
  body?: string;
  /**
   * A complete HTML document instead of one generated from `body`. Templates are allowed. Without `body`, the message
   * has only HTML.
   */
  html?: string;
  /** Index in the thread of the message that this one answers. If absent, the previous message; if null, none. */
  replyTo?: number | null;
  /** `forward` forwards the answered message, `none` omits the history. If absent, the sender's client quotes it. */
  quote?: "forward" | "none";
  lang?: Lang;
  folder?: SandboxFolder;
  unread?: boolean;
  starred?: boolean;
  labels?: string[];
  headers?: Record<string, string>;
  attachments?: SandboxAttachment[];
  invite?: Invite;
}

export interface SandboxThread {
  /** Unique. Message-IDs are derived from it. */
  id: string;
  subject: string;
  lang?: Lang;
  /** Folder of received messages; `inbox` if absent. The owner's own messages are in `sent`. */
  folder?: SandboxFolder;
  labels?: string[];
  messages: SandboxMessage[];
}

export interface SandboxRawMessage {
  /** The complete RFC 5322 message, with CRLF line endings. */
  raw: Uint8Array;
  folder: SandboxFolder;
  internalDate: Date;
  flags: { seen: boolean; flagged: boolean; answered: boolean };
  labels: string[];
}
