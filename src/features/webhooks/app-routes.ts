import { act, type Route } from "../../http/route.ts";
import { WebhookDeliveryDetail } from "./model.ts";
import { viewDeliveryDetail } from "./views.ts";
import type { Webhooks } from "./webhooks.ts";

/**
 * Defines the route of the Test button in the settings page: sends a webhook.test now and returns the receiver's
 * response.
 */
export function webhookAppRoutes({ service, deliveries }: Pick<Webhooks, "service" | "deliveries">): Route[] {
  return [
    act({
      method: "POST",
      path: "/webhooks/:id/test",
      audience: "session",
      followsSandbox: true,
      params: { id: "webhook" },
      response: WebhookDeliveryDetail,
      handle: async ({ params, caller, commit }) => {
        const { endpoint, delivery } = await service.ping(caller, params.id);
        return commit(() => ({ data: viewDeliveryDetail(deliveries, endpoint, delivery) }));
      },
    }),
  ];
}
