import { ApiError, invalidParam } from "../../kernel/errors.ts";
import type { ApiKey } from "../../platform/identity/keys.ts";
import type { User } from "../../platform/identity/users.ts";
import type { Platform } from "../../platform/platform.ts";

/** Names, by email address, the team member whose mail a request with an organization key is about. */
export const ON_BEHALF_HEADER = "X-On-Behalf-Of";

/**
 * The person that a request acts for. `refusal` is thrown after the checks that need only the key, in the order of all
 * checks.
 */
export interface Principal {
  user: User;
  refusal: ApiError | null;
}

/**
 * Returns the member that an organization key acts for: someone who accepted the invitation to its team and has not
 * left. The reply does not reveal who else has an account: a stranger, an invited person and an unknown address get the
 * same 404.
 */
export function memberOf(
  platform: Platform,
  key: ApiKey,
  team_id: string,
  isTest: boolean,
  request: Request,
): Principal {
  const { users, teams } = platform;
  const named = request.headers.get(ON_BEHALF_HEADER)?.trim() ?? "";
  if (named === "") {
    const words = `An organization key requires the header ${ON_BEHALF_HEADER} with the email address of a team member.`;
    return { user: teamOnly(platform, key, team_id), refusal: invalidParam(ON_BEHALF_HEADER, words) };
  }
  const member = users.findByEmail(named);
  if (!member || !teams.has(team_id, member.id)) {
    const refusal = new ApiError("not_found", "The team has no such member.", { param: ON_BEHALF_HEADER });
    return { user: teamOnly(platform, key, team_id), refusal };
  }
  if (!isTest) return { user: member, refusal: null };
  return { user: users.sandboxOf(member.id), refusal: null };
}

/**
 * Returns the owner of a personal key or session, which acts for that person only. Refuses a request that names someone
 * else, so that the header is never ignored silently.
 */
export function ownerOnly(user: User, request: Request): Principal {
  const named = request.headers.get(ON_BEHALF_HEADER)?.trim().toLowerCase() ?? "";
  if (named === "" || named === user.email.toLowerCase()) return { user, refusal: null };
  const refusal = invalidParam(
    ON_BEHALF_HEADER,
    "Only an organization key of a team can act for another user. Remove the header, or use an organization key.",
  );
  return { user, refusal };
}

/**
 * Returns the user whose plan, rate limits and quota apply while no member is known: the team itself, which owns
 * nothing.
 */
function teamOnly({ teams }: Platform, key: ApiKey, team_id: string): User {
  return {
    id: team_id,
    email: "",
    plan: "team",
    seats: Math.max(1, teams.seats(team_id)),
    pool_id: team_id,
    role: "member",
    sandbox_of: null,
    timezone: "UTC",
    created_at: key.created_at,
  };
}
