import type { RequestContext } from "../../http/request-context.ts";
import type { User } from "../../platform/identity/users.ts";
import type { Platform } from "../../platform/platform.ts";
import type { AuthSessions } from "./auth-sessions.ts";
import { hasOwnMethods } from "./own-methods.ts";

/**
 * Sign-in through a reverse proxy that has authenticated the person and names them in a header (Remote-Email of Authelia
 * and Authentik). The header counts only from a proxy in `http.trusted_proxies`; anyone else could forge it.
 */
export class ForwardAuth {
  readonly #header: string;

  constructor(
    private readonly platform: Platform,
    private readonly sessions: AuthSessions,
  ) {
    this.#header = platform.config.get("http.forward_auth_header");
  }

  /** Whether the proxy names this person in the current request. */
  vouchesFor(user: User, context: RequestContext): boolean {
    const email = this.#named(context);
    return email !== null && this.platform.users.findByEmail(email)?.id === user.id;
  }

  /** Returns the address that the proxy names, or null without a trusted proxy or header. */
  #named({ request, through_trusted_proxy }: RequestContext): string | null {
    if (this.#header === "" || !through_trusted_proxy) return null;
    return request.headers.get(this.#header)?.trim() || null;
  }

  /** Whether a trusted proxy names anyone in this request. */
  isOffered(context: RequestContext): boolean {
    return this.#named(context) !== null;
  }

  /**
   * Signs in the person whom the proxy names, and ends anyone else's session in this browser.
   * @returns the person of the session that is valid now
   */
  admit(context: RequestContext, current: User | null, request_id: string): User | null {
    const email = this.#named(context);
    if (email === null) return current;
    const user = this.platform.users.findByEmail(email);
    if (user && user.id === current?.id) return user;
    if (this.platform.acting.pause) return null;
    if (current) this.sessions.end(context, request_id);
    if (!user) {
      // The page asks repeatedly, so the log is enough.
      this.platform.log.warn("the proxy names a person who is not a member", { request_id });
      return null;
    }
    this.platform.db.write(() => {
      if (user.role === "owner") this.platform.signIn.claim.claim();
      this.sessions.begin(context, user, "forward_auth", request_id, !hasOwnMethods(this.platform, user));
    });
    return user;
  }
}
