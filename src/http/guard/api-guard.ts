import { ApiError, UserError } from "../../kernel/errors.ts";
import { NO_LIMIT, planAllows, planAllowsTools } from "../../kernel/plans.ts";
import { SCOPES, type Scope } from "../../kernel/scopes.ts";
import type { Config } from "../../platform/config/load.ts";
import { type ApiKey, keyUsable, TEST_PREFIX } from "../../platform/identity/keys.ts";
import { planOfPrograms, programLimits } from "../../platform/identity/program-limits.ts";
import type { Session } from "../../platform/identity/sessions.ts";
import { poolOf } from "../../platform/ledger/meters.ts";
import { Networks } from "../../platform/networks.ts";
import type { Platform } from "../../platform/platform.ts";
import { UsageFlush } from "../usage-flush.ts";
import { connectionOf } from "./assistant-token.ts";
import { addressBucket, clientAddress, plainAddress } from "./client-address.ts";
import type { Identity } from "./identity.ts";
import { memberOf, ownerOnly } from "./on-behalf.ts";
import { RateLimiter, type RateLimitState, tightest } from "./rate-limit.ts";

/**
 * The checks before a handler, in their fixed order (docs/api.md, "Order of checks"): the address's rate limit, 401,
 * the other rate limits, plan, scope, request quota. The HTTP pipeline calls them one after the other; each throws the
 * ApiError that ends the request.
 */
export class ApiGuard {
  /** Records which credentials were used. */
  readonly usage: UsageFlush;
  readonly #platform: Platform;
  readonly #trusted: Networks;
  readonly #byKey: RateLimiter;
  readonly #byUser: RateLimiter;
  readonly #byAddress: RateLimiter;
  readonly #bySession: RateLimiter;

  constructor(platform: Platform) {
    const { config, clock } = platform;
    this.#platform = platform;
    this.usage = new UsageFlush(platform);
    this.#trusted = trustedProxies(config);
    this.#byKey = new RateLimiter(clock, config.get("limits.requests_per_minute_key"));
    this.#byUser = new RateLimiter(clock, config.get("limits.requests_per_minute_user"));
    this.#byAddress = new RateLimiter(clock, config.get("limits.requests_per_minute_ip"));
    this.#bySession = new RateLimiter(clock, config.get("limits.requests_per_minute_session"));
  }

  /** Returns the client's address behind trusted proxies. Records a proxy that the configuration does not list. */
  address(request: Request, peer: string): string {
    if (!this.isDirect(request, peer)) this.#platform.untrustedProxies.note(plainAddress(peer) ?? peer);
    return clientAddress(peer, request.headers.get("x-forwarded-for"), this.#trusted);
  }

  /** Returns whether the peer is the client itself, not a proxy missing from the configuration. */
  isDirect(request: Request, peer: string): boolean {
    const forwarded = request.headers.has("x-forwarded-for") || request.headers.has("forwarded");
    return !forwarded || this.isTrusted(peer);
  }

  /** Returns whether the peer is a proxy of `http.trusted_proxies`. */
  isTrusted(peer: string): boolean {
    return this.#trusted.has(plainAddress(peer) ?? "");
  }

  /**
   * Finds the credential and its user. Runs on every request, so that a revocation takes effect at once, even from
   * another process.
   * @param resource URL for which access tokens of assistants count as well; absent: only API keys do
   */
  identify(request: Request, address: string, resource?: string): Identity {
    const secret = /^Bearer +([^\s]+) *$/i.exec(request.headers.get("authorization") ?? "")?.[1];
    if (!secret)
      throw new ApiError("unauthorized", "No API key was sent. Send the header Authorization: Bearer <API_KEY>.");
    const connected = resource === undefined ? null : connectionOf(this.#platform, secret, resource);
    if (connected) return { ...connected, refusal: ownerOnly(connected.user, request).refusal };
    const key = this.#platform.keys.find(secret);
    if (!key) {
      const message =
        resource === undefined
          ? "The API key is not valid. Check that it is complete, or create a new one."
          : "The access token or API key is not valid, or the token has expired. Connect again.";
      throw new ApiError("unauthorized", message);
    }
    if (!keyUsable(key, this.#platform.clock.now())) {
      throw new ApiError(
        "unauthorized",
        `The API key ${key.revoked_at === null ? "has expired" : "was revoked"}. Create a new one on the settings page.`,
      );
    }
    if (key.ip_allow.length > 0 && !new Networks(key.ip_allow).has(address)) {
      throw new ApiError("unauthorized", "This address is not on the allow list of the API key.");
    }
    const owner = this.#platform.users.get(key.user_id);
    if (!owner)
      throw new ApiError("unauthorized", "The API key is not valid. Check that it is complete, or create a new one.");
    const { team_id } = key;
    const isTest = isTestKey(key);
    const { user, refusal } =
      team_id === null ? ownerOnly(owner, request) : memberOf(this.#platform, key, team_id, isTest, request);
    const memberId = user.sandbox_of ?? user.id;
    return {
      credential: { kind: "key", ...key, readsContext: key.scopes.includes("context:read") },
      hint: key.hint,
      user,
      actor: { kind: "key", id: key.id },
      isTest,
      usable: () => {
        const now = this.#platform.keys.get(key.id);
        if (now === null || !keyUsable(now, this.#platform.clock.now())) return false;
        return team_id === null || this.#platform.teams.has(team_id, memberId);
      },
      refusal,
    };
  }

  /** Returns the person of a session, who has full access to their own data. */
  identifySession({ id, user_id }: Session, inSandbox: boolean, request: Request): Identity {
    const { users, sessions } = this.#platform;
    const person = users.get(user_id);
    if (!person) throw new ApiError("unauthorized", "Sign in first.");
    return {
      credential: {
        ...{ kind: "session", id, name: "", scopes: SCOPES, account_id: null, created_at: 0 },
        readsContext: true,
      },
      hint: "session",
      user: inSandbox ? users.sandboxOf(person.id) : person,
      actor: { kind: "user", id: person.id },
      isTest: inSandbox,
      usable: () => sessions.get(id) !== null,
      refusal: ownerOnly(person, request).refusal,
    };
  }

  /** Counts a request without a usable key, or to a public page, against its address only. Never refuses. */
  countAnonymous(address: string): RateLimitState {
    const name = addressBucket(address);
    this.#byAddress.take(name);
    return this.#byAddress.state(name);
  }

  /**
   * Counts a request against all three buckets unless one is full. A session has a separate bucket. While the limits
   * for programs are lifted, a credential does not use up the bucket of its address, which then only limits requests
   * without one.
   * @returns the tightest bucket, and whether the request passed
   */
  countRequest({ credential, user, actor }: Identity, address: string): { state: RateLimitState; passed: boolean } {
    const isLifted = credential.kind !== "session" && programLimits(this.#platform) === "none";
    const limit = isLifted ? NO_LIMIT : undefined;
    const buckets: [RateLimiter, string][] =
      credential.kind === "session"
        ? [[this.#bySession, actor.id!]]
        : [
            [this.#byKey, credential.id],
            [this.#byUser, user.id],
            ...(isLifted ? [] : [[this.#byAddress, addressBucket(address)] satisfies [RateLimiter, string]]),
          ];
    const passed = buckets.every(([limiter, name]) => limiter.state(name, limit).remaining > 0);
    if (passed) for (const [limiter, name] of buckets) limiter.take(name);
    const states = buckets.map(([limiter, name]) => limiter.state(name, limit));
    return { state: tightest(states), passed };
  }

  /** @throws ApiError rate_limited for a full bucket */
  refuseOverLimit(state: RateLimitState): never {
    const retryAfterS = Math.max(1, Math.ceil((state.resetAt - this.#platform.clock.now()) / 1000));
    throw new ApiError(
      "rate_limited",
      `Rate limit exceeded: at most ${state.limit} requests per minute. Wait for the time in the Retry-After header.`,
      { retryAfterS },
    );
  }

  /**
   * Checks plan and scope. Plans restrict API keys, not the person on the settings page. @param scope null for paths
   * that do not exist
   * @throws ApiError plan_required, forbidden_scope
   */
  authorize({ credential, user }: Identity, scope: Scope | null): void {
    if (credential.kind === "session") return;
    const plan = planOfPrograms(this.#platform, user);
    if (plan === "free") {
      throw new ApiError("plan_required", "The Free plan has no API access. Change to a higher plan.");
    }
    if (scope === null) return;
    if (!planAllows(plan, scope)) {
      throw new ApiError("plan_required", `The scope ${scope} requires a higher plan.`);
    }
    if (!credential.scopes.includes(scope)) {
      throw new ApiError(
        "forbidden_scope",
        credential.kind === "connection"
          ? `This connection lacks the scope ${scope}. Connect again and grant it.`
          : `The API key lacks the scope ${scope}. Use a key that has it: scopes are fixed at creation.`,
      );
    }
  }

  /** Refuses keys that are only for the tool server. @throws ApiError forbidden_scope */
  authorizeApi({ credential }: Identity): void {
    if (!credential.tools_only) return;
    throw new ApiError(
      "forbidden_scope",
      "This key works only with the tool server: /mcp and postroom mcp. Use a key without this limit for the API.",
    );
  }

  /** Checks that a credential may use the tool server. @throws ApiError plan_required */
  authorizeTools({ user }: Identity): void {
    if (planAllowsTools(planOfPrograms(this.#platform, user))) return;
    throw new ApiError("plan_required", "The tool server for assistants requires the plan Autopilot or Team.");
  }

  /** Counts a request against the daily quota. @throws ApiError quota_exceeded */
  countQuota({ credential, user }: Identity): void {
    if (credential.kind === "session") return;
    const { meters, clock } = this.#platform;
    const limit = meters.limits(user).requests_per_day;
    if (meters.countRequest(poolOf(user), limit)) return;
    const retryAfterS = Math.ceil((meters.resetsAt() - clock.now()) / 1000);
    throw new ApiError(
      "quota_exceeded",
      `The plan's ${limit} requests for today are used up. The quota resets at midnight UTC.`,
      { retryAfterS },
    );
  }
}

/** Returns whether a key belongs to the sandbox. */
function isTestKey(key: ApiKey): boolean {
  return key.hint.startsWith(TEST_PREFIX);
}

/** @throws UserError that names the invalid setting */
function trustedProxies(config: Config): Networks {
  try {
    return new Networks(config.get("http.trusted_proxies"));
  } catch (error) {
    throw error instanceof UserError ? new UserError(`http.trusted_proxies: ${error.message}`) : error;
  }
}
