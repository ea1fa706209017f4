import { randomBytes, timingSafeEqual } from "node:crypto";
import type { RequestContext } from "../../http/request-context.ts";
import { ApiError, invalidParam } from "../../kernel/errors.ts";
import { passwordFault } from "../../platform/identity/passwords.ts";
import type { User } from "../../platform/identity/users.ts";
import type { Platform } from "../../platform/platform.ts";
import type { AuthSessions } from "./auth-sessions.ts";
import { keyStorageOf, moveKey, plannedMove } from "./key-storage.ts";
import type { SetupInput } from "./model.ts";
import { type Throttle, unlessBusy } from "./throttle.ts";
import { requireTimeZone } from "./time-zone.ts";

/** 100 bits, in groups that can be typed from a screen. */
const TOKEN_BYTES = 13;
const TOKEN_CHARS = 20;
const ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789";

/** Returns a new setup code. It proves that the person who sets up can read what this machine prints. */
export function newSetupToken(): string {
  let value = BigInt(`0x${randomBytes(TOKEN_BYTES).toString("hex")}`);
  let text = "";
  while (text.length < TOKEN_CHARS) {
    text += ALPHABET[Number(value % BigInt(ALPHABET.length))];
    value /= BigInt(ALPHABET.length);
  }
  return text.match(/.{5}/g)!.join("-");
}

export interface SetupParts {
  platform: Platform;
  sessions: AuthSessions;
  throttle: Throttle;
  /** The setup code of this start; null if the installation already has its owner. */
  token: string | null;
  /** Called after the master key was replaced, because other threads still hold the old one. */
  onKeyMoved: () => void;
}

/** First run: a person with the setup code takes over the owner that the first start created. */
export class Setup {
  #running = false;

  constructor(private readonly parts: SetupParts) {}

  get isNeeded(): boolean {
    return !this.parts.platform.signIn.claim.isClaimed;
  }

  /**
   * Sets the owner's address, password and time zone, moves the master key to the chosen place, creates the recovery key,
   * and signs the owner in. @throws ApiError setup_done, setup_token_wrong, too_many_attempts, invalid_params
   */
  async run(
    input: SetupInput,
    context: RequestContext,
    request_id: string,
  ): Promise<{ recovery_key: string; next_start: string | null }> {
    this.#requireNeeded();
    const attempt = this.parts.throttle.visitor(context);
    if (!isToken(input.token, this.parts.token)) {
      throw new ApiError(
        "setup_token_wrong",
        "This setup code is wrong. Postroom prints the code when it starts, and each restart creates a new one.",
        {
          param: "token",
        },
      );
    }
    attempt.right();
    if (this.#running)
      throw new ApiError(
        "setup_done",
        "Someone else is setting up this installation right now. Try again in a moment.",
      );
    this.#running = true;
    try {
      return await this.#run(input, context, request_id);
    } finally {
      this.#running = false;
    }
  }

  async #run(input: SetupInput, context: RequestContext, request_id: string) {
    const { platform, sessions, onKeyMoved } = this.parts;
    const { db, users, signIn, audit } = platform;
    const owner = this.#owner();
    const { email, timezone } = this.#checked(input, owner);
    const location = plannedMove(keyStorageOf(platform), input);
    const hash = await unlessBusy(signIn.passwords.hash(input.password));
    const { master } = platform.keyring;
    // Even if a later step fails: once the key was replaced, the old one opens nothing.
    const moved = () => platform.keyring.master !== master && onKeyMoved();
    const next_start = location && (await moveKey(platform, location).finally(moved));
    const { adoptRecoveryKey, newRecoveryKey } = await import("../../platform/sealing/recovery-key.ts");
    const { secret, recipient } = await newRecoveryKey();
    await adoptRecoveryKey(platform, recipient);
    db.write(() => {
      this.#requireNeeded();
      signIn.claim.claim();
      const person = users.change(owner.id, { email, timezone });
      signIn.passwords.store(owner.id, hash);
      audit.record({
        user_id: owner.id,
        actor: { kind: "user", id: owner.id },
        action: "setup",
        target: owner.id,
        before: { email: owner.email, timezone: owner.timezone },
        after: { email, timezone, custody: keyStorageOf(platform) },
        request_id,
      });
      sessions.begin(context, person, "setup", request_id);
    });
    return { recovery_key: secret, next_start };
  }

  #requireNeeded(): void {
    if (!this.isNeeded) throw new ApiError("setup_done", "This installation is already set up. Sign in.");
  }

  #owner(): User {
    const owner = this.parts.platform.users.list().find(({ role }) => role === "owner");
    if (!owner) throw new Error("The installation has no owner.");
    return owner;
  }

  #checked({ email, password, timezone }: SetupInput, owner: User): { email: string; timezone: string } {
    requireTimeZone(timezone);
    const weak = passwordFault(password, email);
    if (weak) throw invalidParam("password", weak);
    const holder = this.parts.platform.users.findByEmail(email);
    if (holder && holder.id !== owner.id)
      throw invalidParam("email", "Another user of this installation already has this address.");
    return { email: email.trim(), timezone };
  }
}

/** Compares in constant time and ignores how the groups were typed. */
function isToken(typed: string, token: string | null): boolean {
  if (token === null) return false;
  const plain = (text: string) => Buffer.from(text.toLowerCase().replace(/[^a-z0-9]/g, ""));
  const [given, right] = [plain(typed), plain(token)];
  return given.length === right.length && timingSafeEqual(given, right);
}
