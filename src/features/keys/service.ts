import type { Caller } from "../../http/guard/caller.ts";
import { faultOf } from "../../http/user-faults.ts";
import { isoTime } from "../../kernel/clock.ts";
import { ApiError, notFound } from "../../kernel/errors.ts";
import { type Plan, planAllows } from "../../kernel/plans.ts";
import type { Accounts } from "../../mailbox/accounts/accounts.ts";
import { type ApiKey, keyUsable, TEST_PREFIX } from "../../platform/identity/keys.ts";
import { planOfPrograms } from "../../platform/identity/program-limits.ts";
import { Networks } from "../../platform/networks.ts";
import type { Platform } from "../../platform/platform.ts";
import type { KeyView, NewKeyBody, NewTeamKeyBody } from "./model.ts";
import { SCOPE_GROUPS, type ScopeGroup } from "./scope-groups.ts";

const DAY_MS = 86_400_000;

/**
 * Manages API keys for the settings page: a person's own keys, for real mail and for the sandbox, and organization
 * keys.
 */
export class KeyService {
  constructor(
    private readonly platform: Platform,
    private readonly accounts: Accounts,
  ) {}

  /** Returns the groups of scopes, and which of them this person's plan allows. */
  groups({ user }: Caller): (ScopeGroup & { available: boolean })[] {
    const plan = planOfPrograms(this.platform, user);
    return SCOPE_GROUPS.map((group) => ({
      ...group,
      available: group.scopes.every((scope) => planAllows(plan, scope)),
    }));
  }

  /** Returns usable keys first, then the others; newest first within each. */
  list(caller: Caller): KeyView[] {
    const { keys, clock } = this.platform;
    const rows = keys.list(this.#usersOf(caller)).sort((a, b) => (a.id < b.id ? 1 : -1));
    const now = clock.now();
    return [...rows.filter((key) => keyUsable(key, now)), ...rows.filter((key) => !keyUsable(key, now))].map((key) =>
      viewKey(key, now),
    );
  }

  /** Creates a key. @throws ApiError plan_required, invalid_params, not_found (another user's mailbox) */
  create(caller: Caller, given: NewKeyBody): KeyView & { secret: string } {
    const [sandboxId, personId] = this.#usersOf(caller);
    const user_id = given.test ? sandboxId! : personId!;
    requirePlan(planOfPrograms(this.platform, caller.user), given.scopes);
    if (given.account_id != null) this.accounts.owned(user_id, given.account_id, "account_id");
    return this.#make(caller, given, { user_id, account_id: given.account_id ?? null });
  }

  /** Revokes a key immediately and closes its open streams. Idempotent. @throws ApiError not_found */
  revoke(caller: Caller, id: string): void {
    const { keys } = this.platform;
    if (!keys.isOf(this.#usersOf(caller), id)) throw notFound("key");
    keys.revoke(id, caller.actor, caller.request_id);
  }

  /** Returns the organization keys of a team, newest first. @throws ApiError not_found */
  ofTeam(team_id: string): KeyView[] {
    const { keys, clock } = this.platform;
    this.#team(team_id);
    const now = clock.now();
    return keys
      .ofTeam(team_id)
      .reverse()
      .map((key) => viewKey(key, now));
  }

  /** Creates an organization key, which belongs to the team; `caller` is the owner. @throws ApiError as for `create` */
  createForTeam(caller: Caller, team_id: string, given: NewTeamKeyBody): KeyView & { secret: string } {
    this.#team(team_id);
    return this.#make(caller, given, { user_id: caller.user.sandbox_of ?? caller.user.id, team_id });
  }

  /** Revokes an organization key. @throws ApiError not_found */
  revokeOfTeam(caller: Caller, team_id: string, id: string): void {
    const { keys } = this.platform;
    if (keys.get(id)?.team_id !== team_id) throw notFound("key");
    keys.revoke(id, caller.actor, caller.request_id);
  }

  #make(
    { actor, request_id }: Caller,
    { name, scopes, test, expires_in_days, ip_allow = [], tools_only }: NewTeamKeyBody,
    whose: { user_id: string; account_id?: string | null; team_id?: string },
  ): KeyView & { secret: string } {
    const { keys, clock } = this.platform;
    const now = clock.now();
    for (const [i, network] of ip_allow.entries()) faultOf(`ip_allow[${i}]`, () => new Networks([network]));
    const expires_at = expires_in_days == null ? null : now + expires_in_days * DAY_MS;
    const about = { name: name.trim(), scopes, test, expires_at, ip_allow, tools_only, actor, request_id };
    const { key, secret } = keys.create({ ...about, ...whose });
    return { ...viewKey(key, now), secret };
  }

  #team(id: string): void {
    if (!this.platform.teams.get(id)) throw notFound("team");
  }

  /** Returns the ids of the person and of their sandbox, whichever of the two the session shows. */
  #usersOf({ user }: Caller): string[] {
    return this.platform.users.rowsOf(user.sandbox_of ?? user.id);
  }
}

/** Checks that the plan includes the scopes. @throws ApiError plan_required */
function requirePlan(plan: Plan, scopes: readonly NewKeyBody["scopes"][number][]): void {
  if (plan === "free") throw new ApiError("plan_required", "The Free plan has no API access. Change to a higher plan.");
  const closed = scopes.find((scope) => !planAllows(plan, scope));
  if (closed) throw new ApiError("plan_required", `The scope ${closed} requires a higher plan.`);
}

function viewKey(key: ApiKey, now: number): KeyView {
  const { id, name, hint, scopes, account_id, ip_allow, tools_only, created_at, expires_at, revoked_at, last_used_at } =
    key;
  return {
    id,
    name,
    hint,
    scopes,
    test: hint.startsWith(TEST_PREFIX),
    account_id,
    ip_allow,
    tools_only,
    state: keyUsable(key, now) ? "active" : revoked_at === null ? "expired" : "revoked",
    created_at: isoTime(created_at),
    expires_at: timeOrNull(expires_at),
    revoked_at: timeOrNull(revoked_at),
    last_used_at: timeOrNull(last_used_at),
  };
}

const timeOrNull = (ms: number | null): string | null => (ms === null ? null : isoTime(ms));
