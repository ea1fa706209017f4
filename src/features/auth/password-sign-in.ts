import { requireRecentAuth } from "../../http/guard/recent-auth.ts";
import type { RequestContext } from "../../http/request-context.ts";
import { ApiError, invalidParam } from "../../kernel/errors.ts";
import { passwordFault } from "../../platform/identity/passwords.ts";
import type { User } from "../../platform/identity/users.ts";
import type { Platform } from "../../platform/platform.ts";
import type { AuthSessions } from "./auth-sessions.ts";
import type { InvitationInput, SignInInput } from "./model.ts";
import { hasOwnMethods } from "./own-methods.ts";
import { type Attempt, type Throttle, unlessBusy } from "./throttle.ts";
import { changeTimeZone, requireTimeZone } from "./time-zone.ts";

export interface PasswordParts {
  platform: Platform;
  sessions: AuthSessions;
  throttle: Throttle;
}

/** Signs in with a password and, if enabled, a second factor. Sets and changes passwords. */
export class PasswordSignIn {
  constructor(private readonly parts: PasswordParts) {}

  /** Takes equally long and gives the same message for an unknown person and a wrong password. @throws ApiError */
  async signIn({ email, password, totp }: SignInInput, context: RequestContext, request_id: string): Promise<void> {
    const { platform, sessions, throttle } = this.parts;
    const user = platform.users.findByEmail(email);
    const attempt = throttle.signIn(context, email, user);
    if (!(await this.#isRight(attempt, user, password)) || !user) {
      sessions.refused(context, user, "password", "password", request_id);
      throw new ApiError("sign_in_refused", "The email address or the password is wrong.");
    }
    if (platform.signIn.totp.isOn(user.id)) {
      if (totp === undefined || totp.trim() === "") {
        attempt.right(false);
        throw new ApiError("totp_required", "Enter the code from your authenticator app.", { param: "totp" });
      }
      this.#secondFactor(user, totp, context, request_id);
    }
    attempt.right();
    sessions.begin(context, user, "password", request_id);
  }

  /**
   * Accepts an invitation and sets the password. The time zone of the browser becomes that of a person who signs in for
   * the first time.
   * @returns false if the person must still sign in with the second factor
   */
  async accept(
    { token, password, timezone }: InvitationInput,
    context: RequestContext,
    request_id: string,
  ): Promise<boolean> {
    const { platform, sessions, throttle } = this.parts;
    const { invitations, users, db, signIn } = platform;
    const attempt = throttle.visitor(context);
    const invitation = invitations.open(token);
    const user = invitation && users.get(invitation.user_id);
    if (!user) throw invitationIsVoid();
    attempt.right();
    const weak = passwordFault(password, user.email);
    if (weak) throw invalidParam("password", weak);
    if (timezone !== undefined) requireTimeZone(timezone);
    const hash = await unlessBusy(signIn.passwords.hash(password));
    return db.write(() => {
      if (invitations.accept(token) !== user.id) throw invitationIsVoid();
      if (timezone !== undefined && !hasOwnMethods(platform, user)) {
        const actor = { kind: "user", id: user.id } as const;
        changeTimeZone(platform, { user, actor, request_id }, timezone);
      }
      this.#store(user, hash, "invitation.accept", request_id);
      platform.sessions.revokeOthers(user.id, null);
      if (signIn.totp.isOn(user.id)) return false;
      sessions.begin(context, user, "invitation", request_id);
      return true;
    });
  }

  /** Changes a person's password. All other sessions end, and this one gets a new cookie. @throws ApiError */
  async change(
    user: User,
    current: string | undefined,
    next: string,
    context: RequestContext,
    request_id: string,
  ): Promise<void> {
    const { platform, sessions } = this.parts;
    await this.verify(user, current, context, request_id, "current");
    const weak = passwordFault(next, user.email);
    if (weak) throw invalidParam("new", weak);
    const hash = await unlessBusy(platform.signIn.passwords.hash(next));
    const method = context.session?.method ?? "password";
    platform.db.write(() => {
      this.#store(user, hash, "password.change", request_id);
      platform.sessions.revokeOthers(user.id, context.session?.id ?? null);
      sessions.begin(context, user, method, request_id);
    });
  }

  /**
   * Checks the password of a signed-in person before an action that a session thief must not be able to do. A person
   * without a password must have re-authenticated in another way. @throws ApiError sign_in_refused, proof_required,
   * too_many_attempts
   */
  async verify(
    user: User,
    password: string | undefined,
    context: RequestContext,
    request_id: string,
    param = "password",
  ): Promise<void> {
    const { platform, sessions, throttle } = this.parts;
    if (!platform.signIn.passwords.has(user.id)) {
      requireRecentAuth(context.session, platform.clock.now());
      return;
    }
    const attempt = throttle.signIn(context, user.email, user);
    if (!(await this.#isRight(attempt, user, password ?? ""))) {
      sessions.refused(context, user, "password", "current password", request_id);
      throw new ApiError("sign_in_refused", "The password is wrong.", { param });
    }
    attempt.right();
  }

  /** An attempt that was not checked because the machine was busy does not count. Otherwise a flood of guesses would lock people out. */
  async #isRight(attempt: Attempt, user: User | null, password: string): Promise<boolean> {
    try {
      return await unlessBusy(this.parts.platform.signIn.passwords.verify(user?.id ?? null, password));
    } catch (error) {
      attempt.right(false);
      throw error;
    }
  }

  #secondFactor(user: User, code: string, context: RequestContext, request_id: string): void {
    const { platform, sessions } = this.parts;
    const spent = platform.signIn.totp.spend(user.id, code);
    if (spent === null) {
      sessions.refused(context, user, "password", "code", request_id);
      throw new ApiError("sign_in_refused", "The code is wrong or was already used. Wait for the next code.", {
        param: "totp",
      });
    }
    if (spent === "app") return;
    const actor = { kind: "user", id: user.id } as const;
    const after = { left: platform.signIn.totp.backupCodesLeft(user.id) };
    platform.audit.record({ user_id: user.id, actor, action: "totp.backup_code", target: user.id, after, request_id });
  }

  #store(user: User, hash: string, action: string, request_id: string): void {
    const { signIn, audit, invitations } = this.parts.platform;
    signIn.passwords.store(user.id, hash);
    if (user.role === "owner") signIn.claim.claim();
    invitations.withdraw(user.id);
    audit.record({ user_id: user.id, actor: { kind: "user", id: user.id }, action, target: user.id, request_id });
  }
}

function invitationIsVoid(): ApiError {
  return new ApiError(
    "sign_in_refused",
    "This invitation has expired or was already used. Ask the owner for a new one.",
    {
      param: "token",
    },
  );
}
