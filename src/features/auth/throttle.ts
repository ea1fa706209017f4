import { addressBucket } from "../../http/guard/client-address.ts";
import type { RequestContext } from "../../http/request-context.ts";
import { ApiError } from "../../kernel/errors.ts";
import type { Attempts, Counted } from "../../platform/identity/attempts.ts";
import { TooBusy } from "../../platform/identity/passwords.ts";
import type { User } from "../../platform/identity/users.ts";
import type { DeviceCookie } from "./device-cookie.ts";

/** Higher than for an account, because the people behind one address together mistype more often than one person. */
const FREE_OF_ADDRESS = 20;
const FREE_OF_ACCOUNT = 5;

/** An attempt that counts as failed until `right` is called. */
export interface Attempt {
  /** @param forgive false if something must still be proved; then only this attempt is taken back */
  right(forgive?: boolean): void;
}

/** Chooses the counters of each attempt, and reports to a person how long they must wait. */
export class Throttle {
  constructor(
    private readonly attempts: Attempts,
    private readonly devices: DeviceCookie,
  ) {}

  /** @param email as typed; it is counted even if no such person exists. @throws ApiError too_many_attempts */
  signIn(context: RequestContext, email: string, user: User | null): Attempt {
    const device = user && this.devices.nameFor(context, user.id);
    if (device) return this.#begin([{ name: `device:${device}`, free: FREE_OF_ACCOUNT }]);
    return this.#begin([{ name: `account:${email.trim().toLowerCase()}`, free: FREE_OF_ACCOUNT }, addressOf(context)]);
  }

  /** Counts attempts that name no account: setup, invitations, passkeys, sign-in at a provider. @throws ApiError */
  visitor(context: RequestContext): Attempt {
    return this.#begin([addressOf(context)], false);
  }

  #begin(counted: Counted[], forgivable = true): Attempt {
    const waitMs = this.attempts.begin(counted);
    if (waitMs > 0) throw tooMany(Math.ceil(waitMs / 1000));
    return {
      right: (forgive = true) => {
        // An address is never forgiven: an attacker could otherwise reset it by signing in to their own account.
        const account = forgive && forgivable ? counted.slice(0, 1) : [];
        this.attempts.succeeded(counted, account);
      },
    };
  }
}

/** Runs password work. @throws ApiError too_many_attempts if too much is already waiting */
export async function unlessBusy<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof TooBusy) throw tooMany(2);
    throw error;
  }
}

function addressOf({ address }: RequestContext): Counted {
  return { name: `address:${addressBucket(address)}`, free: FREE_OF_ADDRESS };
}

function tooMany(seconds: number): ApiError {
  const wait = seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
  return new ApiError("too_many_attempts", `Too many attempts. Try again in ${wait}.`, {
    retryAfterS: seconds,
  });
}
