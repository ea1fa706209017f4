import type { NotificationTarget } from "../../../../src/features/notifications/model.ts";
import type { Option } from "../../parts/field.tsx";
import type { Tone } from "../../parts/layout.tsx";

type Kind = keyof NotificationTarget["kinds"];

/** What a person can be notified of, in the order of the form. */
export const KINDS: readonly { kind: Kind; label: string; hint: string }[] = [
  { kind: "mail", label: "New mail from VIPs", hint: "Your VIP contacts and VIP senders." },
  { kind: "approval", label: "Approvals", hint: "An assistant asks to send a message." },
  { kind: "send", label: "Failed sends", hint: "A message could not be sent, or was returned." },
  { kind: "brief", label: "Daily brief", hint: "The brief is ready." },
  { kind: "health", label: "Health", hint: "A mailbox, a backup or a check of this installation has failed." },
];

export const MODES: readonly Option[] = [
  { value: "off", label: "Off" },
  { value: "on", label: "On" },
];

/** Modes of kinds that can be sent at any time. */
export const URGENT_MODES: readonly Option[] = [...MODES, { value: "always", label: "On, also during quiet hours" }];

export const isUrgent = (kind: Kind): boolean => kind === "approval" || kind === "health";

export const SERVICES: Record<NotificationTarget["service"], string> = { ntfy: "ntfy", apprise: "Apprise API" };

export const DETAILS: readonly { value: NotificationTarget["detail"]; title: string; text: string }[] = [
  {
    value: "minimal",
    title: "Only that something arrived",
    text: "“A VIP has written to you.” No names, no subjects.",
  },
  { value: "sender", title: "Sender", text: "Also names and addresses, such as that of a mailbox." },
  {
    value: "subject",
    title: "Sender and subject",
    text: "Also subjects and the reasons of faults. Never the text of a message.",
  },
];

export const STATUS: Record<NotificationTarget["status"], [Tone, string]> = {
  active: ["good", "Active"],
  failing: ["bad", "Failing"],
  off: ["quiet", "Off"],
};

/** Returns when a target is notified: "at once", "every 4 hours". */
export function digestText({ digest, digest_hours, digest_at }: NotificationTarget): string {
  if (digest === "off") return "at once";
  if (digest === "daily") return `daily at ${digest_at}`;
  return digest_hours === 1 ? "every hour" : `every ${digest_hours} hours`;
}
