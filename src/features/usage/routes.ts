import { type Route, read } from "../../http/route.ts";
import type { SendStore } from "../../outbound/sends/store.ts";
import type { Platform } from "../../platform/platform.ts";
import { Usage } from "./model.ts";
import { usageOf } from "./service.ts";

/** Returns the route that shows the caller's plan and usage. */
export function usageRoutes(platform: Platform, sends: SendStore): Route[] {
  return [
    read({
      method: "GET",
      path: "/usage",
      scope: "usage:read",
      operationId: "getUsage",
      tag: "Usage",
      summary: "Get plan and usage",
      description:
        "Returns the plan, its limits and what is used. Live and test keys are counted separately.\n\n`sends` shows " +
        "the cap that currently applies to this key. In its first 24 hours, a new key sends at most 50 messages " +
        "(configurable), and `used` counts the sends of this key alone. After that, or if the plan has less left, " +
        "`sends` shows the plan's limit.",
      response: Usage,
      examples: {
        response: {
          plan: "autopilot",
          requests: { used: 412, limit: 20_000, resets: "2026-03-03T00:00:00.000Z" },
          sends: { used: 3, limit: 1_000 },
          ai_credits: { used: 17, limit: 2_000, byok: true },
        },
      },
      handle: ({ caller }) => usageOf(platform, sends, caller),
    }),
  ];
}
