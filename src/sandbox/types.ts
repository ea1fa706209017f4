import type { PersonKey } from "./people.ts";
import type { Lang } from "./person.ts";

/** The folder of a message. The owner has seen snoozed and archived mail before, but not spam and trash. */
export type SandboxFolder = "inbox" | "archive" | "sent" | "trash" | "spam" | "snoozed";

/**
 * A point in time as the sources write it, relative to the seeding time:
 * `-25m`, `-3h` (minutes, hours ago), `-12d 14:20` (12 days ago, at that Lisbon clock time), `-12b 14:20` (the same,
 * moved off a weekend: to Friday when past, to Monday when to come), `+4b 10:00`, `+10fri 19:00` (the first Friday from that day on).
 */
export type When = string;

export interface Invite {
  method: "REQUEST" | "CANCEL";
  /** The same in the update and the cancellation of one event. */
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

/** An attachment in a form people can edit; the bytes are made when the message is composed. */
export type SandboxAttachment = { name: string; cid?: string } & (
  | { pdf: { title: string; lines: string[] } }
  | { docx: string[] }
  | { csv: string[][] }
  | { text: string; mime?: string }
  | { picture: Picture }
);

/** A picture drawn from coloured bands and one disc: enough to be a valid, recognisable PNG of a few hundred bytes. */
export interface Picture {
  width: number;
  height: number;
  /** From top to bottom, `rrggbb`, equal heights. */
  bands: string[];
  /** Centre and radius as fractions of the width and the height (radius: of the smaller). */
  disc?: { x: number; y: number; r: number; colour: string };
}

export interface SandboxMessage {
  from: PersonKey;
  at: When;
  /** If absent, a reply is sent to all, and a first message to the owner. */
  to?: PersonKey[];
  cc?: PersonKey[];
  /** Absent: the thread's subject, with the sender's reply prefix where it is a reply. */
  subject?: string;
  /** What the sender wrote, blank lines between paragraphs, no quotes; templates allowed. Also the text part of `html`. */
  body?: string;
  /** A whole HTML document instead of the one made from `body`; templates allowed. Without `body` the mail is HTML only. */
  html?: string;
  /** Index in the thread of the message answered; the one before when absent, none when null. */
  replyTo?: number | null;
  /** `forward` sends the answered message on; `none` leaves the history out; absent: the sender's client quotes it. */
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
  /** Unique; Message-IDs are made from it. */
  id: string;
  subject: string;
  lang?: Lang;
  /** Folder of received messages; `inbox` when absent. The owner's own messages are in `sent`. */
  folder?: SandboxFolder;
  labels?: string[];
  messages: SandboxMessage[];
}

export interface SandboxRawMessage {
  /** The complete RFC 5322 message, CRLF line ends. */
  raw: Uint8Array;
  folder: SandboxFolder;
  internalDate: Date;
  flags: { seen: boolean; flagged: boolean; answered: boolean };
  labels: string[];
}
