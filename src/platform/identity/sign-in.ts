import type { Clock } from "../../kernel/clock.ts";
import type { Db } from "../db/open.ts";
import type { Grants } from "../grants/grants.ts";
import type { NewId } from "../ids.ts";
import type { Keyring } from "../sealing/keyring.ts";
import { Attempts } from "./attempts.ts";
import { OwnerClaim } from "./claim.ts";
import { Passkeys } from "./passkeys.ts";
import { type PasswordCost, Passwords } from "./passwords.ts";
import { Totp } from "./totp.ts";

/** The sign-in methods, and the protection against guessing. */
export interface SignIn {
  passwords: Passwords;
  totp: Totp;
  passkeys: Passkeys;
  attempts: Attempts;
  claim: OwnerClaim;
}

export interface SignInParts {
  db: Db;
  keyring: Keyring;
  grants: Grants;
  newId: NewId;
  clock: Clock;
  cost?: PasswordCost | undefined;
}

/** Creates the sign-in services of one thread. */
export function createSignIn({ db, keyring, grants, newId, clock, cost }: SignInParts): SignIn {
  return {
    passwords: new Passwords(db, keyring, grants, clock, cost),
    totp: new Totp(db, keyring, grants, clock),
    passkeys: new Passkeys(db, keyring, grants, newId, clock),
    attempts: new Attempts(db, keyring, clock),
    claim: new OwnerClaim(grants, clock),
  };
}
