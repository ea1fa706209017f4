import { randomBytes, timingSafeEqual } from "node:crypto";
import type { RequestContext } from "../../http/request-context.ts";
import type { Keyring } from "../../platform/sealing/keyring.ts";

const COOKIE = "postroom_device";
const YEAR_S = 365 * 86_400;

/**
 * Marks a browser in which a person has signed in (OWASP, "Device Cookies"). Failures in a known browser are counted
 * separately, so wrong guesses from elsewhere cannot make the person wait. The cookie grants no access.
 */
export class DeviceCookie {
  constructor(private readonly keyring: Keyring) {}

  give(context: RequestContext, user_id: string): void {
    const nonce = randomBytes(16).toString("base64url");
    context.setCookie(COOKIE, `${nonce}.${this.#sign(user_id, nonce)}`, YEAR_S);
  }

  /** Returns the name of the browser if this person has signed in with it before, otherwise null. */
  nameFor(context: RequestContext, user_id: string): string | null {
    const [nonce, signature, ...more] = (context.cookie(COOKIE) ?? "").split(".");
    if (!nonce || !signature || more.length > 0) return null;
    const [given, expected] = [Buffer.from(signature), Buffer.from(this.#sign(user_id, nonce))];
    return given.length === expected.length && timingSafeEqual(given, expected) ? nonce : null;
  }

  #sign(user_id: string, nonce: string): string {
    return Buffer.from(this.keyring.system().hmac("sign-in", `device:${user_id}:${nonce}`)).toString("base64url");
  }
}
