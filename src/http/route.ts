import type { Static, TObject, TSchema, TVoid } from "@sinclair/typebox";
import type { ErrorCode } from "../kernel/errors.ts";
import type { IdKind } from "../kernel/ids.ts";
import type { Scope } from "../kernel/scopes.ts";
import type { Caller } from "./guard/caller.ts";
import type { Pager } from "./paging.ts";
import type { RequestContext } from "./request-context.ts";

/**
 * Declares routes. One declaration is the router's entry, the validator, the handler's types and the operation in the
 * OpenAPI description:
 *
 * ```ts
 * export const threadRoutes = (threads: ThreadService) => [
 *   read({
 *     method: "GET", path: "/threads", scope: "mail:read",
 *     operation_id: "listThreads", tag: "Threads", summary: "List threads",
 *     query: Type.Object({ unread: Type.Optional(Type.Boolean()), ...pageQuery }),
 *     response: listOf(ThreadItem, "ThreadList"),
 *     handle: ({ query, caller, pager }) =>
 *       pager.reply("threads", threads.list(caller, query, pager.after("threads", query.cursor)), viewThread),
 *   }),
 *   change({
 *     method: "PATCH", path: "/threads/:id", scope: "mail:write",
 *     operation_id: "updateThread", tag: "Threads", summary: "Change a thread",
 *     params: { id: "thread" }, body: ThreadPatch, response: ThreadPatched,
 *     handle: ({ params, body, caller }) => threads.update(caller, params.id, body),
 *   }),
 * ];
 * ```
 *
 * - `read` changes nothing and may be asynchronous.
 * - `change` is **synchronous** and runs in one database transaction together with its idempotent reply: after a crash
 *   either both are stored or neither. An error rolls its writes back. `db.write` calls of services join the transaction.
 * - `act` is for mutations that must await something (a model, an upload). The Idempotency-Key is claimed before it
 *   starts; `commit` stores the reply in the same transaction as the last write. Without `commit`, a crash between that
 *   write and the reply means that a retry acts again.
 *
 * The same three functions with `audience: "session"` instead of `scope` declare paths of the settings page, under
 * /app/api: only a signed-in person reaches them, never an API key, and they are not in the API description.
 * `role: "owner"` restricts them to the owner. `publicRead` and `publicAct` declare the few that need no session.
 */
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** The type of a path parameter: an id of this kind (malformed: 404, before the handler) or free text. */
export type ParamKinds = Readonly<Record<string, IdKind | "text">>;

type NoFields = Record<never, never>;

/** Input of a handler. It contains nothing of the web framework; `caller` is passed to the services. */
interface Input<P extends ParamKinds = ParamKinds, Q = unknown, B = unknown> {
  params: { readonly [K in keyof P]: string };
  /** Converted and checked: absent fields with a default are filled, unknown ones dropped. */
  query: Q;
  body: B;
  /** The parts of a multipart body; empty for JSON routes. */
  form: FormData;
  caller: Caller;
  /** How the request arrived; its `headers` are added to a successful reply. */
  context: RequestContext;
  pager: Pager;
  /** For headers such as Range. */
  request: Request;
  /**
   * Disables the idle timeout, for replies that stay open (server-sent events, long downloads). The signal fires when
   * the client disconnects, the key is revoked or expires, the server stops, or the reply has ended.
   */
  openStream(): AbortSignal;
}

/** Input of a public path, where the caller may or may not be signed in. */
export type OpenInput<P extends ParamKinds = ParamKinds, Q = unknown, B = unknown> = Omit<Input<P, Q, B>, "caller"> & {
  caller: Caller | null;
  request_id: string;
};

/** "api": under /v1 with a scope; "session" and "public": under /app/api, for the settings page. */
type Audience = "api" | "session" | "public";

interface ApiGuard {
  scope: Scope;
  audience?: never;
  role?: never;
  operationId: string;
  tag: string;
  summary: string;
  description?: string;
}

interface SessionGuard {
  audience: "session";
  /** "owner": everyone else gets 403. */
  role?: "owner";
  /** While the page shows the sandbox, the caller is the person's sandbox, as under /v1. By default, it is the person. */
  followsSandbox?: true;
  scope?: never;
}

interface Common<P extends ParamKinds, Q extends TObject, B extends TSchema, R extends TSchema> {
  method: Method;
  /** Under /v1 or /app/api, with `:name` for parameters: "/threads/:id". */
  path: string;
  params?: P;
  /** Declared in its real types (integer, boolean); clients can omit a field with a `default`. */
  query?: Q;
  /** JSON body. */
  body?: B;
  /** Absent: the reply is 204 without a body. */
  response?: R;
  /** Success status; 200, or 204 without `response`. */
  status?: number;
  /**
   * The session must have re-authenticated within the last 15 minutes (guard/recent-auth.ts). Does not apply to keys.
   */
  recentAuth?: true;
  /**
   * Content type of a reply that is not JSON. The handler then returns a Response, and the pipeline adds its headers.
   */
  produces?: string;
  /**
   * Codes beyond those that every route of this shape can return (see `possibleErrors` in openapi/possible-errors.ts).
   */
  errors?: readonly ErrorCode[];
  examples?: { body?: unknown; response?: unknown };
}

type Reply<R extends TSchema> = Static<R> | Response;

type Guarded<P extends ParamKinds, Q extends TObject, B extends TSchema, R extends TSchema> = Common<P, Q, B, R> &
  (ApiGuard | SessionGuard);

export type ReadSpec<P extends ParamKinds, Q extends TObject, B extends TSchema, R extends TSchema> = Guarded<
  P,
  Q,
  B,
  R
> & {
  handle(input: Input<P, Static<Q>, Static<B>>): Reply<R> | Promise<Reply<R>>;
};

export type ChangeSpec<P extends ParamKinds, Q extends TObject, B extends TSchema, R extends TSchema> = Guarded<
  P,
  Q,
  B,
  R
> & {
  /** True: a request without an Idempotency-Key is refused (the sends). */
  keyRequired?: boolean;
  handle(input: Input<P, Static<Q>, Static<B>>): Static<R>;
};

/**
 * Runs `write` in a transaction and stores the reply that it returns in the same transaction. At most once per request.
 */
export type Commit<T> = (write: () => T) => T;

export type ActSpec<P extends ParamKinds, Q extends TObject, B extends TSchema, R extends TSchema> = Guarded<
  P,
  Q,
  B,
  R
> & {
  keyRequired?: boolean;
  /** The fields of a multipart body, for the description. The handler reads them from `form`. */
  form?: TObject;
  handle(input: Input<P, Static<Q>, Static<B>> & { commit: Commit<Static<R>> }): Promise<Static<R>>;
};

export interface PublicSpec<P extends ParamKinds, Q extends TObject, B extends TSchema, R extends TSchema>
  extends Common<P, Q, B, R> {
  handle(input: OpenInput<P, Static<Q>, Static<B>>): Static<R> | Promise<Static<R>>;
}

/** A declared route with its types erased. The pipeline checks the input before it calls `handle`. */
export interface Route {
  kind: "read" | "change" | "act";
  method: Method;
  path: string;
  audience: Audience;
  role: "owner" | null;
  followsSandbox: boolean;
  recentAuth: boolean;
  /** Null outside /v1. */
  scope: Scope | null;
  operationId: string;
  tag: string;
  summary: string;
  description?: string;
  params: ParamKinds;
  query: TObject | null;
  body: TSchema | null;
  form: TObject | null;
  response: TSchema | null;
  status: number;
  produces: string | null;
  keyRequired: boolean;
  errors: readonly ErrorCode[];
  examples: { body?: unknown; response?: unknown };
  handle(input: OpenInput & { commit: Commit<unknown> }): unknown;
}

/** Declares a route that changes nothing: every GET, and a POST such as /search. Idempotency does not apply. */
export function read<
  const P extends ParamKinds = NoFields,
  Q extends TObject = TObject<NoFields>,
  B extends TSchema = TVoid,
  R extends TSchema = TVoid,
>(spec: ReadSpec<P, Q, B, R>): Route {
  return erase("read", spec, (input) => spec.handle(known(input) as Input<P, Static<Q>, Static<B>>));
}

/** Declares a synchronous mutation: handler and idempotent reply are one transaction. */
export function change<
  const P extends ParamKinds = NoFields,
  Q extends TObject = TObject<NoFields>,
  B extends TSchema = TVoid,
  R extends TSchema = TVoid,
>(spec: ChangeSpec<P, Q, B, R>): Route {
  const route = erase("change", spec, (input) => spec.handle(known(input) as Input<P, Static<Q>, Static<B>>));
  return { ...route, keyRequired: spec.keyRequired ?? false };
}

/** Declares an asynchronous mutation, such as an upload or a call to a model. */
export function act<
  const P extends ParamKinds = NoFields,
  Q extends TObject = TObject<NoFields>,
  B extends TSchema = TVoid,
  R extends TSchema = TVoid,
>(spec: ActSpec<P, Q, B, R>): Route {
  type Given = Input<P, Static<Q>, Static<B>> & { commit: Commit<Static<R>> };
  const route = erase("act", spec, (input) => spec.handle(known(input) as Given));
  return { ...route, keyRequired: spec.keyRequired ?? false, form: spec.form ?? null };
}

/** Declares a path of the settings page that changes nothing and needs no session. */
export function publicRead<
  const P extends ParamKinds = NoFields,
  Q extends TObject = TObject<NoFields>,
  B extends TSchema = TVoid,
  R extends TSchema = TVoid,
>(spec: PublicSpec<P, Q, B, R>): Route {
  return erase("read", spec, (input) => spec.handle(input as OpenInput<P, Static<Q>, Static<B>>));
}

/** Declares a mutation that needs no session, such as signing in. Idempotency does not apply. */
export function publicAct<
  const P extends ParamKinds = NoFields,
  Q extends TObject = TObject<NoFields>,
  B extends TSchema = TVoid,
  R extends TSchema = TVoid,
>(spec: PublicSpec<P, Q, B, R>): Route {
  return erase("act", spec, async (input) => spec.handle(input as OpenInput<P, Static<Q>, Static<B>>));
}

/** Asserts that the pipeline has identified the caller. */
function known(input: OpenInput & { commit: Commit<unknown> }): Input & { commit: Commit<unknown> } {
  if (!input.caller) throw new Error("a path that is not public was called without a caller");
  return { ...input, caller: input.caller };
}

function erase<P extends ParamKinds, Q extends TObject, B extends TSchema, R extends TSchema>(
  kind: Route["kind"],
  spec: Common<P, Q, B, R> &
    Partial<Omit<ApiGuard, "audience" | "role">> & {
      audience?: "session";
      role?: "owner";
      followsSandbox?: true;
    },
  handle: Route["handle"],
): Route {
  const audience = spec.scope ? "api" : (spec.audience ?? "public");
  return {
    kind,
    method: spec.method,
    path: spec.path,
    audience,
    role: spec.role ?? null,
    followsSandbox: audience === "api" || (spec.followsSandbox ?? false),
    recentAuth: spec.recentAuth ?? false,
    scope: spec.scope ?? null,
    operationId: spec.operationId ?? `${spec.method} ${spec.path}`,
    tag: spec.tag ?? "",
    summary: spec.summary ?? "",
    description: spec.description,
    params: spec.params ?? {},
    query: spec.query ?? null,
    body: spec.body ?? null,
    form: null,
    response: spec.response ?? null,
    status: spec.status ?? (spec.response || spec.produces ? 200 : 204),
    produces: spec.produces ?? null,
    keyRequired: false,
    errors: spec.errors ?? [],
    examples: spec.examples ?? {},
    handle,
  };
}
