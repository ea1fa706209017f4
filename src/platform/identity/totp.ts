import { createHash, randomBytes } from "node:crypto";
import { generateSecret, generateURI, verifySync } from "otplib";
import type { Clock } from "../../kernel/clock.ts";
import type { Db } from "../db/open.ts";
import type { Grants } from "../grants/grants.ts";
import type { Keyring } from "../sealing/keyring.ts";
import type { TotpRow, TotpSecret } from "./tables.ts";

/** Accepts a clock that is half a minute off (RFC 6238 §5.2 allows one step). */
const TOLERANCE_S = 30;
const BACKUP_CODES = 10;
/** About 49 bits per code: enough, because wrong codes are slowed down like wrong passwords. */
const BACKUP_CHARS = 10;
const ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz";

/** The second factor: codes of an authenticator app (RFC 6238), and backup codes in case the app is lost. */
export class Totp {
  constructor(
    private readonly db: Db,
    private readonly keyring: Keyring,
    private readonly grants: Grants,
    private readonly clock: Clock,
  ) {}

  /**
   * Starts a new enrollment, which has no effect until `confirm`.
   * @returns the secret and the URI that apps read from a QR code
   */
  begin(user_id: string, email: string): { secret: string; uri: string } {
    const secret = generateSecret();
    const sealed = this.#seal(user_id, { secret, backup_hashes: [] });
    this.grants.insert("totp", { user_id, secret: sealed, last_step: 0, confirmed_at: null }, "replace");
    return {
      secret,
      uri: generateURI({ issuer: "Postroom", label: email, secret }),
    };
  }

  /**
   * Enables the second factor if the code of the app is correct.
   * @returns the backup codes, only here; null for a wrong code
   */
  confirm(user_id: string, code: string): string[] | null {
    const stored = this.#read(user_id);
    const step = stored && this.#stepOf(stored, code, 0);
    if (!stored || step === null) return null;
    const codes = Array.from({ length: BACKUP_CODES }, backupCode);
    const sealed = this.#seal(user_id, { ...stored, backup_hashes: codes.map(hashCode) });
    this.grants.update("totp", { user_id }, { secret: sealed, last_step: step, confirmed_at: this.clock.now() });
    return codes;
  }

  /** Returns whether it is enabled. If its row was changed outside Postroom, it is, but no code fits until `remove`. */
  isOn(user_id: string): boolean {
    const row = this.#row(user_id);
    return row ? row.confirmed_at !== null : this.grants.isRegistered("totp", { user_id });
  }

  /** Returns the number of unused backup codes. */
  backupCodesLeft(user_id: string): number {
    return this.isOn(user_id) ? (this.#read(user_id)?.backup_hashes.length ?? 0) : 0;
  }

  /**
   * Accepts a code of the app or a backup code, once. The same code and all older codes of the app are refused
   * afterwards.
   * @returns the kind of the code; null if it is not accepted
   */
  spend(user_id: string, code: string): "app" | "backup" | null {
    return this.db.write(() => {
      if (!this.isOn(user_id)) return null;
      const stored = this.#read(user_id);
      if (!stored) return null;
      const typed = code.replace(/[\s-]/g, "").toLowerCase();
      if (/^\d{6}$/.test(typed)) {
        const step = this.#stepOf(stored, typed, this.#row(user_id)!.last_step);
        if (step === null) return null;
        this.grants.update("totp", { user_id }, { last_step: step });
        return "app";
      }
      const hash = hashCode(typed);
      if (!stored.backup_hashes.includes(hash)) return null;
      const backup_hashes = stored.backup_hashes.filter((other) => other !== hash);
      this.grants.update("totp", { user_id }, { secret: this.#seal(user_id, { ...stored, backup_hashes }) });
      return "backup";
    });
  }

  /** Removes the second factor. @returns whether it was enabled */
  remove(user_id: string): boolean {
    const wasOn = this.isOn(user_id);
    this.grants.remove("totp", { user_id });
    return wasOn;
  }

  /** Returns the time step of a code if it is correct and newer than `last_step`, otherwise null. */
  #stepOf({ secret }: TotpSecret, code: string, last_step: number): number | null {
    if (!/^\d{6}$/.test(code)) return null;
    const epoch = Math.floor(this.clock.now() / 1000);
    // A step before "now" may be at or before `last_step`. Such a code is refused like a wrong one.
    const result = verifySync({ secret, token: code, epoch, epochTolerance: TOLERANCE_S });
    if (!result.valid || !("timeStep" in result)) return null;
    return result.timeStep > last_step ? result.timeStep : null;
  }

  #read(user_id: string): TotpSecret | null {
    const row = this.#row(user_id);
    return row && this.keyring.system().openJson(`totp.secret:${user_id}`, row.secret);
  }

  #row(user_id: string): TotpRow | null {
    const row = this.db.sql
      .query<TotpRow, [string]>("SELECT user_id, secret, last_step, confirmed_at FROM totp WHERE user_id = ?")
      .get(user_id);
    return this.grants.checked("totp", row);
  }

  #seal(user_id: string, stored: TotpSecret): Uint8Array {
    return this.keyring.system().sealJson(`totp.secret:${user_id}`, stored);
  }
}

/** Returns a random code of characters that do not look alike. */
function backupCode(): string {
  let code = "";
  while (code.length < BACKUP_CHARS) {
    // The highest of the 256 values are left out, because they would make the first letters more frequent.
    for (const byte of randomBytes(BACKUP_CHARS)) {
      if (byte < ALPHABET.length * Math.floor(256 / ALPHABET.length)) code += ALPHABET[byte % ALPHABET.length];
    }
  }
  return code.slice(0, BACKUP_CHARS);
}

function hashCode(code: string): string {
  return createHash("sha256").update(code).digest("hex");
}
