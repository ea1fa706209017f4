import { keyUsable } from "../../platform/identity/keys.ts";
import type { Platform } from "../../platform/platform.ts";

/** Returns whether a key or connection still gives access. */
export function isUsable({ keys, connections, clock }: Platform, credential_id: string): boolean {
  const key = keys.get(credential_id);
  if (key) return keyUsable(key, clock.now());
  return connections.get(credential_id)?.revoked_at === null;
}
