import { Elysia } from "elysia";
import { ApiError } from "../kernel/errors.ts";
import type { Scope } from "../kernel/scopes.ts";
import { errorFields } from "../platform/log.ts";
import type { Platform } from "../platform/platform.ts";
import type { Caller } from "./caller.ts";
import { Cors } from "./cors.ts";
import { asApiError, ERROR_TABLE } from "./errors.ts";
import { type Connection, type Exchange, finishHeaders } from "./exchange.ts";
import { Gate, type Identity, isTestKey } from "./gate.ts";
import { healthPages } from "./health.ts";
import { HttpMetrics, type MetricSource } from "./metrics.ts";
import { openapiPages } from "./openapi/pages.ts";
import type { Page } from "./page.ts";
import { toErrorResponse, toResponse, withoutBody } from "./reply.ts";
import { routable } from "./routable.ts";
import type { Route } from "./route.ts";
import { Runner } from "./run.ts";
import { type OpenStream, Streams } from "./streams.ts";
import { API_PREFIX, methodFinder, type PreparedRoute, prepareRoutes } from "./table.ts";
import { Upkeep } from "./upkeep.ts";

export interface EdgeOptions {
  platform: Platform;
  routes: readonly Route[];
  /** Further paths without an API key, such as the settings page. */
  pages?: readonly Page[];
  metrics?: readonly MetricSource[];
  version: string;
  /** Compare every reply with its schema: in tests and development. In production it would cost more than the reply. */
  check_replies?: boolean;
  /** For durations, ms. */
  monotonic?: () => number;
}

export interface Edge {
  /** Answers one request. Without a connection (in tests) the client counts as this machine. */
  fetch(request: Request, connection?: Connection): Promise<Response>;
  /** Ends open streams and makes /readyz say no; requests that are running go on. */
  drain(): void;
  /** Writes what lags behind. Call it when the last request is through. */
  close(): void;
}

const LOCAL: Connection = { peer: "127.0.0.1", keepOpen: () => {} };
const UNKNOWN = "(unknown)";
/** Asked every few seconds: nobody wants to read that in the log. */
const PROBES = new Set(["/healthz", "/readyz", "/metrics"]);

type Work = (exchange: Exchange) => Response | Promise<Response>;

/**
 * The HTTP edge: everything between the socket and a handler. Elysia finds the route; what happens then is the order of
 * the lines in `#answer` and `#admit`, the same for every path: key, rate limits, plan, scope, request quota, then the
 * path itself and its input.
 */
export function createEdge(options: EdgeOptions): Edge {
  return new HttpEdge(options);
}

class HttpEdge implements Edge {
  readonly #platform: Platform;
  readonly #monotonic: () => number;
  readonly #gate: Gate;
  readonly #cors: Cors;
  readonly #streams: Streams;
  readonly #runner: Runner;
  readonly #metrics = new HttpMetrics();
  readonly #upkeep: Upkeep;
  readonly #connections = new WeakMap<Request, Connection>();
  /** What the client asked for by HEAD and is routed as GET. */
  readonly #heads = new WeakSet<Request>();
  readonly #methodsOf: (path: string) => string[];
  readonly #app: { fetch(request: Request): Response | Promise<Response> };
  #accepting = true;

  constructor(options: EdgeOptions) {
    const { platform } = options;
    this.#platform = platform;
    this.#monotonic = options.monotonic ?? (() => performance.now());
    this.#gate = new Gate(platform);
    this.#cors = new Cors(platform.config.get("http.cors_origins"));
    this.#streams = new Streams(platform);
    this.#runner = new Runner(platform);
    this.#upkeep = new Upkeep(platform);
    const table = prepareRoutes(options.routes, options.check_replies ?? false);
    const pages = [...this.#ownPages(options), ...(options.pages ?? [])];
    this.#methodsOf = methodFinder([
      ...table.map(({ route, pattern }) => ({ method: route.method, pattern })),
      ...pages.map(({ method, path }) => ({ method, pattern: path })),
    ]);
    this.#app = this.#router(table, pages);
  }

  async fetch(request: Request, connection?: Connection): Promise<Response> {
    const asked = routable(request);
    if (connection) this.#connections.set(asked, connection);
    if (request.method !== "HEAD") return this.#app.fetch(asked);
    this.#heads.add(asked);
    return withoutBody(await this.#app.fetch(asked));
  }

  drain(): void {
    this.#accepting = false;
    this.#streams.close();
  }

  close(): void {
    this.#streams.close();
    this.#upkeep.close();
  }

  #ownPages({ platform, routes, metrics, version }: EdgeOptions): Page[] {
    const accepting = () => this.#accepting;
    return [
      ...openapiPages(routes, { version, public_url: platform.config.get("http.public_url") }),
      ...healthPages({ platform, http: this.#metrics, sources: metrics ?? [], accepting, version }),
    ];
  }

  #router(table: readonly PreparedRoute[], pages: readonly Page[]) {
    const app = new Elysia({ strictPath: true, normalize: false });
    const hook = { parse: "none" } as const;
    for (const prepared of table) {
      const { route, pattern } = prepared;
      const work = (params: Record<string, string | null>): Work => {
        return (exchange) => this.#answer(exchange, prepared, params);
      };
      app.route(route.method, pattern, ({ request, params }) => this.#serve(request, pattern, work(params)), hook);
    }
    for (const page of pages) {
      const work = (params: Record<string, string>): Work => {
        return (exchange) => this.#show(exchange, page, params);
      };
      app.route(page.method, page.path, ({ request, params }) => this.#serve(request, page.path, work(params)), hook);
    }
    app.all("/*", ({ request }) => this.#serve(request, UNKNOWN, (exchange) => this.#refuse(exchange)), hook);
    app.onError(({ request, error }) => this.#serve(request, UNKNOWN, () => Promise.reject(error)));
    return app;
  }

  /** A path of the API. */
  async #answer(exchange: Exchange, prepared: PreparedRoute, params: Record<string, string | null>): Promise<Response> {
    const { request, connection } = exchange;
    const identity = this.#admit(exchange, prepared.route.scope);
    const caller = callerOf(identity, exchange.request_id);
    const opened: { stream: OpenStream | null } = { stream: null };
    const openStream = () => {
      opened.stream ??= this.#streams.open(caller.key.id, request);
      connection.keepOpen();
      return opened.stream.signal;
    };
    try {
      const outcome = await this.#runner.run({ prepared, request, params, caller, openStream });
      return toResponse(outcome, opened.stream);
    } catch (error) {
      opened.stream?.release();
      throw error;
    }
  }

  /** A page: it checks for itself whether the client may see it. Those under /v1 count against the client's address. */
  async #show(exchange: Exchange, page: Page, params: Record<string, string>): Promise<Response> {
    const { request, connection, address, request_id } = exchange;
    if (isApiPath(page.path)) {
      exchange.burst = this.#gate.countAnonymous(address);
      if (exchange.burst.remaining < 0) this.#gate.refuseBurst(exchange.burst);
    }
    return page.handle({ request, params, address, direct: this.#gate.isDirect(request, connection.peer), request_id });
  }

  /** A path or method that does not exist. Under /v1 nobody without a key learns which. */
  #refuse(exchange: Exchange): Response {
    const path = new URL(exchange.request.url).pathname;
    const allowed = this.#methodsOf(path);
    if (isApiPath(path)) {
      const preflight = this.#cors.preflight(exchange, allowed.join(", "));
      if (preflight) {
        exchange.burst = this.#gate.countAnonymous(exchange.address);
        return preflight;
      }
      this.#admit(exchange, null);
    }
    if (allowed.length === 0) throw new ApiError("not_found", "There is nothing at this path.");
    const error = new ApiError("method_not_allowed", `This path answers to ${allowed.join(", ")}.`);
    const response = toErrorResponse(error, exchange.request_id);
    response.headers.set("Allow", allowed.join(", "));
    return response;
  }

  /** The checks before any handler; each throws the error that ends the request. */
  #admit(exchange: Exchange, scope: Scope | null): Identity {
    const { request, address } = exchange;
    const gate = this.#gate;
    let identity: Identity;
    try {
      identity = gate.identify(request, address);
    } catch (error) {
      exchange.burst = gate.countAnonymous(address);
      throw error;
    }
    exchange.key_hint = identity.key.hint;
    const { state, passed } = gate.countBurst(identity, address);
    exchange.burst = state;
    if (!passed) gate.refuseBurst(state);
    this.#upkeep.keyUsed(identity.key.id);
    gate.authorize(identity, scope);
    gate.countQuota(identity);
    return identity;
  }

  /**
   * Runs one request to its answer: whatever is thrown becomes the error envelope, and every answer gets its headers.
   */
  async #serve(request: Request, pattern: string, work: Work): Promise<Response> {
    const started = this.#monotonic();
    const connection = this.#connections.get(request) ?? LOCAL;
    const exchange: Exchange = {
      request,
      connection,
      request_id: this.#platform.newId("request"),
      address: this.#gate.address(request, connection.peer),
      pattern,
      burst: null,
      key_hint: null,
    };
    let response: Response;
    try {
      response = await work(exchange);
    } catch (error) {
      response = this.#failed(exchange, asApiError(error));
    }
    finishHeaders(exchange, response.headers);
    if (isApiPath(pattern) || pattern === UNKNOWN) this.#cors.finish(exchange, response.headers);
    this.#note(exchange, response.status, this.#monotonic() - started);
    return response;
  }

  #failed({ request_id, pattern }: Exchange, error: ApiError): Response {
    if (ERROR_TABLE[error.code].status >= 500) {
      const fields = errorFields(error.cause ?? error, this.#platform.config.get("log.level") === "debug");
      this.#platform.log.error("request failed", { request_id, route: pattern, answer: error.code, ...fields });
    }
    return toErrorResponse(error, request_id);
  }

  /** The access log line and the metrics: the pattern, never the path, its query or an address. */
  #note({ request, pattern, request_id, key_hint }: Exchange, status: number, ms: number): void {
    const method = this.#heads.has(request) ? "HEAD" : request.method;
    this.#metrics.observe(method, pattern, status, ms / 1000);
    this.#platform.log[PROBES.has(pattern) ? "debug" : "info"]("request", {
      method,
      route: pattern,
      status,
      ms: Math.round(ms * 10) / 10,
      request_id,
      key: key_hint ?? undefined,
    });
  }
}

function callerOf({ key, user }: Identity, request_id: string): Caller {
  return {
    user_id: user.id,
    user,
    key,
    account_id: key.account_id,
    actor: { kind: "key", id: key.id },
    is_test: isTestKey(key),
    request_id,
  };
}

function isApiPath(path: string): boolean {
  return path === API_PREFIX || path.startsWith(`${API_PREFIX}/`);
}
