import { Type } from "@sinclair/typebox";
import { pageQuery } from "../../http/paging.ts";
import { change, type Route, read } from "../../http/route.ts";
import { OneOf } from "../../http/schema.ts";
import { deliveryRoutes } from "./delivery-routes.ts";
import { EXAMPLE_ENDPOINT, EXAMPLE_SECRET } from "./examples.ts";
import {
  NewWebhookEndpoint,
  STATUSES,
  WebhookCreated,
  WebhookList,
  WebhookPatch,
  WebhookReply,
  WebhookRotated,
  WebhookUpdated,
} from "./model.ts";
import { viewEndpoint } from "./views.ts";
import type { Webhooks } from "./webhooks.ts";

const { id, url, events, status, failure_count } = EXAMPLE_ENDPOINT;

/** Returns the routes for webhook endpoints. */
export function webhookRoutes({ service, deliveries }: Pick<Webhooks, "service" | "deliveries">): Route[] {
  return [
    read({
      method: "GET",
      path: "/webhooks",
      scope: "webhooks:manage",
      operationId: "listWebhooks",
      tag: "Webhooks",
      summary: "List webhook endpoints",
      description: "Lists endpoints, newest first.",
      query: Type.Object({ ...pageQuery, status: Type.Optional(OneOf(STATUSES)) }),
      response: WebhookList,
      examples: { response: { data: [EXAMPLE_ENDPOINT], has_more: false, next_cursor: null } },
      handle: ({ query, caller, pager }) => {
        const page = service.list(caller, query, pager.after("webhooks", query.cursor));
        const { data, has_more, next_cursor = null } = pager.reply("webhooks", page, viewEndpoint);
        return { data, has_more, next_cursor };
      },
    }),
    change({
      method: "POST",
      path: "/webhooks",
      scope: "webhooks:manage",
      operationId: "createWebhook",
      tag: "Webhooks",
      summary: "Create a webhook endpoint",
      description:
        "Creates an endpoint that receives events from now on. Store the secret: it signs the deliveries and is " +
        "shown only once. The plan limits the number of endpoints; beyond the limit, the response is 402 " +
        "`plan_required`.",
      recentAuth: true,
      body: NewWebhookEndpoint,
      response: WebhookCreated,
      examples: { body: { url, events }, response: { data: { ...EXAMPLE_ENDPOINT, secret: EXAMPLE_SECRET } } },
      handle: ({ body, caller }) => {
        const endpoint = service.create(caller, body);
        return { data: { ...viewEndpoint(endpoint), secret: endpoint.secret } };
      },
    }),
    read({
      method: "GET",
      path: "/webhooks/:id",
      scope: "webhooks:manage",
      operationId: "getWebhook",
      tag: "Webhooks",
      summary: "Get a webhook endpoint",
      description: "Returns an endpoint without its secret.",
      params: { id: "webhook" },
      response: WebhookReply,
      examples: { response: { data: EXAMPLE_ENDPOINT } },
      handle: ({ params, caller }) => ({ data: viewEndpoint(service.get(caller, params.id)) }),
    }),
    change({
      method: "PATCH",
      path: "/webhooks/:id",
      scope: "webhooks:manage",
      operationId: "updateWebhook",
      tag: "Webhooks",
      summary: "Update a webhook endpoint",
      description:
        'Changes the URL, the subscribed events or the status of an endpoint. `status: "active"` clears the failure ' +
        "streak. All events still in the log are then delivered: pending ones, those given up during the streak, and " +
        "those emitted while the endpoint was disabled.",
      recentAuth: true,
      params: { id: "webhook" },
      body: WebhookPatch,
      response: WebhookUpdated,
      examples: { body: { status: "active" }, response: { data: { id, events, status, failure_count } } },
      handle: ({ params, body, caller }) => {
        const { events, status, failure_count } = service.update(caller, params.id, body);
        return { data: { id: params.id, events, status, failure_count } };
      },
    }),
    change({
      method: "POST",
      path: "/webhooks/:id/rotate-secret",
      scope: "webhooks:manage",
      operationId: "rotateWebhookSecret",
      tag: "Webhooks",
      summary: "Rotate the secret",
      description:
        "Replaces the secret and returns the new one, which is shown only once. For 24 hours, deliveries are also " +
        "signed with the old secret.",
      recentAuth: true,
      params: { id: "webhook" },
      response: WebhookRotated,
      examples: { response: { data: { id, status, secret: EXAMPLE_SECRET } } },
      handle: ({ params, caller }) => {
        const { status, secret } = service.rotateSecret(caller, params.id);
        return { data: { id: params.id, status, secret } };
      },
    }),
    change({
      method: "DELETE",
      path: "/webhooks/:id",
      scope: "webhooks:manage",
      operationId: "deleteWebhook",
      tag: "Webhooks",
      summary: "Delete a webhook endpoint",
      description: "Deletes an endpoint and its delivery history.",
      params: { id: "webhook" },
      handle: ({ params, caller }) => service.remove(caller, params.id),
    }),
    ...deliveryRoutes({ service, deliveries }),
  ];
}
