import { addressBucket } from "../../http/address.ts";
import type { Visit } from "../../http/visit.ts";
import { ApiError } from "../../kernel/errors.ts";
import type { Attempts, Counted } from "../../platform/identity/attempts.ts";
import { TooBusy } from "../../platform/identity/passwords.ts";
import type { User } from "../../platform/identity/users.ts";
import type { DeviceCookie } from "./device-cookie.ts";

/** A household behind one address mistypes more often than one person. */
const FREE_OF_ADDRESS = 20;
const FREE_OF_ACCOUNT = 5;

/** An attempt that is counted as failed until `right` is called. */
export interface Attempt {
  /** @param forgive false where something is still to be proved: only this attempt is taken back then */
  right(forgive?: boolean): void;
}

/** Which counters an attempt goes on, and what a person is told who must wait. */
export class Throttle {
  constructor(
    private readonly attempts: Attempts,
    private readonly devices: DeviceCookie,
  ) {}

  /** @param email as typed; it is counted whether or not there is such a person. @throws ApiError too_many_attempts */
  signIn(visit: Visit, email: string, user: User | null): Attempt {
    const device = user && this.devices.nameFor(visit, user.id);
    if (device) return this.#begin([{ name: `device:${device}`, free: FREE_OF_ACCOUNT }]);
    return this.#begin([{ name: `account:${email.trim().toLowerCase()}`, free: FREE_OF_ACCOUNT }, addressOf(visit)]);
  }

  /** For what names no account: setup, invitations, passkeys, sign-in at another provider. @throws ApiError */
  visitor(visit: Visit): Attempt {
    return this.#begin([addressOf(visit)], false);
  }

  #begin(counted: Counted[], forgivable = true): Attempt {
    const wait_ms = this.attempts.begin(counted);
    if (wait_ms > 0) throw tooMany(Math.ceil(wait_ms / 1000));
    return {
      right: (forgive = true) => {
        // An address stays under watch: whoever guesses could sign in to an account of their own in between.
        const account = forgive && forgivable ? counted.slice(0, 1) : [];
        this.attempts.succeeded(counted, account);
      },
    };
  }
}

/** Runs work on passwords. @throws ApiError too_many_attempts when too many wait already */
export async function unlessBusy<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof TooBusy) throw tooMany(2);
    throw error;
  }
}

function addressOf({ address }: Visit): Counted {
  return { name: `address:${addressBucket(address)}`, free: FREE_OF_ADDRESS };
}

function tooMany(seconds: number): ApiError {
  const wait = seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
  return new ApiError("too_many_attempts", `Too many attempts. Try again in ${wait}.`, {
    retry_after_s: seconds,
  });
}
