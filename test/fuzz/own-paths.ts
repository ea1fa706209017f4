import type { Route } from "../../src/http/route.ts";
import { ID_PREFIXES, type IdKind } from "../../src/kernel/ids.ts";
import type { Person } from "./two-people.ts";

/** The ids of one kind that a person has. */
export const idsOf = (person: Person, kind: IdKind): string[] => person.ids.get(kind) ?? [];

/** An id of a kind that belongs to no one. */
export const unassignedId = (kind: IdKind): string => `${ID_PREFIXES[kind]}01jz4t9h2m8q5r7v3w6x0y1z2a`;

/** Another unassigned id, made in the same moment as this one: an index finds it in the same place. */
export const unknownLike = (id: string): string => id.slice(0, 14) + [...id.slice(14)].reverse().join("");

/** Returns the parameters of a route that are ids. */
export const idParams = (params: Route["params"]): [name: string, kind: IdKind][] =>
  Object.entries(params).filter((entry): entry is [string, IdKind] => entry[1] !== "text");

/**
 * Returns values that a person would put into the path of a route: their ids, or unassigned ids where they have none.
 */
export function ownParams(person: Person, route: Route): Record<string, string> {
  return Object.fromEntries(
    Object.entries(route.params).map(([name, kind]) => [
      name,
      kind === "text" ? person.canary : (idsOf(person, kind)[0] ?? unassignedId(kind)),
    ]),
  );
}

export const fill = (route: Route, params: Record<string, string>): string =>
  route.path.replace(/:(\w+)/g, (_, name: string) => params[name]!);
