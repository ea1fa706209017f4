import { randomBytes, timingSafeEqual } from "node:crypto";
import type { RequestContext } from "../../http/request-context.ts";
import type { Keyring } from "../../platform/sealing/keyring.ts";

const COOKIE = "postroom_device";
const YEAR_S = 365 * 86_400;

/**
 * Marks a browser that a person has signed in with (OWASP, "Device Cookies"). Guesses from elsewhere then cannot make the
 * person wait: failures of a known browser are counted for itself. It opens nothing.
 */
export class DeviceCookie {
  constructor(private readonly keyring: Keyring) {}

  give(context: RequestContext, user_id: string): void {
    const nonce = randomBytes(16).toString("base64url");
    context.setCookie(COOKIE, `${nonce}.${this.#proof(user_id, nonce)}`, YEAR_S);
  }

  /** A name for the browser, when it is one that this person has signed in with. */
  nameFor(context: RequestContext, user_id: string): string | null {
    const [nonce, proof, ...more] = (context.cookie(COOKIE) ?? "").split(".");
    if (!nonce || !proof || more.length > 0) return null;
    const [given, right] = [Buffer.from(proof), Buffer.from(this.#proof(user_id, nonce))];
    return given.length === right.length && timingSafeEqual(given, right) ? nonce : null;
  }

  #proof(user_id: string, nonce: string): string {
    return Buffer.from(this.keyring.system().hmac("sign-in", `device:${user_id}:${nonce}`)).toString("base64url");
  }
}
