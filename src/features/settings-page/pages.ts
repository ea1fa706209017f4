import type { WebApp, WebAsset } from "../../../web/bundle.ts";
import { embeddedWebApp } from "../../../web/embedded.ts";
import { preferredEncoding } from "../../http/encoding.ts";
import { APP_PAGE_HEADERS, type Page, type PageRequest } from "../../http/page.ts";
import { ApiError } from "../../kernel/errors.ts";
import { documentOf } from "./document.ts";
import { MESSAGE_FRAME } from "./message-frame.ts";

/** Asset names contain a hash of their content, so an asset with a given name never changes. */
const IMMUTABLE = "public, max-age=31536000, immutable";
/** Content codings in which the files are stored, the smallest first. */
const KEPT = ["br", "gzip"] as const;
/** The document shows mail in frames, which only this server provides. */
const DOCUMENT_HEADERS = {
  ...APP_PAGE_HEADERS,
  "Content-Security-Policy": `${APP_PAGE_HEADERS["Content-Security-Policy"]}; frame-src 'self'`,
};
/** The document names the assets, so it is revalidated each time; 304 if it is unchanged. */
const REVALIDATE = "no-cache";

/**
 * Returns the pages of the settings page: its document, at `/app/` and at the redirect address for mail providers, its
 * files, and the frame for mail.
 */
export function settingsPages(load: () => Promise<WebApp> = embeddedWebApp): Page[] {
  let loading: Promise<WebApp> | null = null;
  const webApp = () => {
    loading ??= load();
    return loading;
  };
  return [
    // Relative, so that it is right under every base path.
    { method: "GET", path: "/app", handle: () => new Response(null, { status: 302, headers: { Location: "app/" } }) },
    { method: "GET", path: "/app/", handle: async ({ request }) => document(request, await webApp(), "assets/") },
    {
      method: "GET",
      path: "/app/oauth/callback",
      handle: async ({ request }) => document(request, await webApp(), "../assets/"),
    },
    MESSAGE_FRAME,
    { method: "GET", path: "/app/assets/:name", handle: async (page) => asset(page, await webApp()) },
  ];
}

function document(request: Request, webApp: WebApp, assets: string): Response {
  const { html, etag } = documentOf(webApp, assets);
  const headers = { ...DOCUMENT_HEADERS, "Cache-Control": REVALIDATE, ETag: etag };
  const known = request.headers
    .get("if-none-match")
    ?.split(/\s*,\s*/)
    .includes(etag);
  return known ? new Response(null, { status: 304, headers }) : new Response(html, { headers });
}

function asset({ request, params }: PageRequest, { assets }: WebApp): Response {
  const found = assets.find(({ name }) => name === params.name);
  if (!found) throw new ApiError("not_found", "This file does not exist.");
  const encoding = preferredEncoding(request.headers.get("accept-encoding"), KEPT);
  const headers = new Headers({ "Content-Type": found.type, "Cache-Control": IMMUTABLE, Vary: "Accept-Encoding" });
  headers.set("Cross-Origin-Resource-Policy", "same-origin");
  if (encoding !== "identity") headers.set("Content-Encoding", encoding);
  return new Response(bytesOf(found, encoding) as Uint8Array<ArrayBuffer>, { headers });
}

function bytesOf({ brotli, gzip, plain }: WebAsset, encoding: (typeof KEPT)[number] | "identity"): Uint8Array {
  if (encoding === "br") return brotli;
  return encoding === "gzip" ? gzip : plain;
}
