import type { Clock } from "../../kernel/clock.ts";
import { LIFTED_LIMITS, type Plan, type PlanLimits, planAllowsTools } from "../../kernel/plans.ts";
import type { Config } from "../config/load.ts";
import type { Db } from "../db/open.ts";
import type { Grants } from "../grants/grants.ts";
import type { Actor, Audit } from "../ledger/audit.ts";
import type { MeteredUser } from "../ledger/meters.ts";
import type { Keyring } from "../sealing/keyring.ts";
import type { User, Users } from "./users.ts";

export const PROGRAM_LIMITS = ["standard", "none"] as const;
/** `standard`: the limits of the plans and the rate limits apply to programs. `none`: they do not. */
export type ProgramLimits = (typeof PROGRAM_LIMITS)[number];

const SETTING = "program_limits";

/** The services that read the choice. Named one by one, because the platform imports this file. */
interface Stored {
  config: Config;
  db: Db;
  grants: Grants;
  keyring: Keyring;
}

/** Returns the limits for programs: from the configuration, otherwise as the owner chose on the settings page. */
export function programLimits(platform: Stored): ProgramLimits {
  return limitsConfigured(platform) ?? (storedLifted(platform) ? "none" : "standard");
}

/** Returns what `limits.programs` in the configuration says; null if it is not set. */
export function limitsConfigured({ config }: Pick<Stored, "config">): ProgramLimits | null {
  const given = config.get("limits.programs");
  return given === "" ? null : (given as ProgramLimits);
}

/** Only "none" is stored, and only that grants anything. A row that the register does not have counts as absent. */
function storedLifted({ db, grants, keyring }: Stored): boolean {
  const stored = db.sql
    .query<{ key: string; value: Uint8Array }, [string]>("SELECT key, value FROM settings WHERE key = ?")
    .get(SETTING);
  const row = grants.checked("settings", stored);
  return row !== null && keyring.system().openJson<ProgramLimits>(`settings.value:${SETTING}`, row.value) === "none";
}

/** Stores the owner's choice. `limits.programs` in the configuration takes precedence. */
export function storeProgramLimits(
  platform: Stored & { clock: Clock; audit: Audit },
  programs: ProgramLimits,
  by: { user_id: string; actor: Actor; request_id?: string | null },
): void {
  const { db, grants, keyring, clock, audit } = platform;
  db.write(() => {
    const before: { programs: ProgramLimits } = { programs: storedLifted(platform) ? "none" : "standard" };
    if (before.programs === programs) return;
    const value = keyring.system().sealJson(`settings.value:${SETTING}`, programs);
    if (programs === "none") grants.insert("settings", { key: SETTING, value, updated_at: clock.now() }, "replace");
    else grants.remove("settings", { key: SETTING });
    audit.record({ ...by, action: "limits.programs", target: null, before, after: { programs } });
  });
}

/**
 * Returns the plan that decides which features a user's programs may use. While the limits are lifted, that is
 * `autopilot` for the owner, even if the owner's own plan has less. The plans of members continue to apply, because the owner
 * chose them.
 */
export function planOfPrograms(platform: Stored & { users: Users }, user: User): Plan {
  if (planAllowsTools(user.plan)) return user.plan;
  return isOwner(platform, user) && programLimits(platform) === "none" ? "autopilot" : user.plan;
}

/** Returns the limits that replace those of a user's plan; null while those of the plan apply. */
export function liftedLimits(platform: Stored & { users: Users }, user: MeteredUser): PlanLimits | null {
  if (programLimits(platform) === "standard") return null;
  // The Free plan has no API access, and lifting limits gives none to members.
  return user.plan !== "free" || isOwner(platform, user) ? LIFTED_LIMITS : null;
}

function isOwner({ users }: { users: Users }, { role, sandbox_of }: MeteredUser): boolean {
  return role === "owner" || (sandbox_of != null && users.get(sandbox_of)?.role === "owner");
}
