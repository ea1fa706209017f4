import { Type } from "@sinclair/typebox";
import { pageQuery } from "../../http/paging.ts";
import { change, type Route, read } from "../../http/route.ts";
import { OneOf } from "../../http/schema.ts";
import { EXAMPLE_DELIVERY, EXAMPLE_DELIVERY_DETAIL } from "./examples.ts";
import { DELIVERY_STATUSES, WebhookDeliveryDetail, WebhookDeliveryList, WebhookDeliveryReply } from "./model.ts";
import { viewDelivery, viewDeliveryDetail } from "./views.ts";
import type { Webhooks } from "./webhooks.ts";

/** Returns the routes for the deliveries of an endpoint. */
export function deliveryRoutes({ service, deliveries }: Pick<Webhooks, "service" | "deliveries">): Route[] {
  return [
    read({
      method: "GET",
      path: "/webhooks/:id/deliveries",
      scope: "webhooks:manage",
      operationId: "listWebhookDeliveries",
      tag: "Webhooks",
      summary: "List deliveries",
      description:
        "Lists the deliveries of an endpoint, newest first, each with its last attempt. Deliveries are kept as long " +
        "as their events.",
      params: { id: "webhook" },
      query: Type.Object({ ...pageQuery, status: Type.Optional(OneOf(DELIVERY_STATUSES)) }),
      response: WebhookDeliveryList,
      examples: { response: { data: [EXAMPLE_DELIVERY], has_more: false } },
      handle: ({ params, query, caller, pager }) => {
        const endpoint = service.get(caller, params.id);
        const page = service.deliveriesOf(caller, params.id, query, pager.after("deliveries", query.cursor));
        return pager.reply("deliveries", page, (delivery) => viewDelivery(deliveries, endpoint, delivery));
      },
    }),
    read({
      method: "GET",
      path: "/webhooks/:id/deliveries/:delivery_id",
      scope: "webhooks:manage",
      operationId: "getWebhookDelivery",
      tag: "Webhooks",
      summary: "Get a delivery",
      description: "Returns a delivery with its newest 50 attempts, oldest first.",
      params: { id: "webhook", delivery_id: "delivery" },
      response: WebhookDeliveryDetail,
      examples: { response: { data: EXAMPLE_DELIVERY_DETAIL } },
      handle: ({ params, caller }) => {
        const { endpoint, delivery } = service.delivery(caller, params.id, params.delivery_id);
        return { data: viewDeliveryDetail(deliveries, endpoint, delivery) };
      },
    }),
    change({
      method: "POST",
      path: "/webhooks/:id/deliveries/:delivery_id/redeliver",
      scope: "webhooks:manage",
      operationId: "redeliverWebhook",
      tag: "Webhooks",
      summary: "Redeliver an event",
      description:
        "Sends the same event again with the same `webhook-id`, regardless of the state of the earlier delivery. The " +
        "first attempt is immediate; further attempts follow the retry schedule. If the endpoint is disabled, the " +
        "event is sent when the endpoint is active again.",
      params: { id: "webhook", delivery_id: "delivery" },
      response: WebhookDeliveryReply,
      examples: { response: { data: EXAMPLE_DELIVERY } },
      handle: ({ params, caller }) => {
        const { endpoint, delivery } = service.redeliver(caller, params.id, params.delivery_id);
        return { data: viewDelivery(deliveries, endpoint, delivery) };
      },
    }),
  ];
}
