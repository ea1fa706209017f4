import type { EventData } from "../../kernel/events.ts";
import type { User } from "../../platform/identity/users.ts";
import type { LoggedEvent } from "../../platform/ledger/events.ts";
import type { Content } from "./kinds.ts";

/** A received message, as far as a notification needs it. */
export interface ReceivedMail {
  name: string;
  email: string;
  subject: string;
  /** Whether it is where people look for mail: neither in spam nor in the trash. */
  visible: boolean;
  /** Whether the mail server reported that the sender is not who the address says. */
  forged: boolean;
}

/** A send that did not arrive. */
export interface FailedSend {
  to: string[];
  subject: string;
  draft_id: string | null;
}

/** Something that does not work until the person acts. */
export interface Fault {
  /** Identifies it among the faults of a person. */
  key: string;
  content: Extract<Content, { kind: "health" }>;
  /** How long it must last before the person is notified, ms. */
  patienceMs: number;
}

/** What the other features know. */
export interface Sources {
  /** Returns whether a sender is a VIP of the contacts. @param email lower case */
  isVip(user_id: string, email: string): boolean;
  /** Returns a received message; null if it no longer exists. */
  mail(user_id: string, message_id: string): ReceivedMail | null;
  /** Returns a send; null if it no longer exists. */
  send(user_id: string, send_id: string): FailedSend | null;
  /** Returns whether a decision about an approval has been made, or is no longer possible. */
  isDecided(user_id: string, approval_id: string): boolean;
  /** Returns what does not work, for the owner also of the installation. */
  faults(user: User): Promise<Fault[]>;
}

/** Returns whether a sender is on a person's list of addresses and `*@domain`. All in lower case. */
function isListed(senders: readonly string[], email: string): boolean {
  return senders.includes(email) || senders.includes(`*${email.slice(email.lastIndexOf("@"))}`);
}

/**
 * Returns what a person is notified of because of an event; null for nothing.
 * @param senders addresses that count as VIPs, beside the VIPs of the contacts
 */
export function contentOf(sources: Sources, senders: readonly string[], event: LoggedEvent): Content | null {
  const { user_id, data } = event;
  switch (event.event) {
    case "message.received": {
      const { thread_id, message_id, from } = data as EventData["message.received"];
      const email = from.email.toLowerCase();
      if (!isListed(senders, email) && !sources.isVip(user_id, email)) return null;
      const mail = sources.mail(user_id, message_id);
      if (!mail?.visible || mail.forged) return null;
      const { name, subject } = mail;
      return { kind: "mail", name, email: mail.email, subject, thread_id };
    }
    case "approval.requested": {
      const { approval_id, asked_by, recipients } = data as EventData["approval.requested"];
      return { kind: "approval", approval_id, asked_by: asked_by.name, recipients };
    }
    case "send.failed":
    case "send.bounced": {
      const { send_id } = data as EventData["send.failed"];
      const send = sources.send(user_id, send_id) ?? { to: [], subject: "", draft_id: null };
      const bounced = event.event === "send.bounced";
      const to = bounced ? [(data as EventData["send.bounced"]).recipient] : send.to;
      return { kind: "send", to, subject: send.subject, draft_id: send.draft_id, bounced };
    }
    case "brief.ready":
      return { kind: "brief", needs_reply: (data as EventData["brief.ready"]).needs_reply_count };
    default:
      return null;
  }
}
