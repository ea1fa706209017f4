import { type Static, Type } from "@sinclair/typebox";
import { listOf } from "../../http/paging.ts";
import { Nullable, OneOf, Timestamp } from "../../http/schema.ts";
import { EVENT_NAMES } from "../../kernel/events.ts";

export const STATUSES = ["active", "disabled"] as const;
export const DELIVERY_STATUSES = ["pending", "delivered", "failed"] as const;

const Events = Type.Array(OneOf(EVENT_NAMES), {
  minItems: 1,
  maxItems: 50,
  description: "Names of the subscribed events. `webhook.test` needs no subscription.",
});
const Url = Type.String({
  maxLength: 2_048,
  description:
    "An HTTPS URL. The host must have a public address, unless the owner of the machine lists it under " +
    "`webhooks.allow`; then `http://` is accepted as well. Endpoints of the owner can also be programs on the same " +
    "machine, such as `http://127.0.0.1:5678/`.",
});
const Status = OneOf(STATUSES, {
  description:
    "`disabled`: the endpoint receives nothing until it is set to `active` again. An endpoint is disabled by " +
    "hand, after three days of continuous failure, or when the receiver answers 410.",
});
const FailureCount = Type.Integer({ description: "Failed attempts since the last success." });
const Secret = Type.String({ description: "`whsec_` followed by base64. Shown only in this response." });

const fields = {
  id: Type.String({ examples: ["whk_01jz4t9h2m8q5r7v3w6x0y1z2a"] }),
  url: Url,
  events: Events,
  status: Status,
  failure_count: FailureCount,
  last_failure_at: Nullable(Timestamp()),
  disabled_at: Nullable(Timestamp()),
  created_at: Timestamp(),
  updated_at: Timestamp(),
};

export const WebhookEndpoint = Type.Object(fields, { $id: "WebhookEndpoint" });
export type WebhookEndpoint = Static<typeof WebhookEndpoint>;

export const NewWebhookEndpoint = Type.Object({ url: Url, events: Events }, { $id: "NewWebhookEndpoint" });

export const WebhookPatch = Type.Object(
  {
    url: Type.Optional(Url),
    events: Type.Optional(Events),
    status: Type.Optional(OneOf(STATUSES, { description: "`active` also clears the failure streak." })),
  },
  { $id: "WebhookPatch" },
);

/** On the last page, the webhook list has a null cursor (docs/api.md, "Pagination"). */
export const WebhookList = Type.Object(
  {
    data: Type.Array(WebhookEndpoint),
    has_more: Type.Boolean(),
    next_cursor: Nullable(Type.String({ description: "Pass it as `cursor`. Null on the last page." })),
  },
  { $id: "WebhookList" },
);

export const WebhookReply = Type.Object({ data: WebhookEndpoint }, { $id: "WebhookReply" });
export const WebhookCreated = Type.Object(
  { data: Type.Object({ ...fields, secret: Secret }) },
  { $id: "WebhookCreated" },
);
export const WebhookUpdated = Type.Object(
  { data: Type.Object({ id: fields.id, events: Events, status: Status, failure_count: FailureCount }) },
  { $id: "WebhookUpdated" },
);
export const WebhookRotated = Type.Object(
  { data: Type.Object({ id: fields.id, status: Status, secret: Secret }) },
  { $id: "WebhookRotated" },
);

const attemptFields = {
  attempt: Type.Integer({ description: "1 for the first attempt." }),
  at: Timestamp(),
  duration_ms: Type.Integer(),
  response_status: Nullable(Type.Integer({ description: "Null if there was no response." })),
  error: Nullable(Type.String({ description: "Why the attempt failed, in words." })),
};

export const WebhookAttempt = Type.Object(attemptFields, { $id: "WebhookAttempt" });
export type WebhookAttempt = Static<typeof WebhookAttempt>;

const deliveryFields = {
  id: Type.String({ examples: ["dlv_01jz4t9h2m8q5r7v3w6x0y1z2b"] }),
  event_id: Type.String({ description: "The event's `id`. Every attempt sends it in the header `webhook-id`." }),
  event: Type.String({ examples: ["message.received"] }),
  status: OneOf(DELIVERY_STATUSES, { description: "`failed`: all attempts of the schedule have failed." }),
  attempt_count: Type.Integer(),
  last_attempt: Nullable(WebhookAttempt),
  next_attempt_at: Nullable(Timestamp("Null unless `pending`.")),
  created_at: Timestamp(),
  finished_at: Nullable(Timestamp()),
};

export const WebhookDelivery = Type.Object(deliveryFields, { $id: "WebhookDelivery" });
export type WebhookDelivery = Static<typeof WebhookDelivery>;
export const WebhookDeliveryList = listOf(WebhookDelivery, "WebhookDeliveryList");
export const WebhookDeliveryReply = Type.Object({ data: WebhookDelivery }, { $id: "WebhookDeliveryReply" });

export const WebhookDeliveryDetail = Type.Object(
  {
    data: Type.Object({
      ...deliveryFields,
      attempts: Type.Array(
        Type.Object({
          ...attemptFields,
          response_headers: Type.Record(Type.String(), Type.String()),
          response_body: Type.String({ description: "The first 4 KiB of the response body." }),
        }),
        { description: "Oldest first; at most the newest 50." },
      ),
    }),
  },
  { $id: "WebhookDeliveryDetail" },
);
export type WebhookDeliveryDetail = Static<typeof WebhookDeliveryDetail>;
