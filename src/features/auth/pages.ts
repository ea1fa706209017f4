import { APP_PAGE_HEADERS, type Page, type PageRequest } from "../../http/page.ts";
import { ApiError } from "../../kernel/errors.ts";
import { errorFields } from "../../platform/log.ts";
import type { Auth } from "./auth.ts";

/** Returns the pages that redirect the browser to an OpenID provider and receive its answer. */
export function authPages(auth: Auth): Page[] {
  return [
    {
      method: "GET",
      path: "/app/oidc/start",
      limited: true,
      handle: (page) => {
        const again = new URL(page.request.url).searchParams.get("again") === "1";
        return led(auth, page, () => auth.oidc.start(page.context, again));
      },
    },
    {
      method: "GET",
      path: "/app/oidc/callback",
      limited: true,
      handle: (page) =>
        led(auth, page, async () => {
          await auth.oidc.finish(page.context, page.request_id);
          return "../";
        }),
    },
  ];
}

/** Redirects the browser. A refusal becomes an HTML page. */
async function led(auth: Auth, { context, request_id }: PageRequest, where: () => Promise<string>): Promise<Response> {
  try {
    auth.platform.acting.require();
    const headers = new Headers({ Location: await where() });
    for (const [name, value] of context.headers) headers.append(name, value);
    return new Response(null, { status: 302, headers });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.cause)
      auth.platform.log.warn("sign-in at the provider failed", { request_id, ...errorFields(error.cause) });
    const headers = new Headers(APP_PAGE_HEADERS);
    for (const [name, value] of context.headers) headers.append(name, value);
    return new Response(refusalPage(error.message), { status: STATUS[error.code] ?? 401, headers });
  }
}

const STATUS: Partial<Record<ApiError["code"], number>> = {
  not_found: 404,
  too_many_attempts: 429,
  provider_unavailable: 503,
  server_paused: 503,
};

/** Returns a page with our own text only. Nothing from the request is shown. */
function refusalPage(message: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Not signed in</title>
</head>
<body>
<main>
<h1>Not signed in</h1>
<p>${Bun.escapeHTML(message)}</p>
<p><a href="../">Back to Postroom</a></p>
</main>
</body>
</html>
`;
}
