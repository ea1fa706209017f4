import type { EgressClient } from "../../platform/egress/client.ts";
import type { EgressGuard } from "../../platform/egress/guard.ts";
import { PersonalTargets } from "../../platform/egress/targets.ts";
import type { Platform } from "../../platform/platform.ts";
import { Attempts } from "./attempt.ts";
import { Deliverer } from "./deliverer.ts";
import { DeliveryStore } from "./deliveries-store.ts";
import { EndpointStore } from "./endpoints-store.ts";
import { SecretStore } from "./secrets-store.ts";
import { type Notify, WebhookService } from "./service.ts";

export interface WebhookParts {
  platform: Platform;
  guard: EgressGuard;
  egress: Pick<EgressClient, "request">;
  notify: Notify;
  /** For example "Postroom/0.1.0". */
  user_agent: string;
  /** 0–1, for jitter. */
  random: () => number;
}

/** The webhooks module: management of endpoints, and automatic delivery. */
export interface Webhooks {
  service: WebhookService;
  endpoints: EndpointStore;
  deliveries: DeliveryStore;
  deliverer: Deliverer;
}

/** Creates the webhooks module, which delivers nothing until the deliverer is started. */
export function createWebhooks(parts: WebhookParts): Webhooks {
  const { platform, guard, egress, notify, user_agent, random } = parts;
  const endpoints = new EndpointStore(platform);
  const secrets = new SecretStore(platform);
  const deliveries = new DeliveryStore(platform);
  const targets = new PersonalTargets(platform, guard);
  const attempts = new Attempts(egress, targets, platform.clock, user_agent);
  const service = new WebhookService({ platform, endpoints, secrets, deliveries, attempts, targets, notify });
  const deliverer = new Deliverer({
    platform,
    endpoints,
    secrets,
    deliveries,
    attempts,
    disable: (id, reason) => service.disableFailing(id, reason),
    random,
  });
  service.onChange = () => deliverer.refresh();
  return { service, endpoints, deliveries, deliverer };
}
