import { ApiError } from "../kernel/errors.ts";
import { planAllows } from "../kernel/plans.ts";
import type { Scope } from "../kernel/scopes.ts";
import { type ApiKey, keyUsable, TEST_PREFIX } from "../platform/identity/keys.ts";
import type { User } from "../platform/identity/users.ts";
import { Networks } from "../platform/networks.ts";
import type { Platform } from "../platform/platform.ts";
import { addressBucket, clientAddress, plainAddress } from "./address.ts";
import { BurstLimiter, type BurstState, tightest } from "./burst.ts";

export interface Identity {
  key: ApiKey;
  user: User;
}

/**
 * The checks that come before a handler, in their fixed order (decisions, "Keys, plans, limits, errors"): 401, rate
 * limits, plan, scope, request quota. The edge calls them one after the other; each throws the ApiError that ends the
 * request.
 */
export class Gate {
  readonly #platform: Platform;
  readonly #trusted: Networks;
  readonly #by_key: BurstLimiter;
  readonly #by_user: BurstLimiter;
  readonly #by_address: BurstLimiter;

  constructor(platform: Platform) {
    const { config, clock } = platform;
    this.#platform = platform;
    this.#trusted = new Networks(config.get("http.trusted_proxies"));
    this.#by_key = new BurstLimiter(clock, config.get("limits.requests_per_minute_key"));
    this.#by_user = new BurstLimiter(clock, config.get("limits.requests_per_minute_user"));
    this.#by_address = new BurstLimiter(clock, config.get("limits.requests_per_minute_ip"));
  }

  /** The client's address behind trusted proxies. */
  address(request: Request, peer: string): string {
    return clientAddress(peer, request.headers.get("x-forwarded-for"), this.#trusted);
  }

  /** True when the peer itself is the client, not a proxy that we were not told of. */
  isDirect(request: Request, peer: string): boolean {
    const forwarded = request.headers.has("x-forwarded-for") || request.headers.has("forwarded");
    return !forwarded || this.#trusted.has(plainAddress(peer) ?? "");
  }

  /** Finds the key and its user, on every request: a revocation counts at once, also from another process. */
  identify(request: Request, address: string): Identity {
    const secret = /^Bearer +([^\s]+) *$/i.exec(request.headers.get("authorization") ?? "")?.[1];
    if (!secret) throw new ApiError("unauthorized", "Send an API key: Authorization: Bearer <API_KEY>.");
    const key = this.#platform.keys.find(secret);
    if (!key) throw new ApiError("unauthorized", "The API key is not valid.");
    if (!keyUsable(key, this.#platform.clock.now())) {
      throw new ApiError("unauthorized", `The API key ${key.revoked_at === null ? "has expired" : "was revoked"}.`);
    }
    if (key.ip_allow.length > 0 && !new Networks(key.ip_allow).has(address)) {
      throw new ApiError("unauthorized", "The API key may not be used from this address.");
    }
    const user = this.#platform.users.get(key.user_id);
    if (!user) throw new ApiError("unauthorized", "The API key is not valid.");
    return { key, user };
  }

  /** Counts a request without a usable key, or to a public page, against its address only. Never refuses. */
  countAnonymous(address: string): BurstState {
    const name = addressBucket(address);
    this.#by_address.take(name);
    return this.#by_address.state(name);
  }

  /**
   * Counts a request against all three buckets unless one is full. @returns the tightest, and whether it let us pass
   */
  countBurst({ key, user }: Identity, address: string): { state: BurstState; passed: boolean } {
    const buckets: [BurstLimiter, string][] = [
      [this.#by_key, key.id],
      [this.#by_user, user.id],
      [this.#by_address, addressBucket(address)],
    ];
    const passed = buckets.every(([limiter, name]) => limiter.state(name).remaining > 0);
    if (passed) for (const [limiter, name] of buckets) limiter.take(name);
    return { state: tightest(buckets.map(([limiter, name]) => limiter.state(name))), passed };
  }

  /** @throws ApiError rate_limited for a bucket that let nothing pass */
  refuseBurst(state: BurstState): never {
    const retry_after_s = Math.max(1, Math.ceil((state.reset_at - this.#platform.clock.now()) / 1000));
    throw new ApiError("rate_limited", `More than ${state.limit} requests a minute.`, { retry_after_s });
  }

  /** @throws ApiError plan_required, forbidden_scope; `scope` is null for paths that do not exist */
  authorize({ key, user }: Identity, scope: Scope | null): void {
    if (user.plan === "free") {
      throw new ApiError("plan_required", "The Free plan has no API access.");
    }
    if (scope === null) return;
    if (!planAllows(user.plan, scope)) {
      throw new ApiError("plan_required", `The scope ${scope} needs a higher plan.`);
    }
    if (!key.scopes.includes(scope)) {
      throw new ApiError("forbidden_scope", `The API key lacks the scope ${scope}.`);
    }
  }

  /** Counts against the day's requests. @throws ApiError quota_exceeded */
  countQuota({ user }: Identity): void {
    const { meters, clock } = this.#platform;
    const limit = meters.limits(user).requests_per_day;
    if (meters.countRequest(user.id, limit)) return;
    const retry_after_s = Math.ceil((meters.resetsAt() - clock.now()) / 1000);
    throw new ApiError("quota_exceeded", `The plan's ${limit} requests a day are used up.`, { retry_after_s });
  }
}

/** True for keys of the sandbox. */
export function isTestKey(key: ApiKey): boolean {
  return key.hint.startsWith(TEST_PREFIX);
}
