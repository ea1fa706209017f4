import type { Caller } from "../../http/guard/caller.ts";
import type { RequestContext } from "../../http/request-context.ts";
import { isoTime } from "../../kernel/clock.ts";
import { notFound } from "../../kernel/errors.ts";
import type { User } from "../../platform/identity/users.ts";
import type { Platform } from "../../platform/platform.ts";
import { AuthSessions } from "./auth-sessions.ts";
import { ForwardAuth } from "./forward-auth.ts";
import { KEY_STORAGE_CHOICES, keyStorageOf } from "./key-storage.ts";
import { type State, viewPerson } from "./model.ts";
import { Oidc } from "./oidc.ts";
import { PasskeySignIn } from "./passkey-sign-in.ts";
import { PasswordSignIn } from "./password-sign-in.ts";
import { RecentAuth } from "./recent-auth.ts";
import { SecondFactor } from "./second-factor.ts";
import { Setup } from "./setup.ts";
import { Throttle } from "./throttle.ts";
import { changeTimeZone } from "./time-zone.ts";

export interface AuthParts {
  platform: Platform;
  version: string;
  /** The setup code that this start has printed; null if the installation already has its owner. */
  setupToken: string | null;
  /** Called after the master key was replaced, because other threads still hold the old one. */
  onKeyMoved: () => void;
}

/** Authentication: first run, all sign-in methods, sessions, and each person's changes to their own access. */
export class Auth {
  readonly platform: Platform;
  readonly sessions: AuthSessions;
  readonly setup: Setup;
  readonly passwords: PasswordSignIn;
  readonly passkeys: PasskeySignIn;
  readonly secondFactor: SecondFactor;
  readonly oidc: Oidc;
  readonly recentAuth: RecentAuth;
  readonly #forwardAuth: ForwardAuth;
  readonly #version: string;

  constructor({ platform, version, setupToken, onKeyMoved }: AuthParts) {
    this.platform = platform;
    this.#version = version;
    this.sessions = new AuthSessions(platform);
    const throttle = new Throttle(platform.signIn.attempts, this.sessions.devices);
    const parts = { platform, sessions: this.sessions, throttle };
    this.setup = new Setup({ ...parts, token: setupToken, onKeyMoved });
    this.passwords = new PasswordSignIn(parts);
    this.passkeys = new PasskeySignIn(platform, this.sessions, throttle);
    this.secondFactor = new SecondFactor(platform);
    this.oidc = new Oidc(platform, this.sessions, throttle);
    this.#forwardAuth = new ForwardAuth(platform, this.sessions);
    const { passwords, passkeys, oidc } = this;
    this.recentAuth = new RecentAuth({ platform, passwords, passkeys, oidc, forward_auth: this.#forwardAuth });
  }

  /** Returns what the page needs before it shows anything. A person whom a trusted proxy names is signed in. */
  state(caller: Caller | null, context: RequestContext, request_id: string): State {
    const user = this.#forwardAuth.admit(context, caller?.user ?? null, request_id);
    const setup_needed = this.setup.isNeeded;
    const { name } = this.oidc;
    const { config, signIn, users, acting } = this.platform;
    return {
      setup_needed,
      user: user && viewPerson(user),
      alone: user?.role === "owner" && users.list().length === 1,
      methods: {
        password: true,
        passkey: signIn.passkeys.exist(),
        oidc: name === null ? null : { name },
        forward_auth: this.#forwardAuth.isOffered(context),
      },
      paused: acting.pause && { ...acting.pause, since: isoTime(acting.pause.since) },
      version: this.#version,
      base_path: config.get("http.base_path"),
      // Visitors who are not signed in do not learn how the disk is protected.
      custody: user || setup_needed ? keyStorageOf(this.platform) : null,
      custody_choices: [...KEY_STORAGE_CHOICES],
    };
  }

  /** Ends one of the person's sessions, which may be the current one. @throws ApiError not_found */
  endSession({ user, actor, request_id }: Caller, id: string): void {
    if (!this.platform.sessions.revoke(user.id, id, actor, request_id)) throw notFound("session");
  }

  /** Ends all sessions of the person except the current one. @returns how many */
  endOtherSessions({ user, actor, request_id }: Caller, context: RequestContext): number {
    const { sessions, audit } = this.platform;
    const ended = sessions.revokeOthers(user.id, context.session?.id ?? null);
    audit.record({
      user_id: user.id,
      actor,
      action: "session.revoke_others",
      target: user.id,
      after: { ended },
      request_id,
    });
    return ended;
  }

  /** Changes the person's time zone. @throws ApiError invalid_params */
  changeMe(caller: Caller, { timezone }: { timezone: string }): User {
    return changeTimeZone(this.platform, caller, timezone);
  }

  /** Creates a new recovery key. The previous one only opens backups that were made with it. */
  async renewRecoveryKey({ user, actor, request_id }: Caller): Promise<string> {
    const { adoptRecoveryKey, newRecoveryKey } = await import("../../platform/sealing/recovery-key.ts");
    const { secret, recipient } = await newRecoveryKey();
    await adoptRecoveryKey(this.platform, recipient);
    this.platform.audit.record({
      user_id: user.id,
      actor,
      action: "recovery_key.create",
      target: user.id,
      request_id,
    });
    return secret;
  }
}
