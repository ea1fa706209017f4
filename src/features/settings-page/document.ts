import { createHash } from "node:crypto";
import type { WebApp } from "../../../web/bundle.ts";

const ICON =
  "data:image/svg+xml," +
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#234a9f"/>' +
      '<path d="M7 13h18M10 13v10h12V13M10 14l6 5 6-5" fill="none" stroke="#fff" stroke-width="2"/></svg>',
  );

/**
 * Returns the HTML document of the settings page. It contains no user data and only relative URLs, so it is the same
 * for everyone, under every base path.
 * @param assets location of its files, relative to the document: "assets/"
 */
export function documentOf({ script, style, early }: WebApp, assets: string): { html: string; etag: string } {
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>Postroom</title>
<link rel="icon" href="${ICON}">
<link rel="stylesheet" href="${assets}${style}">
<script src="${assets}${early}"></script>
<script type="module" src="${assets}${script}"></script>
</head>
<body>
<div id="app"></div>
<noscript>The settings page needs JavaScript. You can also do everything on the command line: <code>postroom --help</code>.</noscript>
</body>
</html>
`;
  return { html, etag: `W/"${createHash("sha256").update(html).digest("base64url").slice(0, 22)}"` };
}
