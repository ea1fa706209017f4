import { createHash, randomBytes } from "node:crypto";
import { generateSecret, generateURI, verifySync } from "otplib";
import type { Clock } from "../../kernel/clock.ts";
import type { Db } from "../db/open.ts";
import type { Grants } from "../grants/grants.ts";
import type { Keyring } from "../sealing/keyring.ts";

/** A clock that is half a minute off still fits (RFC 6238 §5.2 allows one step). */
const TOLERANCE_S = 30;
const BACKUP_CODES = 10;
/** 50 bits each: enough where every guess costs as much as a wrong password. */
const BACKUP_CHARS = 10;
const ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz";

interface Stored {
  secret: string;
  /** SHA-256, hex; those that are spent are gone. */
  backup_hashes: string[];
}

interface Row {
  user_id: string;
  secret: Uint8Array;
  last_step: number;
  confirmed_at: number | null;
}

/** A second factor by an authenticator app (RFC 6238), with codes on paper for when the app is lost. */
export class Totp {
  constructor(
    private readonly db: Db,
    private readonly keyring: Keyring,
    private readonly grants: Grants,
    private readonly clock: Clock,
  ) {}

  /**
   * Starts a new enrollment, which has no effect until `confirm`. @returns the secret and the URI that apps read from a
   * QR code
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
   * Enables the second factor when the app shows the right code. @returns the backup codes, returned only here; null
   * for a wrong code
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

  /** True also when it was deleted or changed in the database: then no code fits, until `remove`. */
  isOn(user_id: string): boolean {
    const row = this.#row(user_id);
    return row ? row.confirmed_at !== null : this.grants.knows("totp", { user_id });
  }

  backupCodesLeft(user_id: string): number {
    return this.isOn(user_id) ? (this.#read(user_id)?.backup_hashes.length ?? 0) : 0;
  }

  /**
   * Takes a code of the app or of the paper, once: the same one, and every older one, is refused from here on.
   * @returns what it was; null when it is not accepted
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

  /** @returns whether there was one that is asked for */
  remove(user_id: string): boolean {
    const wasOn = this.isOn(user_id);
    this.grants.remove("totp", { user_id });
    return wasOn;
  }

  /** The time step that a code is of, when it is right and newer than `last_step`. */
  #stepOf({ secret }: Stored, code: string, last_step: number): number | null {
    if (!/^\d{6}$/.test(code)) return null;
    const epoch = Math.floor(this.clock.now() / 1000);
    // A step before "now" may be at or before `lastStep`; such a code is refused like any wrong one.
    const result = verifySync({ secret, token: code, epoch, epochTolerance: TOLERANCE_S });
    if (!result.valid || !("timeStep" in result)) return null;
    return result.timeStep > last_step ? result.timeStep : null;
  }

  #read(user_id: string): Stored | null {
    const row = this.#row(user_id);
    return row && this.keyring.system().openJson<Stored>(`totp.secret:${user_id}`, row.secret);
  }

  #row(user_id: string): Row | null {
    const row = this.db.sql
      .query<Row, [string]>("SELECT user_id, secret, last_step, confirmed_at FROM totp WHERE user_id = ?")
      .get(user_id);
    return this.grants.checked("totp", row);
  }

  #seal(user_id: string, stored: Stored): Uint8Array {
    return this.keyring.system().sealJson(`totp.secret:${user_id}`, stored);
  }
}

/** Ten characters that no two of look alike. */
function backupCode(): string {
  let code = "";
  while (code.length < BACKUP_CHARS) {
    // Of the 256 values those that would favour the first letters are left out.
    for (const byte of randomBytes(BACKUP_CHARS)) {
      if (byte < ALPHABET.length * Math.floor(256 / ALPHABET.length)) code += ALPHABET[byte % ALPHABET.length];
    }
  }
  return code.slice(0, BACKUP_CHARS);
}

function hashCode(code: string): string {
  return createHash("sha256").update(code).digest("hex");
}
