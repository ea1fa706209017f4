import { SESSION_COOKIE } from "../../http/session-cookie.ts";
import type { Visit } from "../../http/visit.ts";
import type { Session, SignInMethod } from "../../platform/identity/sessions.ts";
import type { User } from "../../platform/identity/users.ts";
import type { Platform } from "../../platform/platform.ts";
import { DeviceCookie } from "./device-cookie.ts";

/** Begins and ends what the cookie stands for. */
export class DoorSessions {
  readonly devices: DeviceCookie;

  constructor(private readonly platform: Platform) {
    this.devices = new DeviceCookie(platform.keyring);
  }

  /**
   * Signs a person in. The browser always gets a new value: one that somebody put there before is worth nothing (session
   * fixation), and the session that it had ends.
   * @param proved false: only another service says who it is, which is less than the person could prove here
   */
  begin(visit: Visit, user: User, method: SignInMethod, request_id: string, proved = true): Session {
    const { db, sessions, audit, config } = this.platform;
    const { address, user_agent } = visit;
    const { session, token } = db.write(() => {
      this.#endEarlier(visit);
      const begun = sessions.create({ user_id: user.id, method, address, user_agent, proved });
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
    visit.setCookie(SESSION_COOKIE, token, config.get("sessions.days") * 86_400);
    this.devices.give(visit, user.id);
    return session;
  }

  /**
   * Notes that somebody was not let in: in the person's audit log, or in the owner's when there is no such person, which
   * also takes as long.
   */
  refused(visit: Visit, user: User | null, method: SignInMethod, reason: string, request_id: string): void {
    const { audit, log, users } = this.platform;
    log.warn("sign-in refused", { method, reason, request_id });
    const told = user ?? users.list().find(({ role }) => role === "owner");
    if (!told) return;
    const { address, user_agent } = visit;
    audit.record({
      user_id: told.id,
      actor: { kind: "user", id: null },
      action: "session.refuse",
      target: user?.id ?? null,
      after: { method, reason: user ? reason : `${reason}, unknown user`, address, user_agent },
      request_id,
    });
  }

  /** Ends the session of this browser. */
  end(visit: Visit, request_id: string): void {
    const { session } = visit;
    if (session) {
      this.platform.sessions.revoke(session.user_id, session.id, { kind: "user", id: session.user_id }, request_id);
    }
    visit.setCookie(SESSION_COOKIE, "", 0);
  }

  #endEarlier(visit: Visit): void {
    const { sessions } = this.platform;
    const token = visit.cookie(SESSION_COOKIE);
    const earlier = visit.session ?? (token === null ? null : sessions.find(token));
    if (earlier) sessions.revoke(earlier.user_id, earlier.id, { kind: "user", id: earlier.user_id });
  }
}
