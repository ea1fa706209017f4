import { Elysia } from "elysia";
import { ApiError } from "../kernel/errors.ts";
import type { Session } from "../platform/identity/sessions.ts";
import { errorFields } from "../platform/log.ts";
import type { MetricSource } from "../platform/metrics.ts";
import type { Platform } from "../platform/platform.ts";
import { AccessLog } from "./access-log.ts";
import { NO_BODY } from "./body.ts";
import { compressed } from "./compression.ts";
import { asApiError, ERROR_TABLE } from "./errors.ts";
import { ApiGuard } from "./guard/api-guard.ts";
import { APP_HEADER, AppGuard, asksForSandbox } from "./guard/app-guard.ts";
import { Cors } from "./guard/cors.ts";
import { callerOf, type Identity } from "./guard/identity.ts";
import { requireRecentAuth } from "./guard/recent-auth.ts";
import { healthPages } from "./health.ts";
import { HttpMetrics } from "./metrics.ts";
import { openapiPages } from "./openapi/pages.ts";
import type { BearerPage, Page } from "./page.ts";
import { toErrorResponse, toResponse, withoutBody } from "./reply.ts";
import { createRequestContext, type RequestContext } from "./request-context.ts";
import { type Connection, finishHeaders, type RequestLogEntry } from "./request-log-entry.ts";
import { routable } from "./routable.ts";
import type { Route } from "./route.ts";
import { noteUnknown, Runner } from "./run.ts";
import { type OpenStream, Streams } from "./streams.ts";
import { isApiPath, methodFinder, type PreparedRoute, prepareRoutes } from "./table.ts";
import { unknownFinder } from "./unknown.ts";

export interface HttpPipelineOptions {
  platform: Platform;
  routes: readonly Route[];
  /** Paths of the settings page, under /app/api. */
  appRoutes?: readonly Route[];
  /** Other paths that need no API key, such as the settings page. */
  pages?: readonly Page[];
  /** Paths for programs with a bearer token outside the API: the tool server. */
  bearerPages?: readonly BearerPage[];
  /** If absent, the pipeline makes one. */
  guard?: ApiGuard;
  metrics?: readonly MetricSource[];
  version: string;
  /**
   * Compares every reply with its schema, in tests and development. In production that would cost more than the reply.
   */
  checkReplies?: boolean;
  /** For durations, ms. */
  monotonic?: () => number;
}

export interface HttpPipeline {
  /** Answers one request. Without a connection (in tests) the client counts as this machine. */
  fetch(request: Request, connection?: Connection): Promise<Response>;
  /** Ends open streams and makes /readyz report not ready. Running requests continue. */
  drain(): void;
  /** Writes pending counters. Call it after the last request has finished. */
  close(): void;
}

/** The sender of a request; both fields are null on a public path without a session. */
interface Admitted {
  identity: Identity | null;
  session: Session | null;
}

const LOCAL: Connection = { peer: "127.0.0.1", keepOpen: () => {} };
const UNKNOWN = "(unknown)";
const NO_PARAMETERS = unknownFinder(null, null, null);
/** A path that no route matches is treated as one under /v1. */
const UNMATCHED = { audience: "api", followsSandbox: true } as const;

type Work = (entry: RequestLogEntry) => Response | Promise<Response>;

/**
 * The HTTP pipeline: everything between the socket and a handler. Elysia finds the route. The lines in `#answer` and
 * `#admit` then run in order, the same for every path: rate limit of the address, key, the other rate limits, plan,
 * scope, request quota, then the path itself and its input.
 */
export function createHttpPipeline(options: HttpPipelineOptions): HttpPipeline {
  return new RequestPipeline(options);
}

class RequestPipeline implements HttpPipeline {
  readonly #platform: Platform;
  readonly #monotonic: () => number;
  readonly #guard: ApiGuard;
  readonly #appGuard: AppGuard;
  readonly #basePath: string;
  readonly #publicUrl: string;
  readonly #cors: Cors;
  readonly #streams: Streams;
  readonly #runner: Runner;
  readonly #metrics = new HttpMetrics();
  readonly #accessLog: AccessLog;
  readonly #connections = new WeakMap<Request, Connection>();
  /** HEAD requests, which are routed as GET. */
  readonly #heads = new WeakSet<Request>();
  readonly #methodsOf: (path: string) => string[];
  readonly #sharedPaths: ReadonlySet<string>;
  readonly #app: { fetch(request: Request): Response | Promise<Response> };
  #accepting = true;

  constructor(options: HttpPipelineOptions) {
    const { platform } = options;
    this.#platform = platform;
    this.#accessLog = new AccessLog(platform.log, this.#metrics);
    this.#monotonic = options.monotonic ?? (() => performance.now());
    this.#guard = options.guard ?? new ApiGuard(platform);
    this.#appGuard = new AppGuard(platform.config, platform.sessions);
    this.#basePath = platform.config.get("http.base_path");
    this.#publicUrl = platform.config.get("http.public_url").replace(/\/$/, "");
    this.#cors = new Cors(platform.config.get("http.cors_origins"));
    this.#streams = new Streams(platform.clock);
    platform.keys.listen(() => this.#streams.recheck());
    this.#runner = new Runner(platform);
    const table = prepareRoutes([...options.routes, ...(options.appRoutes ?? [])], options.checkReplies ?? false);
    const pages = [...this.#ownPages(options), ...(options.pages ?? [])];
    const { bearerPages = [] } = options;
    this.#methodsOf = methodFinder([
      ...table.map(({ route, pattern }) => ({ method: route.method, pattern })),
      ...[...pages, ...bearerPages].map(({ method, path }) => ({ method, pattern: path })),
    ]);
    const shared = [...bearerPages, ...pages.filter(({ crossOrigin }) => crossOrigin)];
    this.#sharedPaths = new Set(shared.map(({ path }) => path));
    this.#app = this.#router(table, pages, bearerPages);
  }

  async fetch(request: Request, connection?: Connection): Promise<Response> {
    const asked = routable(request, this.#basePath);
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
    this.#guard.usage.close();
  }

  /** Returns whether the URL is "/mail" when everything is served under "/mail/". */
  #isBareBase({ url }: Request): boolean {
    return this.#basePath !== "" && new URL(url).pathname === this.#basePath;
  }

  /** Redirects to a relative address, because a proxy may present another scheme and host to the browser. */
  #toBase(asked: Request): Promise<Response> {
    const location = `${this.#basePath.slice(this.#basePath.lastIndexOf("/") + 1)}/`;
    const redirect = () => new Response(null, { status: 302, headers: { Location: location } });
    return this.#serve(asked, this.#basePath, redirect);
  }

  #ownPages({ platform, routes, metrics, version }: HttpPipelineOptions): Page[] {
    const accepting = () => this.#accepting;
    return [
      ...openapiPages(routes, { public_url: platform.config.get("http.public_url") || this.#basePath }),
      ...healthPages({ platform, http: this.#metrics, sources: metrics ?? [], accepting, version }),
    ];
  }

  #router(table: readonly PreparedRoute[], pages: readonly Page[], bearerPages: readonly BearerPage[]) {
    const app = new Elysia({ strictPath: true, normalize: false });
    const hook = { parse: "none" } as const;
    for (const prepared of table) {
      const { route, pattern } = prepared;
      const work = (params: Record<string, string | null>): Work => {
        return (entry) => this.#answer(entry, prepared, params);
      };
      app.route(route.method, pattern, ({ request, params }) => this.#serve(request, pattern, work(params)), hook);
    }
    for (const page of pages) {
      const work = (params: Record<string, string>): Work => {
        return (entry) => this.#show(entry, page, params);
      };
      app.route(page.method, page.path, ({ request, params }) => this.#serve(request, page.path, work(params)), hook);
    }
    for (const page of bearerPages) {
      const work: Work = (entry) => this.#serveBearer(entry, page);
      app.route(page.method, page.path, ({ request }) => this.#serve(request, page.path, work), hook);
    }
    app.all("/*", ({ request }) => this.#serve(request, UNKNOWN, (entry) => this.#refuse(entry)), hook);
    app.onError(({ request, error }) => this.#serve(request, UNKNOWN, () => Promise.reject(error)));
    return app;
  }

  /** Answers a path of the API, or one of the settings page under /app/api. */
  async #answer(
    entry: RequestLogEntry,
    prepared: PreparedRoute,
    params: Record<string, string | null>,
  ): Promise<Response> {
    const { request, connection, request_id, read } = entry;
    const { identity, session } = this.#admit(entry, prepared.route);
    const caller = identity && callerOf(identity, request_id);
    const context = this.#createContext(entry, session);
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
        context,
        request_id,
        read,
        openStream,
      });
      const response = toResponse(outcome, opened.stream);
      for (const [name, value] of context.headers) response.headers.append(name, value);
      return response;
    } catch (error) {
      opened.stream?.release();
      throw error;
    }
  }

  /** Answers a page, which checks access itself. */
  async #show(entry: RequestLogEntry, page: Page, params: Record<string, string>): Promise<Response> {
    const { request, connection, address, request_id } = entry;
    if (page.path.startsWith("/app") || page.knownHost) this.#appGuard.checkHost(request);
    if (page.method !== "GET") this.#platform.acting.require();
    if (page.limited || isApiPath(page.path)) this.#countAnonymous(entry);
    // The public pages of the API take no parameters.
    if (isApiPath(page.path)) noteUnknown(NO_PARAMETERS, entry, new URL(request.url), NO_BODY);
    const direct = this.#guard.isDirect(request, connection.peer);
    return page.handle({ request, params, address, direct, request_id, context: this.#createContext(entry, null) });
  }

  /** Answers a program with a bearer token. Its request counts as one of the API, whatever it does. */
  async #serveBearer(entry: RequestLogEntry, page: BearerPage): Promise<Response> {
    const { request, connection, address, request_id } = entry;
    const context = this.#createContext(entry, null);
    try {
      this.#appGuard.checkProgram(request);
      page.check?.();
      const identity = this.#admit(entry, null, context.base_url + page.path).identity!;
      const direct = this.#guard.isDirect(request, connection.peer);
      const given = { request, params: {}, address, direct, request_id, context };
      const response = await page.handle({ ...given, identity, caller: callerOf(identity, request_id) });
      return this.#streams.bind(response, identity.usable, request, connection.keepOpen);
    } catch (error) {
      const known = asApiError(error);
      if (known.code !== "unauthorized") throw error;
      const response = toErrorResponse(known, request_id);
      response.headers.set("WWW-Authenticate", page.challenge(context));
      return response;
    }
  }

  /** Refuses a path or method that does not exist. Under /v1, a client without a key does not learn which. */
  #refuse(entry: RequestLogEntry): Response {
    const path = new URL(entry.request.url).pathname;
    const allowed = this.#methodsOf(path);
    const preflight = this.#isShared(path) ? this.#cors.preflight(entry, allowed.join(", ")) : null;
    if (preflight) {
      // Never refused: a page can read the 429 of its actual request only if the preflight passed.
      entry.rateLimit = this.#guard.countAnonymous(entry.address);
      return preflight;
    }
    if (isApiPath(path)) this.#admit(entry, null);
    if (allowed.length === 0)
      throw new ApiError("not_found", "There is nothing at this path. See GET /v1/openapi.json for all paths.");
    const error = new ApiError("method_not_allowed", `This path supports only ${allowed.join(", ")}.`);
    const response = toErrorResponse(error, entry.request_id);
    response.headers.set("Allow", allowed.join(", "));
    return response;
  }

  /**
   * Runs the checks before any handler; each throws the error that ends the request. @param route null if none matches
   */
  #admit(entry: RequestLogEntry, route: Route | null, resource: string | null = null): Admitted {
    const { address } = entry;
    const guard = this.#guard;
    let admitted: Admitted;
    try {
      const { request } = entry;
      if (resource !== null) admitted = { identity: guard.identify(request, address, resource), session: null };
      else admitted = this.#identify(entry, route ?? UNMATCHED);
    } catch (error) {
      this.#countAnonymous(entry);
      throw error;
    }
    const { identity } = admitted;
    if (!identity) {
      this.#countAnonymous(entry);
      return admitted;
    }
    entry.keyHint = identity.hint;
    const { state, passed } = guard.countRequest(identity, address);
    entry.rateLimit = state;
    if (!passed) guard.refuseOverLimit(state);
    guard.usage.used(identity.credential);
    if (resource !== null) guard.authorizeTools(identity);
    guard.authorize(identity, route?.scope ?? null);
    if (resource === null) guard.authorizeApi(identity);
    if (route?.role === "owner" && this.#platform.users.get(identity.actor.id!)?.role !== "owner") {
      throw new ApiError("owner_required", "This action is available only to the owner of this installation.");
    }
    if (route?.recentAuth && admitted.session) requireRecentAuth(admitted.session, this.#platform.clock.now());
    guard.countQuota(identity);
    if (identity.refusal) throw identity.refusal;
    return admitted;
  }

  /** Counts a request without an identified caller. @throws ApiError rate_limited when its address has none left */
  #countAnonymous(entry: RequestLogEntry): void {
    entry.rateLimit = this.#guard.countAnonymous(entry.address);
    if (entry.rateLimit.remaining < 0) this.#guard.refuseOverLimit(entry.rateLimit);
  }

  /** Identifies the sender by a key under /v1, or by a session that the settings page shows there or under /app/api. */
  #identify(
    { request, address }: RequestLogEntry,
    { audience, followsSandbox }: Pick<Route, "audience" | "followsSandbox">,
  ): Admitted {
    const guard = this.#appGuard;
    if (audience === "api" && (request.headers.has("authorization") || !request.headers.has(APP_HEADER))) {
      return { identity: this.#guard.identify(request, address), session: null };
    }
    guard.checkOurs(request);
    const session = guard.session(request);
    if (session) {
      const inSandbox = followsSandbox && asksForSandbox(request);
      return { identity: this.#guard.identifySession(session, inSandbox, request), session };
    }
    if (audience === "public") return { identity: null, session: null };
    throw new ApiError("unauthorized", "Sign in first.");
  }

  #createContext({ request, connection, address }: RequestLogEntry, session: Session | null): RequestContext {
    const through_trusted_proxy = this.#guard.isTrusted(connection.peer);
    const [base_path, public_url] = [this.#basePath, this.#publicUrl];
    return createRequestContext({ request, address, through_trusted_proxy, session, base_path, public_url });
  }

  /** Runs one request to its reply: anything thrown becomes the error envelope, and every reply gets its headers. */
  async #serve(request: Request, pattern: string, work: Work): Promise<Response> {
    const started = this.#monotonic();
    const connection = this.#connections.get(request) ?? LOCAL;
    const entry: RequestLogEntry = {
      request,
      connection,
      request_id: this.#platform.newId("request"),
      address: this.#guard.address(request, connection.peer),
      pattern,
      rateLimit: null,
      keyHint: null,
      read: { unknown: null, strict: false },
    };
    let response: Response;
    try {
      response = await work(entry);
    } catch (error) {
      response = this.#failed(entry, asApiError(error));
    }
    finishHeaders(entry, response.headers);
    const path = pattern === UNKNOWN ? new URL(request.url).pathname : pattern;
    if (this.#isShared(path)) this.#cors.finish(entry, response.headers);
    response = await compressed(request, response);
    const method = this.#heads.has(request) ? "HEAD" : request.method;
    this.#accessLog.write(entry, method, response.status, this.#monotonic() - started);
    return response;
  }

  /** Returns whether pages of `http.cors_origins` may call this path. */
  #isShared(path: string): boolean {
    return isApiPath(path) || this.#sharedPaths.has(path);
  }

  #failed({ request_id, pattern }: RequestLogEntry, error: ApiError): Response {
    // A refusal while the server is paused has no cause: it is no failure.
    if (ERROR_TABLE[error.code].status >= 500 && !(error.code === "server_paused" && error.cause === undefined)) {
      const fields = errorFields(error.cause ?? error, this.#platform.config.get("log.level") === "debug");
      this.#platform.log.error("request failed", { request_id, route: pattern, answer: error.code, ...fields });
    }
    return toErrorResponse(error, request_id);
  }
}
