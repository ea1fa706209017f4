import type { IdKind } from "../kernel/ids.ts";
import { bodyCheck, type Check, queryCheck, replyFault } from "./check.ts";
import type { Method, Route } from "./route.ts";
import { type UnknownFinder, unknownFinder } from "./unknown.ts";

/** Prefix of every path of the API. */
export const API_PREFIX = "/v1";
/** Prefix of every path of the settings page. */
export const APP_PREFIX = "/app/api";

/** Returns whether a path is one of the API, or where one could be. */
export function isApiPath(path: string): boolean {
  return path === API_PREFIX || path.startsWith(`${API_PREFIX}/`);
}

/** A prepared route; its checks are compiled on first use. */
export interface PreparedRoute {
  route: Route;
  /** With the prefix: "/v1/threads/:id". */
  pattern: string;
  /** Path parameters that are ids. */
  ids: [name: string, kind: IdKind][];
  checkQuery: Check<URLSearchParams> | null;
  checkBody: Check<unknown> | null;
  unknown: UnknownFinder;
  /** The field that carries a cursor: `cursor`, or `after` in a log that clients resume reading. */
  cursorField: string;
  /** Null in production, where the check would cost more than the reply itself. */
  replyFault: ((reply: unknown) => string | null) | null;
}

/** Prepares the routes. @throws Error for an invalid declaration: found at startup, not at the first request */
export function prepareRoutes(routes: readonly Route[], checkReplies: boolean): PreparedRoute[] {
  const seen = new Set<string>();
  const operations = new Set<string>();
  return routes.map((route) => {
    const name = `${route.method} ${route.audience === "api" ? "" : APP_PREFIX}${route.path}`;
    if (seen.has(name.replace(/:\w+/g, ":"))) throw new Error(`${name} is declared twice.`);
    if (operations.has(route.operationId)) throw new Error(`The operation ${route.operationId} is declared twice.`);
    seen.add(name.replace(/:\w+/g, ":"));
    operations.add(route.operationId);
    checkDeclaration(route, name);
    return {
      route,
      pattern: (route.audience === "api" ? API_PREFIX : APP_PREFIX) + route.path,
      ids: Object.entries(route.params).filter((entry): entry is [string, IdKind] => entry[1] !== "text"),
      checkQuery: route.query && queryCheck(route.query),
      checkBody: route.body && bodyCheck(route.body),
      unknown: unknownFinder(route.query, route.body, route.form),
      cursorField: route.query && !("cursor" in route.query.properties) ? "after" : "cursor",
      replyFault: checkReplies && route.response && !route.produces ? replyFault(route.response) : null,
    };
  });
}

function checkDeclaration(route: Route, name: string): void {
  const inPath = [...route.path.matchAll(/:(\w+)/g)].map((match) => match[1]!);
  const declared = Object.keys(route.params);
  if (inPath.join() !== declared.join()) throw new Error(`${name}: params and path name different parameters.`);
  if (route.audience === "api" && !route.scope) throw new Error(`${name} has no scope.`);
  if (route.method === "GET" && (route.kind !== "read" || route.body))
    throw new Error(`${name}: a GET must be a read.`);
  if (route.kind !== "read" && route.produces) throw new Error(`${name}: only a read may produce a stream.`);
}

/**
 * Returns a function that lists the methods of a path, for 405 and its Allow header; empty for a path that does not
 * exist.
 */
export function methodFinder(routes: readonly { method: Method; pattern: string }[]): (path: string) => string[] {
  const patterns = routes.map(({ method, pattern }) => ({
    method,
    regex: new RegExp(`^${pattern.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/:\w+/g, "[^/]+")}$`),
  }));
  return (path) => {
    const methods = patterns.filter(({ regex }) => regex.test(path)).map(({ method }) => method as string);
    return methods.includes("GET") ? [...methods, "HEAD"] : methods;
  };
}
