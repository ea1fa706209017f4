import { isPlan } from "../kernel/plans.ts";
import type { Platform } from "../platform/platform.ts";

/**
 * Returns the address where a person sets up the installation. The code is in the fragment, which browsers do not send
 * and proxies do not log.
 * @param base the address of `browserUrl`
 */
export function setupUrl(base: string, token: string): string {
  return `${base}/app/#/setup?token=${token}`;
}

/** Gives an empty data folder an owner and the linked sandbox user (docs/api.md, "Test keys and the sandbox"). */
export function ensureOwner(platform: Platform): void {
  const { config, users } = platform;
  if (users.exist()) return;
  const plan = config.get("owner.plan");
  users.add({
    email: config.get("owner.email"),
    plan: isPlan(plan) ? plan : "autopilot",
    role: "owner",
    timezone: config.get("owner.timezone"),
  });
}
