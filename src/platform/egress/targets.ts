import { invalidParam } from "../../kernel/errors.ts";
import type { Platform } from "../platform.ts";
import { EgressFault } from "./faults.ts";
import { type EgressGuard, type EgressPolicy, hostOf, isLoopback } from "./guard.ts";

/**
 * Where the webhooks and notifications of a user may be sent (docs/webhooks.md, "Receivers in your own network").
 * Everyone may use plain HTTP for hosts that the owner lists. The owner's own receivers may also be programs on this machine.
 */
export class PersonalTargets {
  constructor(
    private readonly platform: Pick<Platform, "users" | "config">,
    private readonly guard: EgressGuard,
  ) {}

  /** Returns what a user may reach beyond HTTPS at public addresses. */
  policyOf(user_id: string, url: string): EgressPolicy {
    const here = URL.canParse(url) && isLoopback(hostOf(new URL(url)));
    return { plainHttp: true, loopback: here && this.#mayReachThisMachine(user_id) };
  }

  #mayReachThisMachine(user_id: string): boolean {
    const { users, config } = this.platform;
    const user = users.get(user_id);
    const person = user?.sandbox_of ? users.get(user.sandbox_of) : user;
    return person?.role === "owner" && config.get("webhooks.loopback");
  }

  /** Checks the URL of a receiver. @throws ApiError invalid_params (`url`) */
  check(user_id: string, url: string): void {
    try {
      this.guard.checkUrl(url, this.policyOf(user_id, url));
    } catch (error) {
      if (!(error instanceof EgressFault)) throw error;
      throw invalidParam("url", `This URL cannot be used: ${error.message}.`);
    }
  }

  /**
   * Returns whether the receiver's response may be kept. Programs on this machine that the owner has not listed may have
   * private data, which a stolen key could otherwise read in the list of deliveries.
   */
  keepsResponse(url: string): boolean {
    const host = hostOf(new URL(url));
    return !isLoopback(host) || this.guard.lists(host);
  }
}
