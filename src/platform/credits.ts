import { ApiError } from "../kernel/errors.ts";
import { type MeteredUser, poolOf } from "./meters.ts";
import type { Platform } from "./platform.ts";

type CreditParts = Pick<Platform, "meters" | "config">;
export type CreditUser = MeteredUser & { id: string };

/** What AI answers cost (contract, "Limits"; decisions, "AI"). */
export const CREDITS = { draft: 1, answer: 1, brief: 3, search: 1 } as const;

/** Whether the month's credits allow `amount` more; asked before a model is. Only `ai.metered` makes credits binding. */
export function hasCredits(parts: CreditParts, user: CreditUser, amount: number): boolean {
  const limit = bound(parts, user);
  return limit === null || parts.meters.used("ai_credits", poolOf(user)) + amount <= limit;
}

/** @throws ApiError insufficient_credits */
export function requireCredits(parts: CreditParts, user: CreditUser, amount: number): void {
  if (!hasCredits(parts, user, amount)) throw exhausted();
}

/** Counts credits; call it in the transaction of what they pay for. @throws ApiError insufficient_credits */
export function spendCredits(parts: CreditParts, user: CreditUser, amount: number): void {
  if (!takeCredits(parts, user, amount)) throw exhausted();
}

/** The same for who can do without. @returns whether they were there */
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
