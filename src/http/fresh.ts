import { ApiError } from "../kernel/errors.ts";
import type { Session } from "../platform/identity/sessions.ts";

/** How long after a proof no further one is asked for. */
const FRESH_MS = 15 * 60_000;

/**
 * Before what hands out lasting power or cannot be undone: whoever finds an open browser has a session, but cannot prove to
 * be its person. @param now ms @throws ApiError proof_required
 */
export function requireFresh(session: Session | null, now: number): void {
  if (session && now - session.proved_at <= FRESH_MS) return;
  throw new ApiError(
    "proof_required",
    "Confirm your identity first. Your last confirmation is more than 15 minutes old.",
  );
}
