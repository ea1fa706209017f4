import { directly } from "../../platform/egress/directly.ts";

/** The server and the credentials of a CalDAV login. */
export interface CalDavLogin {
  url: string;
  username: string;
  password: string;
  /** Further certificate authorities, PEM; null for the machine's only. */
  ca: string | null;
  /** Aborts running requests when the program ends. */
  signal?: AbortSignal;
}

/** `auth`: the login is wrong; `unreachable`: no answer; `refused`: the server rejects the request. */
export class CalDavFailure extends Error {
  override readonly name = "CalDavFailure";

  constructor(
    readonly kind: "auth" | "unreachable" | "refused",
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Runs code that parses an answer. If it fails, the answer is not CalDAV. Throws only CalDavFailure. */
export async function parseAnswer<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CalDavFailure) throw error;
    throw new CalDavFailure("refused", "The server's answer is not valid CalDAV.", { cause: error });
  }
}

const TIMEOUT_MS = 30_000;
/** A listing of tens of thousands of events stays below this size. */
const LONGEST_REPLY_BYTES = 64 * 1024 * 1024;
const MAX_REDIRECTS = 5;

/**
 * Returns a fetch that logs in (RFC 7617), trusts the given authorities, and times out after half a minute. It only
 * sends requests to this server, regardless of redirects and links, so that no other server receives the password.
 * Throws only CalDavFailure.
 */
export function davFetch({ url, username, password, ca, signal: stop }: CalDavLogin): typeof fetch {
  const { origin } = new URL(url);
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
  const ask = async (target: string, init: RequestInit, redirects: number): Promise<Response> => {
    // The URL may come from a redirect or from a link in an answer; no other host may receive the password.
    const { origin: asked } = new URL(target);
    if (asked !== origin) {
      throw new CalDavFailure(
        "refused",
        `The server redirects to ${asked}. Use that address if it is your provider's.`,
      );
    }
    const headers = new Headers(init.headers);
    headers.set("Authorization", authorization);
    headers.set("User-Agent", "Postroom");
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    const signal = stop ? AbortSignal.any([timeout, stop]) : timeout;
    const response = await fetch(target, {
      ...init,
      headers,
      redirect: "manual",
      signal,
      ...directly(new URL(target)),
      ...(ca === null ? {} : { tls: { ca } }),
    });
    const location = response.headers.get("location");
    if (response.status < 300 || response.status > 399 || location === null) return await bounded(response);
    if (redirects >= MAX_REDIRECTS) throw new CalDavFailure("refused", "The server redirects without end.");
    return await ask(new URL(location, target).href, init, redirects + 1);
  };
  const reach = async (target: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    try {
      return await ask(String(target), init, 0);
    } catch (error) {
      if (error instanceof CalDavFailure) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      throw new CalDavFailure("unreachable", `The server could not be reached: ${reason}`, { cause: error });
    }
  };
  return reach as typeof fetch;
}

/** Returns the same response with its body read; the body must not exceed the size limit. */
async function bounded(response: Response): Promise<Response> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > LONGEST_REPLY_BYTES) throw new CalDavFailure("refused", "The server's answer is too long.");
    chunks.push(chunk);
  }
  const hasBody = response.status !== 204 && response.status !== 304;
  const { status, statusText, headers } = response;
  return new Response(hasBody ? Buffer.concat(chunks) : null, { status, statusText, headers });
}
