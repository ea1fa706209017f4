import { Elysia } from "elysia";
import { ApiError } from "../kernel/errors.ts";
import type { Session } from "../platform/identity/sessions.ts";
import { errorFields } from "../platform/log.ts";
import type { MetricSource } from "../platform/measures.ts";
import type { Platform } from "../platform/platform.ts";
import { APP_HEADER, AppGuard, looksAtSandbox } from "./app-guard.ts";
import type { Caller } from "./caller.ts";
import { Cors } from "./cors.ts";
import { asApiError, ERROR_TABLE } from "./errors.ts";
import { type Connection, type Exchange, finishHeaders } from "./exchange.ts";
import { requireFresh } from "./fresh.ts";
import { Gate, type Identity } from "./gate.ts";
import { healthPages } from "./health.ts";
import { HttpMetrics } from "./metrics.ts";
import { openapiPages } from "./openapi/pages.ts";
import type { Page } from "./page.ts";
import { toErrorResponse, toResponse, withoutBody } from "./reply.ts";
import { routable } from "./routable.ts";
import type { Audience, Route } from "./route.ts";
import { Runner } from "./run.ts";
import { type OpenStream, Streams } from "./streams.ts";
import { API_PREFIX, methodFinder, type PreparedRoute, prepareRoutes } from "./table.ts";
import { Upkeep } from "./upkeep.ts";
import { createVisit, type Visit } from "./visit.ts";

export interface EdgeOptions {
  platform: Platform;
  routes: readonly Route[];
  /** Paths of the settings page, under /app/api. */
  app_routes?: readonly Route[];
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

/** Whom a request comes from; both null on a public path that nobody signed in asks for. */
interface Admitted {
  identity: Identity | null;
  session: Session | null;
}

const LOCAL: Connection = { peer: "127.0.0.1", keepOpen: () => {} };
const UNKNOWN = "(unknown)";
/** Asked every few seconds: nobody wants to read that in the log. */
const PROBES = new Set(["/healthz", "/readyz", "/metrics"]);

type Work = (exchange: Exchange) => Response | Promise<Response>;

/**
 * The HTTP edge: everything between the socket and a handler. Elysia finds the route; what happens then is the order of
 * the lines in `#answer` and `#admit`, the same for every path: rate limit of the address, key, the other rate limits,
 * plan, scope, request quota, then the path itself and its input.
 */
export function createEdge(options: EdgeOptions): Edge {
  return new HttpEdge(options);
}

class HttpEdge implements Edge {
  readonly #platform: Platform;
  readonly #monotonic: () => number;
  readonly #gate: Gate;
  readonly #app_guard: AppGuard;
  readonly #base_path: string;
  readonly #public_url: string;
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
    this.#app_guard = new AppGuard(platform.config, platform.sessions);
    this.#base_path = platform.config.get("http.base_path");
    this.#public_url = platform.config.get("http.public_url").replace(/\/$/, "");
    this.#cors = new Cors(platform.config.get("http.cors_origins"));
    this.#streams = new Streams(platform.clock);
    platform.keys.listen(() => this.#streams.recheck());
    this.#runner = new Runner(platform);
    this.#upkeep = new Upkeep(platform);
    const table = prepareRoutes([...options.routes, ...(options.app_routes ?? [])], options.check_replies ?? false);
    const pages = [...this.#ownPages(options), ...(options.pages ?? [])];
    this.#methodsOf = methodFinder([
      ...table.map(({ route, pattern }) => ({ method: route.method, pattern })),
      ...pages.map(({ method, path }) => ({ method, pattern: path })),
    ]);
    this.#app = this.#router(table, pages);
  }

  async fetch(request: Request, connection?: Connection): Promise<Response> {
    const asked = routable(request, this.#base_path);
    if (connection) this.#connections.set(asked, connection);
    if (this.#isBareBase(asked)) return this.#toBase(asked);
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

  /** "/mail" where everything stands under "/mail/". */
  #isBareBase({ url }: Request): boolean {
    return this.#base_path !== "" && new URL(url).pathname === this.#base_path;
  }

  /** Relative, for the scheme and the host that the browser sees may be a proxy's. */
  #toBase(asked: Request): Promise<Response> {
    const location = `${this.#base_path.slice(this.#base_path.lastIndexOf("/") + 1)}/`;
    const redirect = () => new Response(null, { status: 302, headers: { Location: location } });
    return this.#serve(asked, this.#base_path, redirect);
  }

  #ownPages({ platform, routes, metrics, version }: EdgeOptions): Page[] {
    const accepting = () => this.#accepting;
    return [
      ...openapiPages(routes, { public_url: platform.config.get("http.public_url") || this.#base_path }),
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

  /** A path of the API, or of the settings page's own. */
  async #answer(exchange: Exchange, prepared: PreparedRoute, params: Record<string, string | null>): Promise<Response> {
    const { request, connection, request_id, read } = exchange;
    const { identity, session } = this.#admit(exchange, prepared.route);
    const caller = identity && callerOf(identity, request_id);
    const visit = this.#visit(exchange, session);
    const opened: { stream: OpenStream | null } = { stream: null };
    const openStream = () => {
      opened.stream ??= this.#streams.open(identity?.usable ?? (() => true), request);
      connection.keepOpen();
      return opened.stream.signal;
    };
    try {
      const outcome = await this.#runner.run({
        prepared,
        request,
        params,
        caller,
        visit,
        request_id,
        read,
        openStream,
      });
      const response = toResponse(outcome, opened.stream);
      for (const [name, value] of visit.headers) response.headers.append(name, value);
      return response;
    } catch (error) {
      opened.stream?.release();
      throw error;
    }
  }

  /** A page: it checks for itself whether the client may see it. */
  async #show(exchange: Exchange, page: Page, params: Record<string, string>): Promise<Response> {
    const { request, connection, address, request_id } = exchange;
    if (page.path.startsWith("/app")) this.#app_guard.checkHost(request);
    if (page.limited || isApiPath(page.path)) this.#countAnonymous(exchange);
    const direct = this.#gate.isDirect(request, connection.peer);
    return page.handle({ request, params, address, direct, request_id, visit: this.#visit(exchange, null) });
  }

  /** A path or method that does not exist. Under /v1 nobody without a key learns which. */
  #refuse(exchange: Exchange): Response {
    const path = new URL(exchange.request.url).pathname;
    const allowed = this.#methodsOf(path);
    if (isApiPath(path)) {
      const preflight = this.#cors.preflight(exchange, allowed.join(", "));
      if (preflight) {
        // Never refused: a page can read the 429 of the request itself only if its preflight passed.
        exchange.burst = this.#gate.countAnonymous(exchange.address);
        return preflight;
      }
      this.#admit(exchange, null);
    }
    if (allowed.length === 0)
      throw new ApiError("not_found", "There is nothing at this path. See GET /v1/openapi.json for all paths.");
    const error = new ApiError("method_not_allowed", `This path supports only ${allowed.join(", ")}.`);
    const response = toErrorResponse(error, exchange.request_id);
    response.headers.set("Allow", allowed.join(", "));
    return response;
  }

  /** The checks before any handler; each throws the error that ends the request. @param route null: there is none */
  #admit(exchange: Exchange, route: Route | null): Admitted {
    const { address } = exchange;
    const gate = this.#gate;
    let admitted: Admitted;
    try {
      admitted = this.#identify(exchange, route?.audience ?? "api");
    } catch (error) {
      this.#countAnonymous(exchange);
      throw error;
    }
    const { identity } = admitted;
    if (!identity) {
      this.#countAnonymous(exchange);
      return admitted;
    }
    exchange.key_hint = identity.hint;
    const { state, passed } = gate.countBurst(identity, address);
    exchange.burst = state;
    if (!passed) gate.refuseBurst(state);
    this.#upkeep.used(identity.credential);
    gate.authorize(identity, route?.scope ?? null);
    if (route?.role === "owner" && this.#platform.users.get(identity.actor.id!)?.role !== "owner") {
      throw new ApiError("owner_required", "Only the owner of this installation can do this.");
    }
    if (route?.fresh && admitted.session) requireFresh(admitted.session, this.#platform.clock.now());
    gate.countQuota(identity);
    if (identity.refusal) throw identity.refusal;
    return admitted;
  }

  /** Counts a request without an identified caller. @throws ApiError rate_limited when its address has none left */
  #countAnonymous(exchange: Exchange): void {
    exchange.burst = this.#gate.countAnonymous(exchange.address);
    if (exchange.burst.remaining < 0) this.#gate.refuseBurst(exchange.burst);
  }

  /** By a key under /v1, or by a session that the settings page shows there or on its own paths. */
  #identify({ request, address }: Exchange, audience: Audience): Admitted {
    const guard = this.#app_guard;
    if (audience === "api" && (request.headers.has("authorization") || !request.headers.has(APP_HEADER))) {
      return { identity: this.#gate.identify(request, address), session: null };
    }
    guard.checkOurs(request);
    const session = guard.session(request);
    if (session) {
      const in_sandbox = audience === "api" && looksAtSandbox(request);
      return { identity: this.#gate.identifySession(session, in_sandbox, request), session };
    }
    if (audience === "public") return { identity: null, session: null };
    throw new ApiError("unauthorized", "Sign in first.");
  }

  #visit({ request, connection, address }: Exchange, session: Session | null): Visit {
    const through_trusted_proxy = this.#gate.isTrusted(connection.peer);
    const [base_path, public_url] = [this.#base_path, this.#public_url];
    return createVisit({ request, address, through_trusted_proxy, session, base_path, public_url });
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
      read: { unknown: null, strict: false },
    };
    let response: Response;
    try {
      response = await work(exchange);
    } catch (error) {
      response = this.#failed(exchange, asApiError(error));
    }
    finishHeaders(exchange, response.headers);
    const path = pattern === UNKNOWN ? new URL(request.url).pathname : pattern;
    if (isApiPath(path)) this.#cors.finish(exchange, response.headers);
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

function callerOf({ credential, user, actor, is_test }: Identity, request_id: string): Caller {
  const { account_id } = credential;
  return { user_id: user.id, user, key: credential, account_id, actor, is_test, request_id };
}

function isApiPath(path: string): boolean {
  return path === API_PREFIX || path.startsWith(`${API_PREFIX}/`);
}
