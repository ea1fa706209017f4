import { type Route, read } from "../../http/route.ts";
import type { Platform } from "../../platform/platform.ts";
import { Usage } from "./model.ts";
import { usageOf } from "./service.ts";

export function usageRoutes(platform: Platform): Route[] {
  return [
    read({
      method: "GET",
      path: "/usage",
      scope: "usage:read",
      operation_id: "getUsage",
      tag: "Usage",
      summary: "Plan and consumption",
      description: "Live and test keys are counted apart.",
      response: Usage,
      examples: {
        response: {
          plan: "autopilot",
          requests: { used: 412, limit: 20_000, resets: "2026-03-03T00:00:00.000Z" },
          sends: { used: 3, limit: 1_000 },
          ai_credits: { used: 17, limit: 2_000, byok: true },
        },
      },
      handle: ({ caller }) => usageOf(platform, caller),
    }),
  ];
}
