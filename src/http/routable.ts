/** Index from which Elysia searches for the path: "http://" and a host of at least four characters. */
const ROUTER_SEARCH_START = 11;
const SCHEME_LENGTH = "http://".length;

/**
 * Returns the request in a form that the router reads correctly; almost always the request itself.
 *
 * The copy replaces a Host that would confuse the router: one of a letter or two ("http://n/…", common on home
 * networks), an absent one (HTTP/1.0, as load balancers' probes send it), or one that is not a host. The pipeline does
 * not use this Host. HEAD becomes GET, because otherwise the router reads the body of a stream to its end to learn its
 * length.
 * @param base_path "" or "/mail": removed if present. A proxy may already have removed it.
 */
export function routable(request: Request, base_path = ""): Request {
  const { method } = request;
  const url = withoutBase(request.url, base_path);
  const inOrder =
    url.indexOf("/", SCHEME_LENGTH) >= ROUTER_SEARCH_START &&
    !url.includes("#") &&
    url.startsWith("http") &&
    URL.canParse(url);
  if (inOrder && method !== "HEAD" && url === request.url) return request;
  const address = inOrder ? url : `http://localhost${pathOf(url)}`;
  const { headers, signal } = request;
  if (method === "HEAD") return new Request(address, { headers, signal });
  return new Request(address, { method, headers, signal, body: request.body });
}

/** Returns a URL without the base path. */
function withoutBase(url: string, base_path: string): string {
  if (base_path === "") return url;
  const path = pathOf(url);
  if (!path.startsWith(`${base_path}/`)) return url;
  return url.slice(0, url.length - path.length) + path.slice(base_path.length);
}

/** Returns path and query of a full URL, a path alone, or (CONNECT) neither. */
function pathOf(url: string): string {
  const path = url.replace(/^https?:\/\/[^/?#]*/i, "").replace(/#.*$/s, "");
  return path.startsWith("/") ? path : `/${path}`;
}
