import { lazy } from "../../kernel/lazy.ts";

/**
 * The WebAuthn library, loaded at the first use of a passkey. With its certificate parsers it takes 0.1 s and 20 MB, which
 * no other command and few installations need.
 */
export const webauthn = lazy(async () => {
  await import("reflect-metadata"); // the certificate parsers need it when they are loaded
  return import("@simplewebauthn/server");
});
