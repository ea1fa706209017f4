/**
 * The event catalog: name → data fields (docs/webhooks.md, "Event catalog"). These shapes are published; a golden file
 * pins them.
 */
export interface EventData {
  "message.received": {
    thread_id: string;
    message_id: string;
    account_id: string;
    from: { email: string };
    subject: string;
    tags: string[];
  };
  "thread.updated": { thread_id: string; changed: ThreadAspect[] };
  "send.completed": { send_id: string; thread_id: string; message_id: string };
  "send.failed": { send_id: string; reason: string; detail: string };
  "send.bounced": { send_id: string; recipient: string; detail: string };
  "draft.created": { draft_id: string; thread_id: string | null };
  "agent.action": { thread_id: string; action: "drafted" | "followup" | "triaged"; mode: string };
  "brief.ready": { date: string; needs_reply_count: number };
}

/** Aspects of a thread whose change a user sees. `changed` is a subset of these, in this order. */
export const THREAD_ASPECTS = ["state", "labels", "read", "important", "starred"] as const;
export type ThreadAspect = (typeof THREAD_ASPECTS)[number];

export type EventName = keyof EventData;

export const EVENT_NAMES = [
  "message.received",
  "thread.updated",
  "send.completed",
  "send.failed",
  "send.bounced",
  "draft.created",
  "agent.action",
  "brief.ready",
] as const satisfies readonly EventName[];
