import type { Platform } from "../../platform/platform.ts";
import type { SendStore } from "./store.ts";

const DAY_MS = 86_400_000;

/** The used part of a cap, in messages. */
export interface SendCap {
  used: number;
  limit: number;
}

/**
 * Returns the send cap of a key's first 24 hours (docs/sending.md, "Send limits") and when it ends, ms. Returns null
 * for an older key and for a session.
 * @param key `created_at` in ms; 0 for a session
 */
export function newKeyCap(
  { config }: Pick<Platform, "config">,
  sends: SendStore,
  key: { id: string; created_at: number },
  now: number,
): (SendCap & { endsAt: number }) | null {
  if (now - key.created_at >= DAY_MS) return null;
  const limit = config.get("limits.new_key_sends_per_day");
  return { used: sends.countOfKey(key.id, now - DAY_MS), limit, endsAt: key.created_at + DAY_MS };
}
