import css from "../../../web/docs/docs.css" with { type: "text" };
import { embeddedWebApp } from "../../../web/embedded.ts";
import { lazy, lazyAsync } from "../../kernel/lazy.ts";
import type { Page } from "../page.ts";
import type { Route } from "../route.ts";
import { API_PREFIX } from "../table.ts";
import { docsHtml } from "./docs-html.ts";
import { type DocumentOptions, openapiDocument } from "./document.ts";

/** The page loads nothing from elsewhere, has no inline script, and sends requests only to this server. */
const DOCS_HEADERS = {
  "Content-Security-Policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "Cross-Origin-Opener-Policy": "same-origin",
  // The page names its script, which another version does not have.
  "Cache-Control": "no-cache",
};
/** Routes do not change while the process runs. A new version may be served at the same address. */
const CACHE = "public, max-age=300";

/** Returns the description as JSON and as a reference page, both public. They are built when first requested. */
export function openapiPages(routes: readonly Route[], options: DocumentOptions): Page[] {
  const document = lazy(() => openapiDocument(routes, options));
  const json = lazy(() => JSON.stringify(document()));
  const html = lazyAsync(async () => docsHtml(document(), `../app/assets/${(await embeddedWebApp()).docs}`));
  const reply = (body: string, type: string, more: Record<string, string> = {}) =>
    new Response(body, { headers: { "Content-Type": type, "Cache-Control": CACHE, ...more } });
  return [
    {
      method: "GET",
      path: "/",
      // Relative, so that the redirect works under every base path.
      handle: () => new Response(null, { status: 302, headers: { Location: "app/" } }),
    },
    {
      method: "GET",
      path: `${API_PREFIX}/openapi.json`,
      // Public, and useful to browser tools of any origin.
      handle: () => reply(json(), "application/json", { "Access-Control-Allow-Origin": "*" }),
    },
    {
      method: "GET",
      path: `${API_PREFIX}/docs`,
      handle: async () => reply(await html(), "text/html; charset=utf-8", DOCS_HEADERS),
    },
    {
      method: "GET",
      path: `${API_PREFIX}/docs/docs.css`,
      handle: () => reply(css, "text/css; charset=utf-8"),
    },
  ];
}
