import type { EventName } from "../../kernel/events.ts";

/** What a person can be notified of (docs/notifications.md, "Kinds"). */
export const KINDS = ["mail", "approval", "send", "brief", "health"] as const;
export type Kind = (typeof KINDS)[number];

/** `always`: also during quiet hours and without waiting for a digest. */
export type KindMode = "off" | "on" | "always";

/** Kinds that can be `always`. */
const URGENT_KINDS: readonly Kind[] = ["approval", "health"];

/** Returns whether a notification waits neither for a digest nor for the end of quiet hours. */
export function isUrgent({ kinds }: { kinds: Record<Kind, KindMode> }, kind: Kind): boolean {
  return kinds[kind] === "always" && URGENT_KINDS.includes(kind);
}

/** How much of the mail a notification says. */
export const DETAILS = ["minimal", "sender", "subject"] as const;
export type Detail = (typeof DETAILS)[number];

/** The events that each kind is made from. Health has none: the faults are found by checks. */
export const EVENTS_OF: Record<Kind, readonly EventName[]> = {
  mail: ["message.received"],
  approval: ["approval.requested"],
  send: ["send.failed", "send.bounced"],
  brief: ["brief.ready"],
  health: [],
};

/** What a notification is about. How much of it is said depends on the target when it is sent. */
export type Content =
  | { kind: "mail"; name: string; email: string; subject: string; thread_id: string }
  | { kind: "approval"; approval_id: string; asked_by: string; recipients: number }
  | { kind: "send"; to: string[]; subject: string; draft_id: string | null; bounced: boolean }
  | { kind: "brief"; needs_reply: number }
  | { kind: "health"; what: "mailbox" | "check"; name: string; detail: string; page: string };
