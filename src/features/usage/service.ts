import type { Caller } from "../../http/guard/caller.ts";
import { isoTime } from "../../kernel/clock.ts";
import { newKeyCap, type SendCap } from "../../outbound/sends/cap.ts";
import type { SendStore } from "../../outbound/sends/store.ts";
import { poolOf } from "../../platform/ledger/meters.ts";
import type { Platform } from "../../platform/platform.ts";
import type { Usage } from "./model.ts";

/** Returns the caller's plan limits and their usage; in a team, the usage of all members together. */
export function usageOf(platform: Platform, sends: SendStore, { user, key }: Caller): Usage {
  const { meters, config } = platform;
  const limits = meters.limits(user);
  const pool = poolOf(user);
  return {
    plan: user.plan,
    requests: {
      used: meters.requests(pool),
      limit: limits.requests_per_day,
      resets: isoTime(meters.resetsAt()),
    },
    sends: capNow(
      { used: meters.used("sends", pool), limit: limits.sends_per_day },
      newKeyCap(platform, sends, key, platform.clock.now()),
    ),
    ai_credits: {
      used: meters.used("ai_credits", pool),
      limit: limits.ai_credits_per_month,
      byok: !config.get("ai.metered"),
    },
  };
}

/** Returns the cap that will refuse a send first. */
function capNow(plan: SendCap, newKey: SendCap | null): SendCap {
  if (newKey === null || plan.limit - plan.used < newKey.limit - newKey.used) return plan;
  const { used, limit } = newKey;
  return { used, limit };
}
