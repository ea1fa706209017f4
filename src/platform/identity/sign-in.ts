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

/** What persons prove by that they are who they say, and what slows down those who are not. */
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

export function createSignIn({ db, keyring, grants, newId, clock, cost }: SignInParts): SignIn {
  return {
    passwords: new Passwords(db, keyring, grants, clock, cost),
    totp: new Totp(db, keyring, grants, clock),
    passkeys: new Passkeys(db, keyring, grants, newId, clock),
    attempts: new Attempts(db, keyring, clock),
    claim: new OwnerClaim(grants, clock),
  };
}
