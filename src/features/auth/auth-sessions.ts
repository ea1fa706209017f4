import { SESSION_COOKIE } from "../../http/guard/session-cookie.ts";
import type { RequestContext } from "../../http/request-context.ts";
import type { Session, SignInMethod } from "../../platform/identity/sessions.ts";
import type { User } from "../../platform/identity/users.ts";
import type { Platform } from "../../platform/platform.ts";
import { DeviceCookie } from "./device-cookie.ts";

/** Starts and ends the sessions behind the session cookie. */
export class AuthSessions {
  readonly devices: DeviceCookie;

  constructor(private readonly platform: Platform) {
    this.devices = new DeviceCookie(platform.keyring);
  }

  /**
   * Signs a person in. The browser always gets a new token: one that someone planted there earlier is worthless (session
   * fixation), and the session behind the browser's earlier token ends.
   * @param recentAuth false if only another service vouches for the person, which is less than they could prove here
   */
  begin(context: RequestContext, user: User, method: SignInMethod, request_id: string, recentAuth = true): Session {
    const { db, sessions, audit, config } = this.platform;
    const { address, user_agent } = context;
    const { session, token } = db.write(() => {
      this.#endEarlier(context);
      const begun = sessions.create({ user_id: user.id, method, address, user_agent, recentAuth });
      audit.record({
        user_id: user.id,
        actor: { kind: "user", id: user.id },
        action: "session.create",
        target: begun.session.id,
        after: { method, address, user_agent },
        request_id,
      });
      return begun;
    });
    context.setCookie(SESSION_COOKIE, token, config.get("sessions.days") * 86_400);
    this.devices.give(context, user.id);
    return session;
  }

  /**
   * Records a refused sign-in in the person's audit log. For an unknown person, the owner's log is used, so that both cases
   * take equally long.
   */
  refused(context: RequestContext, user: User | null, method: SignInMethod, reason: string, request_id: string): void {
    const { audit, log, users } = this.platform;
    log.warn("sign-in refused", { method, reason, request_id });
    const recipient = user ?? users.list().find(({ role }) => role === "owner");
    if (!recipient) return;
    const { address, user_agent } = context;
    audit.record({
      user_id: recipient.id,
      actor: { kind: "user", id: null },
      action: "session.refuse",
      target: user?.id ?? null,
      after: { method, reason: user ? reason : `${reason}, unknown user`, address, user_agent },
      request_id,
    });
  }

  /** Ends the session of this browser. */
  end(context: RequestContext, request_id: string): void {
    const { session } = context;
    if (session) {
      this.platform.sessions.revoke(session.user_id, session.id, { kind: "user", id: session.user_id }, request_id);
    }
    context.setCookie(SESSION_COOKIE, "", 0);
  }

  #endEarlier(context: RequestContext): void {
    const { sessions } = this.platform;
    const token = context.cookie(SESSION_COOKIE);
    const earlier = context.session ?? (token === null ? null : sessions.find(token));
    if (earlier) sessions.revoke(earlier.user_id, earlier.id, { kind: "user", id: earlier.user_id });
  }
}
