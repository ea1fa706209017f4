import type { AuthenticationResponseJSON } from "@simplewebauthn/server";
import type { Static } from "@sinclair/typebox";
import type { Caller } from "../../http/caller.ts";
import type { Visit } from "../../http/visit.ts";
import { ApiError } from "../../kernel/errors.ts";
import type { Platform } from "../../platform/platform.ts";
import type { ForwardAuth } from "./forward-auth.ts";
import type { ProofMethods } from "./model.ts";
import type { Oidc } from "./oidc.ts";
import { hasOwnProof } from "./own-proof.ts";
import type { PasskeySignIn } from "./passkey-sign-in.ts";
import type { PasswordSignIn } from "./password-sign-in.ts";

export interface ProofParts {
  platform: Platform;
  passwords: PasswordSignIn;
  passkeys: PasskeySignIn;
  oidc: Oidc;
  forward_auth: ForwardAuth;
}

/**
 * Whoever is signed in proves once more who they are, before what a route calls `fresh`: by password or passkey, or by
 * signing in anew at the provider, which has to ask. Who has neither password nor passkey is believed as the proxy says.
 */
export class Proof {
  constructor(private readonly parts: ProofParts) {}

  /** What this person can prove it with, in this browser. */
  methods({ user }: Caller, visit: Visit): Static<typeof ProofMethods> {
    const { platform, oidc } = this.parts;
    return {
      password: platform.sign_in.passwords.has(user.id),
      passkey: platform.sign_in.passkeys.list(user.id).length > 0,
      oidc: oidc.name === null ? null : { name: oidc.name },
      proxy: this.#isProxyEnough({ user }, visit),
    };
  }

  /** @param password absent: what the proxy says is to count @throws ApiError sign_in_refused, too_many_attempts */
  async byPassword(caller: Caller, password: string | undefined, visit: Visit): Promise<void> {
    const { platform, passwords } = this.parts;
    if (platform.sign_in.passwords.has(caller.user.id)) {
      await passwords.prove(caller.user, password, visit, caller.request_id);
      return platform.db.write(() => this.#note(caller, visit, "password"));
    }
    if (!this.#isProxyEnough(caller, visit))
      throw new ApiError("sign_in_refused", "This method is not available for your account. Choose another one.");
    platform.db.write(() => this.#note(caller, visit, "forward_auth"));
  }

  /** @throws ApiError sign_in_refused, too_many_attempts */
  async byPasskey(caller: Caller, credential: AuthenticationResponseJSON, visit: Visit): Promise<void> {
    await this.parts.passkeys.prove(credential, caller, visit, () => this.#note(caller, visit, "passkey"));
  }

  #isProxyEnough({ user }: Pick<Caller, "user">, visit: Visit): boolean {
    return !hasOwnProof(this.parts.platform, user) && this.parts.forward_auth.vouchesFor(user, visit);
  }

  #note({ user, actor, request_id }: Caller, visit: Visit, method: string): void {
    const { sessions, audit } = this.parts.platform;
    const session = visit.session!;
    sessions.prove(session.id);
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
