import { ApiError, type ErrorCode } from "../kernel/errors.ts";
import type { Platform } from "../platform/platform.ts";
import type { ErrorReply } from "./errors.ts";
import type { ApiGuard } from "./guard/api-guard.ts";
import type { Caller } from "./guard/caller.ts";
import type { Identity } from "./guard/identity.ts";
import { createRequestContext } from "./request-context.ts";
import type { Route } from "./route.ts";
import { Runner } from "./run.ts";
import { type PreparedRoute, prepareRoutes } from "./table.ts";

/** Input of a call, as an HTTP client would give it. */
export interface CallInput {
  /** Path parameters. */
  params?: Readonly<Record<string, string>>;
  /** Absent and undefined fields are not sent. */
  query?: Readonly<Record<string, string | number | boolean | undefined>>;
  body?: unknown;
}

/** A call that one caller makes. The reply is the JSON value, or the Response of a route that returns a file. */
export type CallRoute = (operationId: string, input?: CallInput) => Promise<unknown>;

interface For {
  identity: Identity;
  caller: Caller;
  idempotencyKey: string | null;
}

const ORIGIN = "http://postroom.internal";

/**
 * Calls routes of the API from inside this process: same scope check, same validation, same transaction, same
 * idempotency, same reply as over HTTP. The tool server is built on it, so that nothing is implemented twice. Rate limits
 * and the request quota are not counted here: a tool call is one request, whatever it calls.
 */
export class RouteCaller {
  readonly #routes: ReadonlyMap<string, PreparedRoute>;
  readonly #runner: Runner;

  constructor(
    platform: Platform,
    private readonly guard: ApiGuard,
    routes: readonly Route[],
  ) {
    const prepared = prepareRoutes(routes, false);
    this.#routes = new Map(prepared.map((entry) => [entry.route.operationId, entry]));
    this.#runner = new Runner(platform);
  }

  /**
   * Returns a function that makes calls for one caller.
   * @param idempotencyKey makes each mutation at most once, as the header Idempotency-Key does
   * @throws ApiError as the route does over HTTP
   */
  for(identity: Identity, caller: Caller, idempotencyKey: string | null = null): CallRoute {
    return (operationId, input = {}) => this.#call({ identity, caller, idempotencyKey }, operationId, input);
  }

  async #call({ identity, caller, idempotencyKey }: For, operationId: string, input: CallInput): Promise<unknown> {
    const prepared = this.#routes.get(operationId);
    if (!prepared) throw new Error(`There is no operation ${operationId}.`);
    this.guard.authorize(identity, prepared.route.scope);
    const request = requestOf(prepared, input, idempotencyKey);
    const outcome = await this.#runner.run({
      prepared,
      request,
      params: { ...input.params },
      caller,
      context: createRequestContext({
        request,
        address: "127.0.0.1",
        through_trusted_proxy: false,
        session: null,
        base_path: "",
        public_url: "",
      }),
      request_id: caller.request_id,
      read: { unknown: null, strict: false },
      openStream: () => new AbortController().signal,
    });
    if (outcome instanceof Response) return outcome;
    const value: unknown = outcome.body === null ? null : JSON.parse(outcome.body);
    if (outcome.status >= 400) throw storedError(value as ErrorReply);
    return value;
  }
}

/** Builds the request that a handler may look at. The caller is known, so it carries no credential. */
function requestOf(
  { route, pattern }: PreparedRoute,
  { params = {}, query = {}, body }: CallInput,
  idempotencyKey: string | null,
) {
  const path = pattern.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent((params[name] ?? "").toWellFormed()));
  const url = new URL(path, ORIGIN);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  const headers = new Headers();
  if (idempotencyKey !== null) headers.set("Idempotency-Key", idempotencyKey);
  if (body !== undefined) headers.set("Content-Type", "application/json");
  const text = body === undefined ? undefined : JSON.stringify(body);
  return new Request(url, { method: route.method, headers, body: text });
}

/** Converts a stored refusal, which a repeated Idempotency-Key returns, to the error that it was. */
function storedError({ error }: ErrorReply): ApiError {
  const { code, message, param, details } = error;
  return new ApiError(code as ErrorCode, message, { param, details });
}
