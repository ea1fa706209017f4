import { lazy } from "../../http/lazy.ts";

/**
 * The WebAuthn library, loaded when somebody first uses a passkey: with its certificate parsers it takes a tenth of a second
 * and 20 MB, which no other command and few installations need.
 */
export const webauthn = lazy(async () => {
  await import("reflect-metadata"); // the certificate parsers ask for it while they are loaded
  return import("@simplewebauthn/server");
});
