import { createHash, randomBytes } from "node:crypto";
import type { Configuration, CustomFetch, IDToken } from "openid-client";
import type { RequestContext } from "../../http/request-context.ts";
import { ApiError } from "../../kernel/errors.ts";
import { lazy } from "../../kernel/lazy.ts";
import { directly } from "../../platform/egress/directly.ts";
import type { User } from "../../platform/identity/users.ts";
import { errorFields } from "../../platform/log.ts";
import type { Platform } from "../../platform/platform.ts";
import type { AuthSessions } from "./auth-sessions.ts";
import { Challenges } from "./challenges.ts";
import { hasOwnMethods } from "./own-methods.ts";
import type { Throttle } from "./throttle.ts";

const LASTS_MS = 10 * 60_000;
/** The provider's metadata is fetched again after this time, and after a failure. */
const DISCOVERY_MS = 60 * 60_000;
const TIMEOUT_S = 15;
/** Loaded at the first sign-in with this method. */
const library = lazy(() => import("openid-client"));
const FLOW_COOKIE = "postroom_oidc";

interface Begun {
  nonce: string;
  code_verifier: string;
  redirect_uri: string;
  /** SHA-256 of the browser's flow cookie. The browser that returns must be the one that left. */
  browser: string;
  /** Whether the provider was asked to authenticate the person again, regardless of its own session. */
  askedAgain: boolean;
}

/**
 * Sign-in at an OpenID Connect provider: authorization code with PKCE (RFC 7636), state and nonce. The id_token's signature
 * is checked against the provider's keys, together with its issuer, audience, expiry and nonce (OpenID Connect Core
 * §3.1.3.7). A person is found by an address that the provider reports as verified.
 */
export class Oidc {
  readonly #begun: Challenges<Begun>;
  #found: { configuration: Promise<Configuration>; at: number } | null = null;

  constructor(
    private readonly platform: Platform,
    private readonly sessions: AuthSessions,
    private readonly throttle: Throttle,
  ) {
    this.#begun = new Challenges(platform.clock, LASTS_MS);
  }

  /** The label of the button; null if no provider is configured. */
  get name(): string | null {
    const { config } = this.platform;
    const issuer = config.get("oidc.issuer");
    if (issuer === "" || config.get("oidc.client_id") === "") return null;
    return config.get("oidc.name") || new URL(issuer).hostname;
  }

  /**
   * Starts a sign-in.
   * @param again whether the provider must ask the person even if it recognizes the browser (OpenID Connect Core §3.1.2.1)
   * @returns the address to send the browser to
   * @throws ApiError not_found, provider_unavailable
   */
  async start(context: RequestContext, again = false): Promise<string> {
    const configuration = await this.#configuration();
    const oidc = await library();
    const browser = randomBytes(32).toString("base64url");
    const [state, nonce, code_verifier] = [oidc.randomState(), oidc.randomNonce(), oidc.randomPKCECodeVerifier()];
    const redirect_uri = `${context.base_url}/app/oidc/callback`;
    this.#begun.put(state, { nonce, code_verifier, redirect_uri, browser: hash(browser), askedAgain: again });
    context.setCookie(FLOW_COOKIE, browser, LASTS_MS / 1000, "Lax");
    return oidc.buildAuthorizationUrl(configuration, {
      redirect_uri,
      scope: "openid email",
      state,
      nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(code_verifier),
      code_challenge_method: "S256",
      ...(again ? { prompt: "login", max_age: "0" } : {}),
    }).href;
  }

  /** Completes what `start` began and signs the person in. @throws ApiError sign_in_refused, too_many_attempts, provider_unavailable */
  async finish(context: RequestContext, request_id: string): Promise<void> {
    const configuration = await this.#configuration();
    const attempt = this.throttle.visitor(context);
    const { searchParams } = new URL(context.request.url);
    const state = searchParams.get("state") ?? "";
    const begun = this.#begun.take(state);
    const cookie = context.cookie(FLOW_COOKIE);
    context.setCookie(FLOW_COOKIE, "", 0, "Lax");
    if (!begun || cookie === null || hash(cookie) !== begun.browser) {
      throw this.#refused(
        context,
        null,
        "state",
        "This sign-in was started in another browser or took too long. Start again.",
        request_id,
      );
    }
    const current = new URL(begun.redirect_uri);
    current.search = searchParams.toString();
    const { authorizationCodeGrant } = await library();
    const tokens = await authorizationCodeGrant(configuration, current, {
      expectedState: state,
      expectedNonce: begun.nonce,
      pkceCodeVerifier: begun.code_verifier,
      idTokenExpected: true,
    }).catch((error: unknown) => {
      this.platform.log.warn("the OpenID provider's answer was not accepted", errorFields(error));
      throw this.#refused(
        context,
        null,
        "token",
        "The provider's response was not accepted. The log has the reason.",
        request_id,
      );
    });
    const { email, email_verified, auth_time }: Partial<IDToken> = tokens.claims() ?? {};
    // Some providers omit the claim and verify nothing. Only an address that is reported as verified identifies a person.
    const user = typeof email === "string" && email_verified === true ? this.platform.users.findByEmail(email) : null;
    if (!user) {
      const message =
        email_verified === true
          ? "No user has the email address that the provider reports. Ask the owner to add you."
          : "The provider does not confirm that your email address is verified. Verify it at the provider first.";
      throw this.#refused(context, null, "address", message, request_id);
    }
    attempt.right();
    const asked = begun.askedAgain && typeof auth_time === "number" && this.#isJustNow(auth_time);
    const recentAuth = asked || !hasOwnMethods(this.platform, user);
    this.platform.db.write(() => {
      if (user.role === "owner") this.platform.signIn.claim.claim();
      this.sessions.begin(context, user, "oidc", request_id, recentAuth);
    });
  }

  /** Whether the provider authenticated the person for this sign-in. @param auth_time Unix time, s */
  #isJustNow(auth_time: number): boolean {
    return Math.abs(this.platform.clock.now() - auth_time * 1000) <= LASTS_MS;
  }

  #refused(context: RequestContext, user: User | null, reason: string, message: string, request_id: string): ApiError {
    this.sessions.refused(context, user, "oidc", reason, request_id);
    return new ApiError("sign_in_refused", message);
  }

  /** Returns the provider's metadata (OpenID Connect Discovery). @throws ApiError */
  async #configuration(): Promise<Configuration> {
    if (this.name === null) throw new ApiError("not_found", "No OpenID provider is configured.");
    const now = this.platform.clock.now();
    if (!this.#found || now - this.#found.at > DISCOVERY_MS) {
      this.#found = { configuration: this.#discover(), at: now };
    }
    try {
      return await this.#found.configuration;
    } catch (cause) {
      this.#found = null;
      throw new ApiError("provider_unavailable", "The OpenID provider cannot be reached. Try again later.", { cause });
    }
  }

  async #discover(): Promise<Configuration> {
    const { allowInsecureRequests, ClientSecretBasic, customFetch, discovery, enableNonRepudiationChecks, None } =
      await library();
    const { config } = this.platform;
    const issuer = new URL(config.get("oidc.issuer"));
    const secret = config.get("oidc.client_secret");
    // Plain HTTP is possible only to this machine; the check of the configuration ensures that.
    const insecure = issuer.protocol === "http:" ? [allowInsecureRequests] : [];
    return discovery(
      issuer,
      config.get("oidc.client_id"),
      undefined,
      secret === "" ? None() : ClientSecretBasic(secret),
      {
        execute: [enableNonRepudiationChecks, ...insecure],
        timeout: TIMEOUT_S,
        [customFetch]: fetchDirectly,
      },
    );
  }
}

const fetchDirectly: CustomFetch = (url, options) =>
  fetch(url, { ...(options as RequestInit), ...directly(new URL(url)) });

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
