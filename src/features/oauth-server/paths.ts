/** Cookie that binds a consent to the browser that began it. */
export const CONSENT_COOKIE = "postroom_consent";
/** Cookie of the library's own session, which is neither accepted nor sent. */
export const LIBRARY_SESSION_COOKIE = "postroom_oauth";

export const PATHS = {
  authorization: "/oauth/authorize",
  token: "/oauth/token",
  registration: "/oauth/register",
  revocation: "/oauth/revoke",
  jwks: "/oauth/jwks",
} as const;
