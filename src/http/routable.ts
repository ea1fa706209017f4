/** Elysia looks for the path from here on: "http://" and a host of at least four letters. */
const ROUTER_LOOKS_FROM = 11;
const SCHEME_LENGTH = "http://".length;

/**
 * The request as the router reads it rightly; almost always the request itself.
 *
 * Made anew are requests whose Host the router would stumble over: one of a letter or two ("http://n/…", as at home), an
 * absent one (HTTP/1.0, as load balancers' probes send it) and one that is no host at all. Nothing here goes by the Host.
 * HEAD becomes GET, for the router would read the body of a stream to its end to learn its length.
 * @param base_path "" or "/mail": taken off where it is there. A proxy may have taken it off already.
 */
export function routable(request: Request, base_path = ""): Request {
  const { method } = request;
  const url = withoutBase(request.url, base_path);
  const inOrder =
    url.indexOf("/", SCHEME_LENGTH) >= ROUTER_LOOKS_FROM &&
    !url.includes("#") &&
    url.startsWith("http") &&
    URL.canParse(url);
  if (inOrder && method !== "HEAD" && url === request.url) return request;
  const address = inOrder ? url : `http://localhost${pathOf(url)}`;
  const { headers, signal } = request;
  if (method === "HEAD") return new Request(address, { headers, signal });
  return new Request(address, { method, headers, signal, body: request.body });
}

/** An address without the base path in front of its path. */
function withoutBase(url: string, base_path: string): string {
  if (base_path === "") return url;
  const path = pathOf(url);
  if (!path.startsWith(`${base_path}/`)) return url;
  return url.slice(0, url.length - path.length) + path.slice(base_path.length);
}

/** Path and query of what may be a whole address, a path alone, or (CONNECT) neither. */
function pathOf(url: string): string {
  const path = url.replace(/^https?:\/\/[^/?#]*/i, "").replace(/#.*$/s, "");
  return path.startsWith("/") ? path : `/${path}`;
}
