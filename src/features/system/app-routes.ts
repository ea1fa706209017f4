import { type Route, read } from "../../http/route.ts";
import { System, SystemQuery } from "./model.ts";
import type { SystemService } from "./service.ts";

/** How the installation is, for its owner: what `postroom doctor` says, without a command line. */
export function systemAppRoutes(system: SystemService): Route[] {
  return [
    read({
      method: "GET",
      path: "/system",
      audience: "session",
      role: "owner",
      query: SystemQuery,
      response: System,
      handle: ({ query }) => system.look(query.servers),
    }),
  ];
}
