import type { Scope } from "./scopes.ts";
import { SCOPES } from "./scopes.ts";

export const PLANS = ["free", "pro", "autopilot", "team"] as const;
export type Plan = (typeof PLANS)[number];

/** Returns whether a text is the name of a plan. */
export function isPlan(value: string): value is Plan {
  return (PLANS as readonly string[]).includes(value);
}

/** Limits of a plan (docs/api.md, "Plans and daily quotas"). */
export interface PlanLimits {
  requests_per_day: number;
  sends_per_day: number;
  webhook_endpoints: number;
  ai_credits_per_month: number;
}

/**
 * Team limits are per seat (docs/api.md, "Plans and daily quotas": seats × the Autopilot limits), except webhook
 * endpoints.
 */
export const PLAN_DEFAULTS: Record<Plan, PlanLimits> = {
  free: { requests_per_day: 0, sends_per_day: 0, webhook_endpoints: 0, ai_credits_per_month: 0 },
  pro: { requests_per_day: 5_000, sends_per_day: 200, webhook_endpoints: 2, ai_credits_per_month: 300 },
  autopilot: { requests_per_day: 20_000, sends_per_day: 1_000, webhook_endpoints: 10, ai_credits_per_month: 2_000 },
  team: { requests_per_day: 20_000, sends_per_day: 1_000, webhook_endpoints: 20, ai_credits_per_month: 2_000 },
};

/**
 * Stands for "no limit" where the API promises a whole number. It is enforced like any other limit, so responses that
 * name it are true.
 */
export const NO_LIMIT = 1_000_000_000;

/** Limits of everyone while the limits for programs are lifted. Each webhook endpoint takes memory for its queue. */
export const LIFTED_LIMITS: PlanLimits = {
  requests_per_day: NO_LIMIT,
  sends_per_day: NO_LIMIT,
  webhook_endpoints: 1_000,
  ai_credits_per_month: NO_LIMIT,
};

/**
 * Returns whether a plan includes a scope: Free includes none, Pro the core scopes (all but `agent:*`), the others all.
 */
export function planAllows(plan: Plan, scope: Scope): boolean {
  if (plan === "free") return false;
  if (plan === "pro") return !scope.startsWith("agent:");
  return SCOPES.includes(scope);
}

/** Returns whether a plan includes the tool server for assistants: Autopilot and Team do. */
export function planAllowsTools(plan: Plan): boolean {
  return plan === "autopilot" || plan === "team";
}
