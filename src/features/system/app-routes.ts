import { type Route, read } from "../../http/route.ts";
import { System, SystemQuery } from "./model.ts";
import type { SystemService } from "./service.ts";

/**
 * Defines the routes that show the owner the state of the installation: the findings of `postroom doctor`, without a
 * command line.
 */
export function systemAppRoutes(system: SystemService): Route[] {
  return [
    read({
      method: "GET",
      path: "/system",
      audience: "session",
      role: "owner",
      query: SystemQuery,
      response: System,
      handle: ({ query }) => system.status(query.servers),
    }),
  ];
}
