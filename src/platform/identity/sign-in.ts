import type { Clock } from "../../kernel/clock.ts";
import type { Db } from "../db/open.ts";
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

export function createSignIn(db: Db, keyring: Keyring, newId: NewId, clock: Clock, cost?: PasswordCost): SignIn {
  return {
    passwords: new Passwords(db, keyring, clock, cost),
    totp: new Totp(db, keyring, clock),
    passkeys: new Passkeys(db, keyring, newId, clock),
    attempts: new Attempts(db, keyring, clock),
    claim: new OwnerClaim(db, clock),
  };
}
