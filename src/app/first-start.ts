import { isPlan } from "../kernel/plans.ts";
import type { Config } from "../platform/config/load.ts";
import { hostPort } from "../platform/networks.ts";
import type { Platform } from "../platform/platform.ts";

/**
 * Returns the address where a person sets up the installation. The code is in the fragment, which browsers do not send
 * and proxies do not log.
 */
export function setupUrl(config: Config, port: number, token: string): string {
  const host = config.get("http.host");
  const reachable = hostPort({ host: host === "0.0.0.0" || host === "::" ? "localhost" : host, port });
  const base = config.get("http.public_url").replace(/\/$/, "");
  return `${base || `http://${reachable}${config.get("http.base_path")}`}/app/#/setup?token=${token}`;
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
