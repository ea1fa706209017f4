import { ApiError, invalidParam } from "../../kernel/errors.ts";
import type { ApiKey } from "../../platform/identity/keys.ts";
import type { User } from "../../platform/identity/users.ts";
import type { Platform } from "../../platform/platform.ts";

/** Names the member of the team whose mail a request with an organisation key is about, by e-mail address. */
export const ON_BEHALF_HEADER = "X-On-Behalf-Of";

/** For whom a request acts. `refusal` comes after the checks that a key alone decides, in the order of all checks. */
export interface Principal {
  user: User;
  refusal: ApiError | null;
}

/**
 * The member that an organisation key acts for: somebody who accepted to be in its team and still is. Nobody learns who
 * else has an account here: a stranger, somebody who was asked, and nobody at all are the same 404.
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
    return { user: teamAlone(platform, key, team_id), refusal: invalidParam(ON_BEHALF_HEADER, words) };
  }
  const member = users.findByEmail(named);
  if (!member || !teams.has(team_id, member.id)) {
    const refusal = new ApiError("not_found", "The team has no such member.", { param: ON_BEHALF_HEADER });
    return { user: teamAlone(platform, key, team_id), refusal };
  }
  if (!isTest) return { user: member, refusal: null };
  return { user: users.sandboxOf(member.id), refusal: null };
}

/** A personal key, or a session, acts for its own person only: that somebody else is asked for must not pass in silence. */
export function ownerAlone(user: User, request: Request): Principal {
  const named = request.headers.get(ON_BEHALF_HEADER)?.trim().toLowerCase() ?? "";
  if (named === "" || named === user.email.toLowerCase()) return { user, refusal: null };
  const refusal = invalidParam(
    ON_BEHALF_HEADER,
    "Only an organization key of a team can act for another user. Remove the header, or use an organization key.",
  );
  return { user, refusal };
}

/** What plan, rate limits and quota are judged by while no member is known: the team itself, which owns nothing. */
function teamAlone({ teams }: Platform, key: ApiKey, team_id: string): User {
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
