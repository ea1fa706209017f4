import { ApiError } from "../../kernel/errors.ts";
import type { Session } from "../../platform/identity/sessions.ts";

/** Lifetime of a re-authentication. */
const RECENT_AUTH_MS = 15 * 60_000;

/**
 * Requires a recent re-authentication before actions that hand out lasting access or cannot be undone. Someone who
 * finds an open browser has a session, but cannot re-authenticate. @param now ms @throws ApiError proof_required
 */
export function requireRecentAuth(session: Session | null, now: number): void {
  if (session && now - session.proved_at <= RECENT_AUTH_MS) return;
  throw new ApiError(
    "proof_required",
    "Confirm your identity first. Your last confirmation is more than 15 minutes old.",
  );
}
