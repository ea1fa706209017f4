import { apiRoutes } from "../../src/app/routes.ts";
import { createNotifications, type Notifications } from "../../src/features/notifications/notifications.ts";
import { createWebhooks, type Webhooks } from "../../src/features/webhooks/webhooks.ts";
import type { Route } from "../../src/http/route.ts";
import { createMailbox } from "../../src/mailbox/mailbox.ts";
import { createOutbound } from "../../src/outbound/outbound.ts";
import { EgressGuard } from "../../src/platform/egress/guard.ts";
import type { Platform } from "../../src/platform/platform.ts";
import { MemoryContent } from "./memory-content.ts";

/** Every route of the program, for tests that check all of them. */
export function allRoutes(platform: Platform, content = new MemoryContent()): Route[] {
  const mailbox = createMailbox(platform);
  return apiRoutes(platform, mailbox, createOutbound(platform, mailbox), content, idleWebhooks(platform));
}

/** Notifications that never leave the machine. */
export function idleNotifications(platform: Platform): Notifications {
  const egress = { request: () => Promise.reject(new Error("tests send nothing to the network")) };
  const nothing = { isVip: () => false, mail: () => null, send: () => null, isDecided: () => false };
  const sources = { ...nothing, faults: () => Promise.resolve([]) };
  const guard = new EgressGuard([]);
  const idle = { platform, guard, egress, sources, pauseFault: () => null };
  return createNotifications({ ...idle, user_agent: "test", base: () => null });
}

/** Webhooks that never leave the machine. */
export function idleWebhooks(platform: Platform): Webhooks {
  const egress = { request: () => Promise.reject(new Error("tests send nothing to the network")) };
  const notify = () => {};
  const random = () => 0;
  const guard = new EgressGuard([]);
  return createWebhooks({ platform, guard, egress, notify, user_agent: "test", random });
}
