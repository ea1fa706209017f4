import type { Clock } from "../../kernel/clock.ts";
import { UserError } from "../../kernel/errors.ts";
import type { Db } from "../db/open.ts";
import type { Grants } from "../grants/grants.ts";
import type { Keyring } from "../sealing/keyring.ts";
import type { PasswordRow } from "./tables.ts";

/** Cost of hashing a password: KiB of memory, and passes over it. */
export interface PasswordCost {
  memoryCost: number;
  timeCost: number;
}

/** 64 MiB and two passes, about a tenth of a second: more than OWASP recommends for argon2id. */
const COST: PasswordCost = { memoryCost: 64 * 1024, timeCost: 2 };
/** Hash of a random, discarded text with the cost above, so that checking an unknown person takes the same time. */
const DECOY =
  "$argon2id$v=19$m=65536,t=2,p=1$UgsBix4bjSrEE6h4VdVcCQ8wkbgbdMLahxAdFl680co$fgQcDvNDESxM8AkxrXLSQxOX2gBcHwLzJuoxUTN0KlM";
/** Limits for concurrent and waiting checks, because each takes 64 MiB. */
const AT_ONCE = 2;
const MAX_WAITING = 16;
const SHORTEST_PASSWORD = 10;
export const LONGEST_PASSWORD = 256;

/** Thrown if too many passwords are being checked. */
export class TooBusy extends Error {
  override readonly name = "TooBusy";
}

/**
 * Passwords for the settings page, as argon2id hashes that are additionally sealed. Hashing runs on Bun's own threads
 * and does not block the event loop.
 */
export class Passwords {
  #running = 0;
  readonly #waiting: (() => void)[] = [];
  readonly #decoy: string;

  constructor(
    private readonly db: Db,
    private readonly keyring: Keyring,
    private readonly grants: Grants,
    private readonly clock: Clock,
    private readonly cost: PasswordCost = COST,
  ) {
    this.#decoy = cost === COST ? DECOY : Bun.password.hashSync("nobody", { algorithm: "argon2id", ...cost });
  }

  /** Hashes a password for `store`. @throws TooBusy */
  hash(password: string): Promise<string> {
    return this.#inTurn(() => Bun.password.hash(password.normalize("NFC"), { algorithm: "argon2id", ...this.cost }));
  }

  /** Stores a hash as the person's password, in the caller's transaction. */
  store(user_id: string, hash: string): void {
    const sealed = this.keyring.system().seal(`passwords.hash:${user_id}`, hash);
    this.grants.insert("passwords", { user_id, hash: sealed, changed_at: this.clock.now() }, "replace");
  }

  /**
   * Returns whether the person has a password, even if it was deleted outside Postroom: no one then signs in without
   * it.
   */
  has(user_id: string): boolean {
    return this.grants.isRegistered("passwords", { user_id });
  }

  /**
   * Checks a password. For an unknown person, or one without a password, it takes the same time and returns false.
   * @throws TooBusy
   */
  async verify(user_id: string | null, password: string): Promise<boolean> {
    const stored = user_id === null ? null : this.#stored(user_id);
    const same = await this.#inTurn(() => Bun.password.verify(password.normalize("NFC"), stored ?? this.#decoy));
    // A password change ends all sessions. A sign-in that was still being checked with the old one must not start
    // afterwards.
    return same && stored !== null && this.#stored(user_id!) === stored;
  }

  #stored(user_id: string): string | null {
    const row = this.db.sql
      .query<PasswordRow, [string]>("SELECT user_id, hash, changed_at FROM passwords WHERE user_id = ?")
      .get(user_id);
    if (!this.grants.checked("passwords", row)) return null;
    return row && this.keyring.system().open(`passwords.hash:${user_id}`, row.hash);
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= AT_ONCE) {
      if (this.#waiting.length >= MAX_WAITING) throw new TooBusy("too many passwords are being checked");
      // A task that ends passes its slot on, so the count stays the same.
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else {
      this.#running++;
    }
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }
}

/**
 * Checks a password: long enough, and not the email address. There are no rules about digits and capitals (NIST SP
 * 800-63B §3.1.1). @returns an error message, or null
 */
export function passwordFault(password: string, email: string): string | null {
  const length = [...password].length;
  if (length < SHORTEST_PASSWORD)
    return `A password needs at least ${SHORTEST_PASSWORD} characters. A few words work well.`;
  if (length > LONGEST_PASSWORD) return `A password can have at most ${LONGEST_PASSWORD} characters.`;
  if (new Set(password).size < 4)
    return "This password is nearly the same character throughout. Use a few words instead.";
  if (password.toLowerCase() === email.trim().toLowerCase())
    return "Your email address cannot be your password. Choose another one.";
  return null;
}

/** Checks a password for the command line. @throws UserError */
export function requireGoodPassword(password: string, email: string): void {
  const wrong = passwordFault(password, email);
  if (wrong) throw new UserError(wrong);
}
