import type { Caller } from "../../http/caller.ts";
import { isoTime } from "../../kernel/clock.ts";
import { poolOf } from "../../platform/meters.ts";
import type { Platform } from "../../platform/platform.ts";
import type { Usage } from "./model.ts";

/** What the caller's plan allows and what is used of it; in a team, by all of its members. */
export function usageOf({ meters, config }: Platform, { user }: Caller): Usage {
  const limits = meters.limits(user);
  const pool = poolOf(user);
  return {
    plan: user.plan,
    requests: {
      used: meters.requests(pool),
      limit: limits.requests_per_day,
      resets: isoTime(meters.resetsAt()),
    },
    sends: { used: meters.used("sends", pool), limit: limits.sends_per_day },
    ai_credits: {
      used: meters.used("ai_credits", pool),
      limit: limits.ai_credits_per_month,
      byok: !config.get("ai.metered"),
    },
  };
}
