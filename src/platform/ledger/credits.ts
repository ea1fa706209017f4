import { ApiError } from "../../kernel/errors.ts";
import type { Platform } from "../platform.ts";
import { type MeteredUser, poolOf } from "./meters.ts";

type CreditParts = Pick<Platform, "meters" | "config">;
export type CreditUser = MeteredUser & { id: string };

/** Prices of AI calls in credits (docs/ai.md, "Credits"). */
export const CREDITS = { draft: 1, answer: 1, brief: 3, search: 1 } as const;

/**
 * Returns whether `amount` credits are left this month. Call it before a model call. Always true without `ai.metered`.
 */
export function hasCredits(parts: CreditParts, user: CreditUser, amount: number): boolean {
  const limit = bound(parts, user);
  return limit === null || parts.meters.used("ai_credits", poolOf(user)) + amount <= limit;
}

/** Requires `amount` credits without spending them. @throws ApiError insufficient_credits */
export function requireCredits(parts: CreditParts, user: CreditUser, amount: number): void {
  if (!hasCredits(parts, user, amount)) throw exhausted();
}

/** Spends credits. Call it in the transaction of what they pay for. @throws ApiError insufficient_credits */
export function spendCredits(parts: CreditParts, user: CreditUser, amount: number): void {
  if (!takeCredits(parts, user, amount)) throw exhausted();
}

/** Spends credits if enough are left, for callers that have a fallback. @returns whether they were spent */
export function takeCredits(parts: CreditParts, user: CreditUser, amount: number): boolean {
  return parts.meters.spend("ai_credits", poolOf(user), amount, bound(parts, user));
}

function bound({ meters, config }: CreditParts, user: CreditUser): number | null {
  return config.get("ai.metered") ? meters.limits(user).ai_credits_per_month : null;
}

function exhausted(): ApiError {
  return new ApiError(
    "insufficient_credits",
    "The AI credits for this month are used up. They reset on the first day of the next month.",
  );
}
