import { isIP } from "node:net";
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";
import type { Caller } from "../../http/guard/caller.ts";
import type { RequestContext } from "../../http/request-context.ts";
import { ApiError, invalidParam, notFound } from "../../kernel/errors.ts";
import type { Passkey } from "../../platform/identity/passkeys.ts";
import type { User } from "../../platform/identity/users.ts";
import type { Platform } from "../../platform/platform.ts";
import type { AuthSessions } from "./auth-sessions.ts";
import { Challenges } from "./challenges.ts";
import type { Throttle } from "./throttle.ts";
import { webauthn } from "./webauthn.ts";

const LASTS_MS = 5 * 60_000;
const MAX_PER_PERSON = 20;

interface Begun {
  /** The person who is adding a passkey; null for a sign-in. */
  user_id: string | null;
  rp_id: string;
  origin: string;
}

/** Passkeys (WebAuthn Level 3). No password crosses the network, and no other site can use them. */
export class PasskeySignIn {
  readonly #begun: Challenges<Begun>;

  constructor(
    private readonly platform: Platform,
    private readonly sessions: AuthSessions,
    private readonly throttle: Throttle,
  ) {
    this.#begun = new Challenges(platform.clock, LASTS_MS);
  }

  /** Returns what the browser needs to create a passkey for a signed-in person. @throws ApiError invalid_params */
  async beginAdding(user: User, context: RequestContext): Promise<PublicKeyCredentialCreationOptionsJSON> {
    const { origin, rp_id } = siteOf(context);
    const have = this.platform.signIn.passkeys.list(user.id);
    if (have.length >= MAX_PER_PERSON)
      throw invalidParam("name", `You can have at most ${MAX_PER_PERSON} passkeys. Remove one first.`);
    const { generateRegistrationOptions } = await webauthn();
    const options = await generateRegistrationOptions({
      rpName: "Postroom",
      rpID: rp_id,
      userID: new Uint8Array(Buffer.from(user.id)),
      userName: user.email,
      attestationType: "none",
      excludeCredentials: have.map(({ credential_id }) => ({ id: credential_id })),
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
      timeout: LASTS_MS,
    });
    this.#begun.put(options.challenge, { user_id: user.id, rp_id, origin });
    return options;
  }

  /** Stores the passkey that the browser created. @throws ApiError invalid_params */
  async add(caller: Caller, name: string, credential: RegistrationResponseJSON): Promise<Passkey> {
    const { signIn, audit, db } = this.platform;
    const { user, actor, request_id } = caller;
    const begun = this.#take(credential);
    if (begun?.value.user_id !== user.id) throw refusedPasskey();
    const { challenge, value } = begun;
    const { verifyRegistrationResponse } = await webauthn();
    const made = await verifyRegistrationResponse({
      response: credential,
      expectedChallenge: challenge,
      expectedOrigin: value.origin,
      expectedRPID: value.rp_id,
      requireUserVerification: true,
    }).catch((cause: unknown) => {
      throw refusedPasskey(cause);
    });
    if (!made.verified) throw refusedPasskey();
    const { id, publicKey, counter, transports = [] } = made.registrationInfo.credential;
    const about = { credential_id: id, public_key: publicKey, transports: [...transports], rp_id: value.rp_id };
    return db.write(() => {
      const passkey = signIn.passkeys.add({ user_id: user.id, name, counter, ...about });
      if (!passkey) throw invalidParam("credential", "This passkey is already registered.");
      audit.record({
        user_id: user.id,
        actor,
        action: "passkey.create",
        target: passkey.id,
        after: { name },
        request_id,
      });
      return passkey;
    });
  }

  /** @throws ApiError not_found */
  remove({ user, actor, request_id }: Caller, id: string): void {
    const { signIn, audit } = this.platform;
    if (!signIn.passkeys.remove(user.id, id)) throw notFound("passkey");
    audit.record({ user_id: user.id, actor, action: "passkey.delete", target: id, request_id });
  }

  /** Returns what the browser needs to offer its passkeys for this site. @throws ApiError too_many_attempts */
  async beginSignIn(context: RequestContext): Promise<PublicKeyCredentialRequestOptionsJSON> {
    const { origin, rp_id } = siteOf(context);
    const { generateAuthenticationOptions } = await webauthn();
    const options = await generateAuthenticationOptions({
      rpID: rp_id,
      userVerification: "required",
      timeout: LASTS_MS,
    });
    this.#begun.put(options.challenge, { user_id: null, rp_id, origin });
    return options;
  }

  /** @throws ApiError sign_in_refused, too_many_attempts */
  async signIn(credential: AuthenticationResponseJSON, context: RequestContext, request_id: string): Promise<void> {
    await this.#use(credential, context, request_id, (user) =>
      this.sessions.begin(context, user, "passkey", request_id),
    );
  }

  /** Re-authenticates the signed-in person with one of their passkeys. @throws ApiError sign_in_refused, too_many_attempts */
  async verify(
    credential: AuthenticationResponseJSON,
    caller: Caller,
    context: RequestContext,
    noted: () => void,
  ): Promise<void> {
    await this.#use(credential, context, caller.request_id, noted, caller.user);
  }

  /**
   * Verifies a passkey.
   * @param then called in the transaction that records the use
   * @param only the person whose passkey it must be; if absent, any person's is accepted
   */
  async #use(
    credential: AuthenticationResponseJSON,
    context: RequestContext,
    request_id: string,
    then: (user: User) => void,
    only?: User,
  ): Promise<void> {
    const { signIn, users, db, audit } = this.platform;
    const attempt = this.throttle.visitor(context);
    const begun = this.#take(credential);
    const passkey = typeof credential.id === "string" ? signIn.passkeys.find(credential.id) : null;
    const user = passkey && users.get(passkey.user_id);
    const refuse = (reason: string): ApiError => {
      this.sessions.refused(context, user, "passkey", reason, request_id);
      return new ApiError("sign_in_refused", "This passkey was not accepted. Try again, or use another method.");
    };
    if (!begun || begun.value.user_id !== null) throw refuse("challenge");
    if (!passkey || !user) throw refuse("passkey");
    if (only && only.id !== user.id) throw refuse("passkey of another user");
    const { credential_id, public_key, counter } = passkey;
    const { verifyAuthenticationResponse } = await webauthn();
    const checked = await verifyAuthenticationResponse({
      response: credential,
      expectedChallenge: begun.challenge,
      expectedOrigin: begun.value.origin,
      expectedRPID: begun.value.rp_id,
      credential: { id: credential_id, publicKey: public_key, counter },
      requireUserVerification: true,
    }).catch(() => null);
    if (!checked?.verified) throw refuse("signature or counter");
    attempt.right();
    const { newCounter } = checked.authenticationInfo;
    db.write(() => {
      signIn.passkeys.used(passkey.id, newCounter);
      then(user);
      audit.record({
        user_id: user.id,
        actor: { kind: "user", id: user.id },
        action: "passkey.use",
        target: passkey.id,
        request_id,
      });
    });
  }

  /** Takes the challenge that an answer refers to, so that it is valid only once. */
  #take(credential: { response?: { clientDataJSON?: unknown } }): { challenge: string; value: Begun } | null {
    const challenge = challengeIn(credential.response?.clientDataJSON);
    const value = challenge === null ? null : this.#begun.take(challenge);
    return challenge !== null && value ? { challenge, value } : null;
  }
}

/** Returns the site of a request. A passkey belongs to a host name, never to an IP address (WebAuthn §5.1.2, "effective domain"). */
function siteOf({ origin }: RequestContext): { origin: string; rp_id: string } {
  const rp_id = new URL(origin).hostname;
  if (isIP(rp_id.replace(/^\[(.*)\]$/, "$1")) !== 0) {
    throw invalidParam(
      "Host",
      "Passkeys need a host name. Open Postroom at localhost or at its https name, not at an IP address.",
    );
  }
  return { origin, rp_id };
}

function challengeIn(clientData: unknown): string | null {
  if (typeof clientData !== "string") return null;
  try {
    const { challenge } = JSON.parse(Buffer.from(clientData, "base64url").toString()) as { challenge?: unknown };
    return typeof challenge === "string" ? challenge : null;
  } catch {
    return null;
  }
}

function refusedPasskey(cause?: unknown): ApiError {
  return new ApiError(
    "invalid_params",
    "The passkey was not accepted. It took too long, or it belongs to another site. Try again.",
    {
      param: "credential",
      cause,
    },
  );
}
