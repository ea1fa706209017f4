import { UserError } from "../kernel/errors.ts";
import type { Log } from "../platform/log.ts";
import { hostPort } from "../platform/networks.ts";
import type { HttpPipeline } from "./pipeline.ts";

/** Time after which a connection without traffic is closed. Streams disable this timeout for themselves. */
const IDLE_TIMEOUT_S = 60;
/**
 * Above this Bun itself refuses a body, with a bare 413. Our own limit is far lower (see body.ts) and has the usual
 * error envelope. Nothing is buffered before a handler reads.
 */
const LARGEST_BODY_BYTES = 1024 * 1024 * 1024;
const GRACE_MS = 10_000;

export interface ServerOptions {
  pipeline: HttpPipeline;
  host: string;
  /** 0 picks a free port. */
  port: number;
  log: Log;
}

export interface HttpServer {
  /** "http://127.0.0.1:8025" */
  url: string;
  port: number;
  /** Stops accepting, ends open streams, lets running requests finish for `grace_ms`, then cuts them off. */
  stop(grace_ms?: number): Promise<void>;
}

/**
 * Starts listening. @throws UserError for an unusable host or port, the system's error for an address that is taken or
 * not on this machine
 */
export function startServer({ pipeline, host: given, port, log }: ServerOptions): HttpServer {
  // Accepts the form in a URL, too: "[::1]".
  const host = given.replace(/^\[(.*)\]$/, "$1");
  const server = listen({
    hostname: host,
    port,
    idleTimeout: IDLE_TIMEOUT_S,
    maxRequestBodySize: LARGEST_BODY_BYTES,
    development: false,
    // Two servers must not share a port by accident.
    reusePort: false,
    fetch: (request, self) =>
      pipeline.fetch(request, {
        peer: self.requestIP(request)?.address ?? "127.0.0.1",
        keepOpen: () => self.timeout(request, 0),
      }),
    // The pipeline turns every error into a reply; this handles a fault in the pipeline itself.
    error: () => new Response(null, { status: 500 }),
  });
  log.info("listening", { host, port: server.port });
  return {
    url: `http://${hostPort({ host, port: server.port! })}`,
    port: server.port!,
    async stop(grace_ms = GRACE_MS) {
      pipeline.drain();
      const finished = server.stop();
      // Real time, not the injected clock: the process is about to end.
      const cut = setTimeout(() => server.stop(true), grace_ms);
      await finished;
      clearTimeout(cut);
      pipeline.close();
    },
  };
}

/** System errors for a valid address that is unavailable. `cli/failures.ts` has the messages. */
const TAKEN = new Set(["EADDRINUSE", "EADDRNOTAVAIL"]);
const FORBIDDEN = new Set(["EACCES", "EPERM"]);

/**
 * Listens. @throws UserError for every unusable host and port, because resolvers and systems report these in many ways
 */
function listen(options: Bun.Serve.Options<undefined> & { hostname: string; port: number }): Bun.Server<undefined> {
  const { hostname, port } = options;
  // Bun takes an empty name and "*" for every address of the machine. Require the explicit 0.0.0.0 or ::.
  if (hostname.trim() === "") throw noAddress("An empty name");
  if (hostname.trim() === "*") throw noAddress("*");
  try {
    return Bun.serve(options);
  } catch (error) {
    const code = String((error as { code?: unknown }).code);
    if (TAKEN.has(code)) throw error;
    if (!FORBIDDEN.has(code)) throw noAddress(hostname);
    throw new UserError(
      `This user is not permitted to listen on ${hostname}, port ${port}. Choose a port from 1024 up (--port, http.port).`,
    );
  }
}

const noAddress = (name: string) =>
  new UserError(`${name} is not an address to listen on. Set --host or http.host to an address of this machine.`);
