import { EVENTS } from "../../kernel/events.ts";
import type { Json } from "./schemas.ts";

const text: Json = { type: "string" };
const object = (properties: Json): Json => ({ type: "object", required: Object.keys(properties), properties });

interface Described {
  summary: string;
  /** Schema of `data`. */
  data: Json;
}

/** Texts for every event. The compiler checks that no event and no field is missing. */
const EVENTS: { [N in EventName]: { summary: string; data: { [F in keyof EventData[N]]: Json } } } = {
  "message.received": {
    summary: "A new message arrived in a connected mailbox, and its labels and category are set.",
    data: {
      thread_id: text,
      message_id: text,
      account_id: text,
      from: object({ email: text }),
      subject: text,
      tags: listOf(text),
    },
  },
  "thread.updated": {
    summary: "The user-visible state of a thread changed: its state, labels, read status, importance or star.",
    data: { thread_id: text, changed: listOf(oneOf(THREAD_ASPECTS)) },
  },
  "send.completed": {
    summary: "A message was sent, after its undo window.",
    data: { send_id: text, thread_id: text, message_id: text },
  },
  "send.failed": {
    summary: "A send failed and will not be retried.",
    data: { send_id: text, reason: text, detail: text },
  },
  "send.bounced": {
    summary: "A sent message was returned as undeliverable.",
    data: { send_id: text, recipient: text, detail: text },
  },
  "draft.created": { summary: "A draft was created.", data: { draft_id: text, thread_id: textOrNull } },
  "agent.action": {
    summary: "The agent recorded an action on a thread.",
    data: { thread_id: text, action: oneOf(["drafted", "followup", "triaged"]), mode: text },
  },
  "brief.ready": {
    summary: "A brief was generated, daily or on demand.",
    data: { date: day, needs_reply_count: whole },
  },
};

const PING: Described = {
  summary: "A test delivery was requested on the settings page or on the command line. Needs no subscription.",
  data: object({ endpoint_id: text }),
};

const SIGNATURE = "`t=<unix seconds>,v1=<hex>`, with one `v1` entry for each valid secret.";

/** Returns the `webhooks` of the description: the requests that receivers get. */
export function webhookDescriptions(): Json {
  const all = Object.entries(EVENTS).map(([name, { when, data }]): [string, Described] => [
    name,
    { summary: `Emitted when ${when}.`, data: object(data) },
  ]);
  return Object.fromEntries(
    [...all, ["webhook.test", PING] as const].map(([name, event]) => [name, describe(name, event)]),
  );
}

function describe(name: string, { summary, data }: Described): Json {
  const body = object({
    id: text,
    event: { type: "string", const: name },
    created_at: { ...text, format: "date-time" },
    data,
  });
  const header = (of: string, description: string) => ({
    name: of,
    in: "header",
    required: true,
    description,
    schema: text,
  });
  return {
    post: {
      operationId: `on ${name}`.replace(/[ .](\w)/g, (_, letter: string) => letter.toUpperCase()),
      tags: ["Webhooks"],
      summary,
      parameters: [
        header("X-Service-Signature", SIGNATURE),
        header("webhook-id", "The event's `id`, the same for every attempt."),
      ],
      requestBody: { required: true, content: { "application/json": { schema: body } } },
      responses: { "2XX": { description: "Received. Any other response, or none within 15 seconds, causes a retry." } },
    },
  };
}
