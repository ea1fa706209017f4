/*
 * The event catalog (docs/webhooks.md, "Event catalog"). Types of events, the webhooks of the OpenAPI description, the
 * table in the guide and the list on the settings page are derived from this table. Its shapes are published: a golden
 * file checks them. After a change, run ./dev generate.
 */

const text = { type: "string" } as const;
const whole = { type: "integer" } as const;
const day = { type: "string", format: "date" } as const;
const oneOf = <const V extends readonly string[]>(values: V) => ({ type: "string", enum: values }) as const;
const listOf = <const S>(items: S) => ({ type: "array", items }) as const;
const textOrNull = <const D extends string>(description: D) =>
  ({ anyOf: [{ type: "string" }, { type: "null" }], description }) as const;

/** Aspects of a thread whose change a user sees; `changed` is a subset of these, in this order. */
export const THREAD_ASPECTS = ["state", "labels", "read", "important", "starred"] as const;
export type ThreadAspect = (typeof THREAD_ASPECTS)[number];

interface CatalogEntry {
  /** Label on the settings page. */
  label: string;
  /** Continues "Emitted when". */
  when: string;
  /** JSON Schema of the fields of `data`. All fields are always present. */
  data: Readonly<Record<string, unknown>>;
}

export const EVENTS = {
  "message.received": {
    label: "New message received",
    when: "a new message has arrived and has its labels and category",
    data: {
      thread_id: text,
      message_id: text,
      account_id: text,
      from: { type: "object", required: ["email"], properties: { email: text } },
      subject: text,
      tags: listOf(text),
    },
  },
  "thread.updated": {
    label: "Thread read, moved, labeled or starred",
    when: "a visible property of a thread has changed, here or on the mail server",
    data: { thread_id: text, changed: listOf(oneOf(THREAD_ASPECTS)) },
  },
  "send.completed": {
    label: "Message accepted by the mail server",
    when: "the mail server has accepted a message, after its undo window",
    data: { send_id: text, thread_id: text, message_id: text },
  },
  "send.failed": {
    label: "Message could not be sent",
    when: "a send has failed and will not be retried",
    data: { send_id: text, reason: text, detail: text },
  },
  "send.bounced": {
    label: "Message bounced",
    when: "a message that had been accepted was returned as undeliverable",
    data: { send_id: text, recipient: text, detail: text },
  },
  "draft.created": {
    label: "Draft created",
    when: "a draft was created by the API or the agent, or by a send that was canceled or failed",
    data: { draft_id: text, thread_id: textOrNull("Null for new mail.") },
  },
  "agent.action": {
    label: "Agent action performed",
    when: "the agent acted on a thread",
    data: { thread_id: text, action: oneOf(["drafted", "followup", "triaged"]), mode: text },
  },
  "brief.ready": {
    label: "Daily brief ready",
    when: "a brief is ready, scheduled or requested",
    data: { date: day, needs_reply_count: whole },
  },
  "approval.requested": {
    label: "Assistant asks to send",
    when: "a message from an assistant waits for your approval on the settings page",
    data: {
      approval_id: text,
      draft_id: text,
      asked_by: { type: "object", required: ["id", "name"], properties: { id: text, name: text } },
      recipients: whole,
    },
  },
} as const satisfies Record<string, CatalogEntry>;

export type EventName = keyof typeof EVENTS;
export const EVENT_NAMES = Object.keys(EVENTS) as EventName[];

/** The value that a schema of the catalog describes. */
type ValueOf<S> = S extends { enum: readonly (infer V)[] }
  ? V
  : S extends { anyOf: unknown }
    ? string | null
    : S extends { type: "integer" }
      ? number
      : S extends { type: "array"; items: infer I }
        ? ValueOf<I>[]
        : S extends { type: "object"; properties: infer P }
          ? { [K in keyof P]: ValueOf<P[K]> }
          : string;

/** Event name → `data`. */
export type EventData = {
  [N in EventName]: { -readonly [F in keyof (typeof EVENTS)[N]["data"]]: ValueOf<(typeof EVENTS)[N]["data"][F]> };
};
