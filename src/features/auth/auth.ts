import type { Caller } from "../../http/guard/caller.ts";
import type { RequestContext } from "../../http/request-context.ts";
import { invalidParam, notFound } from "../../kernel/errors.ts";
import { isTimeZone } from "../../platform/config/table.ts";
import type { User } from "../../platform/identity/users.ts";
import type { Platform } from "../../platform/platform.ts";
import { adoptRecoveryKey, newRecoveryKey } from "../../platform/sealing/recovery-key.ts";
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

export interface AuthParts {
  platform: Platform;
  version: string;
  /** The code that this start has printed; null when the installation had its owner already. */
  setupToken: string | null;
  /** Called when the master key has been replaced: other threads hold the old one. */
  onKeyMoved: () => void;
}

/** Everything about coming in: first run, signing in by each method, sessions, and what a person changes about these. */
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

  /** What the page needs to know before it shows anything. Somebody whom a trusted proxy names is signed in by it. */
  state(caller: Caller | null, context: RequestContext, request_id: string): State {
    const user = this.#forwardAuth.admit(context, caller?.user ?? null, request_id);
    const setup_needed = this.setup.isNeeded;
    const { name } = this.oidc;
    const { config, signIn } = this.platform;
    return {
      setup_needed,
      user: user && viewPerson(user),
      methods: {
        password: true,
        passkey: signIn.passkeys.exist(),
        oidc: name === null ? null : { name },
        forward_auth: this.#forwardAuth.isOffered(context),
      },
      version: this.#version,
      base_path: config.get("http.base_path"),
      // Whoever only looks at the door is not told how the disk is protected.
      custody: user || setup_needed ? keyStorageOf(this.platform) : null,
      custody_choices: [...KEY_STORAGE_CHOICES],
    };
  }

  /** Ends one session of the caller's person, or the one that asks. @throws ApiError not_found */
  endSession({ user, actor, request_id }: Caller, id: string): void {
    if (!this.platform.sessions.revoke(user.id, id, actor, request_id)) throw notFound("session");
  }

  /** @returns how many sessions of the person ended: all but the one that asks */
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

  /** @throws ApiError invalid_params */
  changeMe({ user, actor, request_id }: Caller, { timezone }: { timezone: string }): User {
    if (!isTimeZone(timezone))
      throw invalidParam("timezone", "timezone must be an IANA time zone such as Europe/Lisbon.");
    const { users, audit } = this.platform;
    const [before, after] = [{ timezone: user.timezone }, { timezone }];
    audit.record({ user_id: user.id, actor, action: "user.update", target: user.id, before, after, request_id });
    return users.change(user.id, { timezone });
  }

  /** Makes a new recovery key; the one before opens nothing any more, but backups that were made with it. */
  async renewRecoveryKey({ user, actor, request_id }: Caller): Promise<string> {
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
