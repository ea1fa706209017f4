import type { RequestContext } from "../../http/request-context.ts";
import type { User } from "../../platform/identity/users.ts";
import type { Platform } from "../../platform/platform.ts";
import type { AuthSessions } from "./auth-sessions.ts";
import { hasOwnMethods } from "./own-methods.ts";

/**
 * A reverse proxy that has signed the person in names them in a header (Authelia's and Authentik's Remote-Email). It counts
 * only from a proxy of `http.trusted_proxies`: anybody else could write it.
 */
export class ForwardAuth {
  readonly #header: string;

  constructor(
    private readonly platform: Platform,
    private readonly sessions: AuthSessions,
  ) {
    this.#header = platform.config.get("http.forward_auth_header");
  }

  /** Whether the proxy vouches for this person, on this very request. */
  vouchesFor(user: User, context: RequestContext): boolean {
    const email = this.#named(context);
    return email !== null && this.platform.users.findByEmail(email)?.id === user.id;
  }

  /** The address that the proxy vouches for; null when there is no such proxy. */
  #named({ request, through_trusted_proxy }: RequestContext): string | null {
    if (this.#header === "" || !through_trusted_proxy) return null;
    return request.headers.get(this.#header)?.trim() || null;
  }

  isOffered(context: RequestContext): boolean {
    return this.#named(context) !== null;
  }

  /**
   * Signs in whom the proxy names, and ends the session of anybody else in this browser.
   * @returns the person of the session that counts now
   */
  admit(context: RequestContext, present: User | null, request_id: string): User | null {
    const email = this.#named(context);
    if (email === null) return present;
    const user = this.platform.users.findByEmail(email);
    if (user && user.id === present?.id) return user;
    if (present) this.sessions.end(context, request_id);
    if (!user) {
      // The page asks again and again: a line in the log is enough.
      this.platform.log.warn("the proxy names somebody who is not a member", { request_id });
      return null;
    }
    this.platform.db.write(() => {
      if (user.role === "owner") this.platform.signIn.claim.claim();
      this.sessions.begin(context, user, "forward_auth", request_id, !hasOwnMethods(this.platform, user));
    });
    return user;
  }
}
