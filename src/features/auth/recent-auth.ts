import type { AuthenticationResponseJSON } from "@simplewebauthn/server";
import type { Static } from "@sinclair/typebox";
import type { Caller } from "../../http/guard/caller.ts";
import type { RequestContext } from "../../http/request-context.ts";
import { ApiError } from "../../kernel/errors.ts";
import type { Platform } from "../../platform/platform.ts";
import type { ForwardAuth } from "./forward-auth.ts";
import type { ReauthenticationMethods } from "./model.ts";
import type { Oidc } from "./oidc.ts";
import { hasOwnMethods } from "./own-methods.ts";
import type { PasskeySignIn } from "./passkey-sign-in.ts";
import type { PasswordSignIn } from "./password-sign-in.ts";

export interface RecentAuthParts {
  platform: Platform;
  passwords: PasswordSignIn;
  passkeys: PasskeySignIn;
  oidc: Oidc;
  forward_auth: ForwardAuth;
}

/**
 * Re-authenticates a signed-in person before routes that set `recentAuth`: by password or passkey, or by a new sign-in at
 * the provider, which has to ask the person. A person with neither password nor passkey is trusted as the proxy names them.
 */
export class RecentAuth {
  constructor(private readonly parts: RecentAuthParts) {}

  /** Returns the methods with which this person can re-authenticate in this browser. */
  methods({ user }: Caller, context: RequestContext): Static<typeof ReauthenticationMethods> {
    const { platform, oidc } = this.parts;
    return {
      password: platform.signIn.passwords.has(user.id),
      passkey: platform.signIn.passkeys.list(user.id).length > 0,
      oidc: oidc.name === null ? null : { name: oidc.name },
      proxy: this.#isProxyEnough({ user }, context),
    };
  }

  /**
   * Re-authenticates by password, or through the proxy for a person without own methods.
   * @param password absent if the proxy vouches for the person
   * @throws ApiError sign_in_refused, too_many_attempts
   */
  async byPassword(caller: Caller, password: string | undefined, context: RequestContext): Promise<void> {
    const { platform, passwords } = this.parts;
    if (platform.signIn.passwords.has(caller.user.id)) {
      await passwords.verify(caller.user, password, context, caller.request_id);
      return platform.db.write(() => this.#note(caller, context, "password"));
    }
    if (!this.#isProxyEnough(caller, context))
      throw new ApiError("sign_in_refused", "This method is not available for your account. Choose another one.");
    platform.db.write(() => this.#note(caller, context, "forward_auth"));
  }

  /** @throws ApiError sign_in_refused, too_many_attempts */
  async byPasskey(caller: Caller, credential: AuthenticationResponseJSON, context: RequestContext): Promise<void> {
    await this.parts.passkeys.verify(credential, caller, context, () => this.#note(caller, context, "passkey"));
  }

  #isProxyEnough({ user }: Pick<Caller, "user">, context: RequestContext): boolean {
    return !hasOwnMethods(this.parts.platform, user) && this.parts.forward_auth.vouchesFor(user, context);
  }

  #note({ user, actor, request_id }: Caller, context: RequestContext, method: string): void {
    const { sessions, audit } = this.parts.platform;
    const session = context.session!;
    sessions.markRecentAuth(session.id);
    audit.record({
      user_id: user.id,
      actor,
      action: "session.prove",
      target: session.id,
      after: { method },
      request_id,
    });
  }
}
