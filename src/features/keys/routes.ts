import { change, type Route, read } from "../../http/route.ts";
import { KeyCreated, KeyList, NewKeyBody, NewTeamKeyBody, ScopeGroups } from "./model.ts";
import type { KeyService } from "./service.ts";

/** Defines the routes of the settings page "Keys". */
export function keyAppRoutes(keys: KeyService): Route[] {
  return [
    read({
      method: "GET",
      path: "/scopes",
      audience: "session",
      response: ScopeGroups,
      handle: ({ caller }) => ({
        data: keys.groups(caller).map((group) => ({ ...group, scopes: [...group.scopes] })),
        presets: keys.presets(caller),
      }),
    }),
    read({
      method: "GET",
      path: "/keys",
      audience: "session",
      response: KeyList,
      handle: ({ caller }) => ({ data: keys.list(caller) }),
    }),
    change({
      method: "POST",
      path: "/keys",
      audience: "session",
      recentAuth: true,
      body: NewKeyBody,
      response: KeyCreated,
      status: 201,
      handle: ({ caller, body }) => keys.create(caller, body),
    }),
    change({
      method: "DELETE",
      path: "/keys/:id",
      audience: "session",
      params: { id: "key" },
      handle: ({ caller, params }) => keys.revoke(caller, params.id),
    }),
    read({
      method: "GET",
      path: "/teams/:id/keys",
      audience: "session",
      role: "owner",
      params: { id: "team" },
      response: KeyList,
      handle: ({ params }) => ({ data: keys.ofTeam(params.id) }),
    }),
    change({
      method: "POST",
      path: "/teams/:id/keys",
      audience: "session",
      role: "owner",
      params: { id: "team" },
      recentAuth: true,
      body: NewTeamKeyBody,
      response: KeyCreated,
      status: 201,
      handle: ({ caller, params, body }) => keys.createForTeam(caller, params.id, body),
    }),
    change({
      method: "DELETE",
      path: "/teams/:id/keys/:key_id",
      audience: "session",
      role: "owner",
      params: { id: "team", key_id: "key" },
      handle: ({ caller, params }) => keys.revokeOfTeam(caller, params.id, params.key_id),
    }),
  ];
}
