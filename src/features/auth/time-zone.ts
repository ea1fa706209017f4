import type { Caller } from "../../http/guard/caller.ts";
import { invalidParam } from "../../kernel/errors.ts";
import { isTimeZone } from "../../platform/config/table.ts";
import type { User } from "../../platform/identity/users.ts";
import type { Platform } from "../../platform/platform.ts";

/** @throws ApiError invalid_params (`timezone`) */
export function requireTimeZone(timezone: string): void {
  if (!isTimeZone(timezone))
    throw invalidParam("timezone", "timezone must be an IANA time zone such as Europe/Lisbon.");
}

/** Changes the time zone of a person and records the change. @throws ApiError invalid_params */
export function changeTimeZone(
  { users, audit }: Pick<Platform, "users" | "audit">,
  { user, actor, request_id }: Pick<Caller, "user" | "actor" | "request_id">,
  timezone: string,
): User {
  requireTimeZone(timezone);
  const [before, after] = [{ timezone: user.timezone }, { timezone }];
  audit.record({ user_id: user.id, actor, action: "user.update", target: user.id, before, after, request_id });
  return users.change(user.id, { timezone });
}
