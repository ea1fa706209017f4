import { eventRoutes } from "../../src/features/events/routes.ts";
import { webhookRoutes } from "../../src/features/webhooks/routes.ts";
import type { Notify } from "../../src/features/webhooks/service.ts";
import { createWebhooks, type Webhooks } from "../../src/features/webhooks/webhooks.ts";
import type { EventName } from "../../src/kernel/events.ts";
import { EgressClient } from "../../src/platform/egress/client.ts";
import { EgressGuard } from "../../src/platform/egress/guard.ts";
import type { Platform } from "../../src/platform/platform.ts";
import type { Authority } from "./certificates.ts";
import { type Answer, createHarness, type Harness, type HarnessOptions } from "./http-harness.ts";
import { type HttpsReceiver, type ReceivedRequest, startReceiver } from "./https-receiver.ts";

/** Webhooks over the API, delivered over real TLS to a receiver on loopback, on a clock that the test sets. */
export interface WebhookFixture {
  h: Harness;
  readonly webhooks: Webhooks;
  receiver: HttpsReceiver;
  /** Mails to owners. */
  mails: { user_id: string; subject: string; text: string }[];
  /** Adds an endpoint for all events, or for `events`, that points to `path` of the receiver. */
  endpoint(path?: string, events?: readonly EventName[]): Promise<{ id: string; url: string; secret: string }>;
  /** Writes an event of the harness's user as a change would. */
  emit(thread_id?: string, user_id?: string): void;
  /** Waits until no attempt is in progress and all results are stored. */
  settle(): Promise<void>;
  /** Advances the clock, then settles. */
  advance(ms: number): Promise<void>;
  deliveries(id: string): Promise<DeliveryView[]>;
  view(id: string): Promise<Answer["json"]>;
  /** Stops delivering and restarts, as another process on the same data would. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export interface DeliveryView {
  id: string;
  event_id: string;
  event: string;
  status: string;
  attempt_count: number;
  last_attempt: { response_status: number | null; error: string | null; duration_ms: number } | null;
  next_attempt_at: string | null;
}

export interface WebhookFixtureOptions extends HarnessOptions {
  /** `webhooks.allow`; by default the address of the receiver. */
  allow?: string[];
  notify?: Notify;
}

export async function createWebhookFixture(
  authority: Authority,
  options: WebhookFixtureOptions = {},
): Promise<WebhookFixture> {
  const receiver = await startReceiver(authority.issue(["127.0.0.1"]));
  const mails: WebhookFixture["mails"] = [];
  const guard = new EgressGuard(options.allow ?? ["127.0.0.1"]);
  const notify = options.notify ?? ((user_id, mail) => void mails.push({ user_id, ...mail }));
  let egress: EgressClient;
  const build = (platform: Platform) => {
    egress = new EgressClient({ guard, clock: platform.clock, ca: authority.ca });
    const more = { user_agent: "Postroom/test", random: () => 0 };
    return createWebhooks({ platform, guard, egress, notify, ...more });
  };
  let webhooks!: Webhooks;
  const h = createHarness({
    ...options,
    routes: (platform) => {
      webhooks = build(platform);
      const now: Pick<Webhooks, "service" | "deliveries"> = {
        // After a restart the routes are those of the new process.
        get service() {
          return webhooks.service;
        },
        get deliveries() {
          return webhooks.deliveries;
        },
      };
      return [...webhookRoutes(now), ...eventRoutes(platform)];
    },
  });
  webhooks.deliverer.start();
  const settle = async () => {
    // Announced work begins in the next turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    await webhooks.deliverer.idle();
  };
  return {
    h,
    receiver,
    mails,
    get webhooks() {
      return webhooks;
    },
    async endpoint(path = "/", events = ["thread.updated"]) {
      const { status, json, text } = await h.call("POST", "/webhooks", {
        body: { url: receiver.origin + path, events },
      });
      if (status !== 200) throw new Error(text);
      await settle();
      return json.data;
    },
    emit(thread_id = "thr_1", user_id = h.user.id) {
      h.platform.events.emit(user_id, "thread.updated", { thread_id, changed: ["read"] });
    },
    settle,
    async advance(ms) {
      h.clock.advance(ms);
      await settle();
    },
    deliveries: async (id) => (await h.call("GET", `/webhooks/${id}/deliveries?limit=100`)).json.data,
    view: async (id) => (await h.call("GET", `/webhooks/${id}`)).json.data,
    async restart() {
      await webhooks.deliverer.stop();
      egress.close();
      webhooks = build(h.platform);
      webhooks.deliverer.start();
      await settle();
    },
    async close() {
      await webhooks.deliverer.stop();
      egress.close();
      await receiver.stop();
      h.close();
    },
  };
}

/** Returns the requests that arrived at one path. */
export function receivedAt(receiver: HttpsReceiver, path: string): ReceivedRequest[] {
  return receiver.received.filter((request) => request.path === path);
}
