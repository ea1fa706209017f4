import { Type } from "@sinclair/typebox";
import { cutPage, listOf, pageQuery } from "../../http/paging.ts";
import { change, type Route, read } from "../../http/route.ts";
import { EXAMPLE_ITEM, EXAMPLE_PROFILE, EXAMPLE_VARIABLE } from "./examples.ts";
import { fileRoutes } from "./file-routes.ts";
import type { ContextFiles } from "./files.ts";
import {
  Deleted,
  ProfileCreate,
  ProfileDetail,
  ProfileItem,
  ProfilePatch,
  ProfilePatched,
  VariableItem,
  VariablePut,
  viewItem,
  viewProfile,
  viewVariable,
} from "./model.ts";
import type { ContextService } from "./service.ts";

const TAG = "Personal context";

/** Returns the routes for profiles, variables and files. */
export function contextRoutes(context: ContextService, files: ContextFiles): Route[] {
  return [...profileRoutes(context, files), ...variableRoutes(context), ...fileRoutes(files)];
}

function profileRoutes(context: ContextService, files: ContextFiles): Route[] {
  return [
    read({
      method: "GET",
      path: "/context/profiles",
      scope: "context:read",
      operationId: "listContextProfiles",
      tag: TAG,
      summary: "List client profiles",
      description: "Lists client profiles, most recently changed first.",
      query: Type.Object(pageQuery),
      response: listOf(ProfileItem, "ContextProfileList"),
      examples: { response: { data: [EXAMPLE_ITEM], has_more: false } },
      handle: ({ query: { limit, cursor }, caller, pager }) => {
        const rows = context.profiles(caller.user_id, pager.after("context-profiles", cursor), limit + 1);
        const page = cutPage(rows, limit, (row) => [row.updated_at, row.id]);
        return pager.reply("context-profiles", page, viewItem);
      },
    }),
    change({
      method: "POST",
      path: "/context/profiles",
      scope: "context:write",
      operationId: "createContextProfile",
      tag: TAG,
      summary: "Create a client profile",
      description: "Creates a profile for a domain. Each domain can have one profile.",
      body: ProfileCreate,
      response: ProfileDetail,
      examples: {
        body: {
          domain: "harbourline.example",
          name: "Harbourline",
          set: { "client.name": "Harbourline", tone: "warm" },
        },
        response: EXAMPLE_PROFILE,
      },
      handle: ({ body, caller }) => viewProfile(context.create(caller, body)),
    }),
    read({
      method: "GET",
      path: "/context/profiles/:id",
      scope: "context:read",
      operationId: "getContextProfile",
      tag: TAG,
      summary: "Get a client profile",
      description: "Returns a profile with its variables and notes.",
      params: { id: "contextProfile" },
      response: ProfileDetail,
      examples: { response: EXAMPLE_PROFILE },
      handle: ({ params, caller }) => viewProfile(context.profile(caller.user_id, params.id)),
    }),
    change({
      method: "PATCH",
      path: "/context/profiles/:id",
      scope: "context:write",
      operationId: "updateContextProfile",
      tag: TAG,
      summary: "Update a client profile",
      description:
        "Changes the fields that are present. `set` sets or removes variables, and `append_note` adds a note.",
      params: { id: "contextProfile" },
      body: ProfilePatch,
      response: ProfilePatched,
      examples: {
        body: { set: { tone: "formal" }, append_note: "Moves to Lisbon in May." },
        response: { id: EXAMPLE_ITEM.id, updated_keys: ["tone"] },
      },
      handle: ({ params, body, caller }) => ({
        id: params.id,
        updated_keys: context.update(caller, params.id, body).updated_keys,
      }),
    }),
    change({
      method: "DELETE",
      path: "/context/profiles/:id",
      scope: "context:write",
      operationId: "deleteContextProfile",
      tag: TAG,
      summary: "Delete a client profile",
      description: "Deletes a profile and its files.",
      params: { id: "contextProfile" },
      response: Deleted("ContextProfileDeleted"),
      examples: { response: { id: EXAMPLE_ITEM.id, deleted: true } },
      handle: ({ params, caller }) => {
        const held = files.idsOf(caller.user_id);
        context.remove(caller, params.id);
        files.tidy(caller.user_id, held);
        return { id: params.id, deleted: true as const };
      },
    }),
  ];
}

function variableRoutes(context: ContextService): Route[] {
  return [
    read({
      method: "GET",
      path: "/context/variables",
      scope: "context:read",
      operationId: "listContextVariables",
      tag: TAG,
      summary: "List global variables",
      description: "Lists all global variables.",
      response: Type.Object({ data: Type.Array(VariableItem) }, { $id: "ContextVariableList" }),
      examples: { response: { data: [EXAMPLE_VARIABLE] } },
      handle: ({ caller }) => ({ data: context.variables(caller.user_id).map(viewVariable) }),
    }),
    change({
      method: "PUT",
      path: "/context/variables/:key",
      scope: "context:write",
      operationId: "setContextVariable",
      tag: TAG,
      summary: "Set a global variable",
      description: "Creates or replaces a global variable. A profile can override it with a value of the same type.",
      params: { key: "text" },
      body: VariablePut,
      response: VariableItem,
      examples: { body: { value: "Best regards, Alex", type: "string" }, response: EXAMPLE_VARIABLE },
      handle: ({ params, body, caller }) =>
        viewVariable(context.setVariable(caller, params.key, body.value, body.type)),
    }),
    change({
      method: "DELETE",
      path: "/context/variables/:key",
      scope: "context:write",
      operationId: "deleteContextVariable",
      tag: TAG,
      summary: "Delete a global variable",
      description: "Deletes a global variable.",
      params: { key: "text" },
      response: Type.Object({ key: Type.String(), deleted: Type.Literal(true) }, { $id: "ContextVariableDeleted" }),
      examples: { response: { key: EXAMPLE_VARIABLE.key, deleted: true } },
      handle: ({ params, caller }) => {
        context.removeVariable(caller, params.key);
        return { key: params.key, deleted: true as const };
      },
    }),
  ];
}
