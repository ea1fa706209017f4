import type { Page, PageRequest } from "../../http/page.ts";
import { openidMetadata, serverMetadata } from "./metadata.ts";
import { PATHS } from "./paths.ts";
import type { OAuthServer } from "./server.ts";

export interface OAuthPagesOptions {
  server: OAuthServer;
  /** Checks that the tool server is on, and that no page of another site sent the request. @throws ApiError */
  check: (request: Request) => void;
  /** "" or "/mail". */
  base_path: string;
}

type Handle = (page: PageRequest) => Response | Promise<Response>;

/**
 * Returns the endpoints of the authorization server. Metadata is served at every address where clients look for it: a
 * client inserts the well-known path before the issuer's path (RFC 8414 §3.1), and OpenID Connect appends it.
 */
export function oauthPages({ server, check, base_path }: OAuthPagesOptions): Page[] {
  const page = (method: Page["method"], path: string, handle: Handle): Page => ({
    method,
    path,
    limited: true,
    knownHost: true,
    // A browser navigates to the consent. Programs that run in it call the other paths.
    ...(!path.startsWith(PATHS.authorization) && { crossOrigin: true }),
    handle: (request) => {
      check(request.request);
      return handle(request);
    },
  });
  const wellKnown = (name: string, metadata: (issuer: string) => object) => {
    const suffixes = base_path === "" ? [""] : ["", base_path];
    const handle: Handle = ({ context }) => Response.json(metadata(context.base_url));
    return suffixes.map((suffix) => page("GET", `/.well-known/${name}${suffix}`, handle));
  };
  return [
    ...wellKnown("oauth-authorization-server", serverMetadata),
    ...wellKnown("openid-configuration", openidMetadata),
    page("GET", PATHS.jwks, () => Response.json({ keys: [] })),
    page("GET", PATHS.authorization, (request) => server.authorize(request)),
    page("GET", `${PATHS.authorization}/:uid`, (request) => server.resume(request)),
    page("POST", PATHS.token, (request) => server.post(request)),
    page("POST", PATHS.revocation, (request) => server.post(request)),
    page("POST", PATHS.registration, (request) => server.register(request)),
  ];
}
