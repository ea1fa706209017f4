import { isIP } from "node:net";
import { ApiError } from "../../kernel/errors.ts";
import type { Config } from "../../platform/config/load.ts";

/** Host names under which a browser reaches the settings page. */
export class Hosts {
  readonly #names: ReadonlySet<string>;

  constructor(config: Config) {
    const public_url = config.get("http.public_url");
    const own = URL.canParse(public_url) ? [new URL(public_url).hostname] : [];
    const names = [...own, config.get("http.host"), ...config.get("http.allowed_hosts")];
    this.#names = new Set(names.map((name) => name.toLowerCase()));
  }

  /** Returns whether a request was sent to a recognized name, or to a literal address. */
  isAllowed(request: Request): boolean {
    const name = hostname(hostOf(request));
    return name !== null && this.#isOurs(name);
  }

  /**
   * Refuses an unrecognized host name, which prevents DNS rebinding: a hostile page can point its own name at this
   * machine and then read the replies, but it cannot change the name in `Host`. Literal addresses pass, because no one
   * can redirect them. So do the names that always mean this machine (RFC 6761 §6.3).
   * @throws ApiError host_refused
   */
  check(request: Request): void {
    if (this.isAllowed(request)) return;
    const name = hostname(hostOf(request));
    throw new ApiError(
      "host_refused",
      `Postroom does not recognize the host name in this request${name === null ? "" : `: ${name}`}. If it is yours, ` +
        "add it to http.allowed_hosts or set http.public_url.",
    );
  }

  #isOurs(name: string): boolean {
    return name === "localhost" || name.endsWith(".localhost") || isAddress(name) || this.#names.has(name);
  }
}

/** Returns host and port as the client wrote them. */
export function hostOf(request: Request): string {
  return request.headers.get("host") ?? new URL(request.url).host;
}

function isAddress(name: string): boolean {
  return isIP(name.replace(/^\[(.*)\]$/, "$1")) !== 0;
}

/** Returns the host without its port, in lower case; null if it is not a host. */
function hostname(host: string): string | null {
  const url = `http://${host}/`;
  if (!/^[\w.\-[\]:]+$/.test(host) || !URL.canParse(url)) return null;
  return new URL(url).hostname.replace(/\.$/, "");
}
