import { createSecureContext, rootCertificates, type SecureContext } from "node:tls";
import type { Clock } from "../../kernel/clock.ts";
import { openSocket } from "./connect.ts";
import { EgressFault, explainFault } from "./faults.ts";
import { type EgressGuard, type EgressPolicy, hostOf } from "./guard.ts";
import { type Connection, ConnectionPool } from "./pool.ts";
import { addressesOf, chooseResolver, type Resolver } from "./resolve.ts";
import { type EgressResponse, ResponseReader } from "./response.ts";

export interface EgressRequest {
  method: string;
  url: string;
  /** Without Host and Content-Length, which the client adds. */
  headers: Readonly<Record<string, string>>;
  body?: Uint8Array;
  /** From the lookup of the name to the end of the response headers, ms. */
  timeoutMs: number;
  /** Number of bytes of the response body to keep; the rest is discarded, after reading it if it is short. */
  maxBodyBytes: number;
  /**
   * Whether the receiver may get the request twice, because it recognizes it by an id or because a repetition has no
   * effect. Read-only methods always are. Only such a request uses an idle connection: if that turns out to be closed,
   * the client cannot know whether the request was received.
   */
  repeatable?: boolean;
  /** Targets beyond HTTPS at public addresses. */
  policy?: EgressPolicy;
  signal?: AbortSignal;
}

/** Safe methods (RFC 9110 §9.2.1; RFC 4918, RFC 3253 for those of WebDAV). */
const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS", "PROPFIND", "REPORT"]);

interface Outgoing {
  url: URL;
  bytes: Buffer;
  request: EgressRequest;
  /** Aborts with the error that ends the request. */
  signal: AbortSignal;
}

export interface EgressOptions {
  guard: EgressGuard;
  clock: Clock;
  /** PEM text of additional certificate authorities. */
  ca: string | null;
  resolve?: Resolver;
}

/**
 * Sends HTTP requests on behalf of users, to targets that the guard permits: over TLS, unless the policy of a request
 * accepts plain HTTP. It resolves the name, has the addresses
 * judged, and connects to one of these addresses: nothing can change between the check and the connection. Redirects
 * are ordinary responses, proxies from the environment are not used, and connections are kept for a while.
 */
export class EgressClient {
  readonly #pool: ConnectionPool;
  readonly #resolve: Resolver;
  #context: SecureContext | null = null;

  constructor(private readonly options: EgressOptions) {
    this.#pool = new ConnectionPool(options.clock);
    this.#resolve = options.resolve ?? chooseResolver(options.guard);
  }

  /**
   * Sends a request. A body that breaks off counts as truncated.
   * @throws EgressFault if no response headers arrive in time
   */
  async request(request: EgressRequest): Promise<EgressResponse> {
    const { guard, clock } = this.options;
    const url = guard.checkUrl(request.url, request.policy);
    const bytes = encodeRequest(request, url);
    const cancel = new AbortController();
    const giveUp = () => cancel.abort(new EgressFault("aborted", "the request was canceled"));
    const stopTimer = clock.after(request.timeoutMs, () => {
      const seconds = Math.round(request.timeoutMs / 1000);
      cancel.abort(new EgressFault("timeout", `there was no response within ${seconds} seconds`));
    });
    if (request.signal?.aborted) giveUp();
    request.signal?.addEventListener("abort", giveUp, { once: true });
    try {
      return await this.#send({ url, bytes, request, signal: cancel.signal });
    } catch (error) {
      throw explainFault(error);
    } finally {
      stopTimer();
      request.signal?.removeEventListener("abort", giveUp);
    }
  }

  /** Closes the idle connections. */
  close(): void {
    this.#pool.close();
  }

  async #send(outgoing: Outgoing): Promise<EgressResponse> {
    const { method, repeatable = SAFE_METHODS.has(method) } = outgoing.request;
    const waiting = repeatable ? this.#pool.take(outgoing.url.origin) : null;
    if (waiting) {
      try {
        return await this.#exchange(waiting, outgoing);
      } catch (error) {
        // The other side closed the idle connection and sent nothing: retry over a new connection.
        if (!(error instanceof StaleConnection)) throw error;
      }
    }
    return this.#exchange(await this.#open(outgoing), outgoing);
  }

  async #open({ url, request, signal }: Outgoing): Promise<Connection> {
    const { guard, clock } = this.options;
    const host = hostOf(url);
    const addresses = guard.permitted(host, await addressesOf(host, this.#resolve, signal), request.policy);
    const plain = url.protocol === "http:";
    const context = plain ? null : this.#tls();
    const port = url.port === "" ? (plain ? 80 : 443) : Number(url.port);
    const socket = await openSocket({ host, port, addresses, context, clock, signal });
    return { socket, openedAt: clock.now(), reused: false };
  }

  #tls(): SecureContext {
    const { ca } = this.options;
    this.#context ??= createSecureContext(ca === null ? {} : { ca: [...rootCertificates, ca] });
    return this.#context;
  }

  #exchange(connection: Connection, { url, bytes, request, signal }: Outgoing): Promise<EgressResponse> {
    const { socket } = connection;
    const reader = new ResponseReader(request.maxBodyBytes, request.method);
    return new Promise((resolve, reject) => {
      let heard = false;
      const settle = (act: () => void) => {
        signal.removeEventListener("abort", abort);
        socket.off("data", data).off("end", end).off("close", end).off("error", fail);
        act();
      };
      const succeed = (reusable: boolean) =>
        settle(() => {
          if (reusable) this.#pool.give(url.origin, connection);
          else socket.destroy();
          const { response } = reader;
          resolve(reader.done ? response : { ...response, truncated: true });
        });
      const fail = (error: unknown) => {
        // The status counts; a body that never ends does not change it.
        if (reader.hasHead) return succeed(false);
        settle(() => {
          socket.destroy();
          reject(!heard && connection.reused && !signal.aborted ? new StaleConnection() : error);
        });
      };
      const abort = () => fail(signal.reason);
      const data = (chunk: Uint8Array) => {
        heard = true;
        try {
          reader.push(chunk);
          if (reader.done) succeed(reader.reusable);
        } catch (error) {
          fail(error);
        }
      };
      const end = () => {
        try {
          reader.end();
          succeed(false);
        } catch (error) {
          fail(error);
        }
      };
      socket.on("data", data).on("end", end).on("close", end).on("error", fail);
      signal.addEventListener("abort", abort, { once: true });
      if (signal.aborted) return abort();
      socket.write(bytes);
    });
  }
}

/** An idle connection turned out to be closed before it delivered any data. */
class StaleConnection extends Error {}

/** Encodes head and body as one buffer, so that they are sent in one packet if they fit. */
function encodeRequest({ method, headers, body }: EgressRequest, url: URL): Buffer {
  const lines = [`${method} ${url.pathname}${url.search} HTTP/1.1`, `Host: ${url.host}`];
  for (const [name, value] of Object.entries(headers)) {
    if (/[\r\n\0]/.test(name + value)) throw new Error(`the header ${name} contains a line break`);
    lines.push(`${name}: ${value}`);
  }
  if (body) lines.push(`Content-Length: ${body.byteLength}`);
  return Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`), body ?? new Uint8Array(0)]);
}
