import type { Caller } from "../../http/caller.ts";
import { isoTime } from "../../kernel/clock.ts";
import type { Platform } from "../../platform/platform.ts";
import type { Usage } from "./model.ts";

/** What the caller's plan allows and what is used of it. */
export function usageOf({ meters, config }: Platform, { user }: Caller): Usage {
  const limits = meters.limits(user);
  return {
    plan: user.plan,
    requests: {
      used: meters.requests(user.id),
      limit: limits.requests_per_day,
      resets: isoTime(meters.resetsAt()),
    },
    sends: { used: meters.used("sends", user.id), limit: limits.sends_per_day },
    ai_credits: {
      used: meters.used("ai_credits", user.id),
      limit: limits.ai_credits_per_month,
      byok: !config.get("ai.metered"),
    },
  };
}
