import { EVENTS } from "../../kernel/events.ts";
import type { Json } from "./schemas.ts";

const text: Json = { type: "string" };
const object = (properties: Json): Json => ({ type: "object", required: Object.keys(properties), properties });

interface Described {
  summary: string;
  /** Schema of `data`. */
  data: Json;
}

const PING: Described = {
  summary: "A test delivery was requested on the settings page or on the command line. Needs no subscription.",
  data: object({ endpoint_id: text }),
};

const SIGNATURE = "`t=<unix seconds>,v1=<hex>`, with one `v1` entry for each valid secret.";

/** The `webhooks` of the description: what receivers get. */
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
